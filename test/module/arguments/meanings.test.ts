import { expect } from 'chai';
import * as Type from 'typebox';
import type { Value } from '../../../src/core/model/values/value.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import { defineAction } from '../../../src/module/contract.js';

/** A value that is taken, and as what, if that differs. */
type Taken = readonly [written: Value, meant?: Value];

interface Case {
  readonly what: string;
  readonly schema: Type.TSchema;
  /** In a playbook, and as the result of a template. */
  readonly meant: readonly Taken[];
  /** In a playbook only. */
  readonly written: readonly Taken[];
  /** As the result of a template only. */
  readonly rendered: readonly Taken[];
}

const VALUES: readonly Value[] = [
  'a',
  '7',
  ' 7 ',
  '-7',
  '+7',
  '7.5',
  '7.',
  'yes',
  'No',
  'TRUE',
  '',
  'a,b',
  '7, 8',
  '[7, 8]',
  '{"n": "7"}',
  '[7',
  7,
  7.5,
  1e20,
  true,
  [],
  ['7', 8],
  { n: '7' },
  '{{ x }}',
];

const CASES: readonly Case[] = [
  {
    what: 'string',
    schema: Type.String(),
    meant: [
      ['a'],
      ['7'],
      [' 7 '],
      ['-7'],
      ['+7'],
      ['7.5'],
      ['7.'],
      ['yes'],
      ['No'],
      ['TRUE'],
      [''],
      ['a,b'],
      ['7, 8'],
      ['[7, 8]'],
      ['{"n": "7"}'],
      ['[7'],
      [7, '7'],
      ['{{ x }}'],
    ],
    written: [],
    rendered: [
      [7.5, '7.5'],
      [1e20, '100000000000000000000'],
    ],
  },
  {
    what: 'text for people',
    schema: Type.String({ prose: true }),
    meant: [
      ['a'],
      ['7'],
      [' 7 '],
      ['-7'],
      ['+7'],
      ['7.5'],
      ['7.'],
      ['yes'],
      ['No'],
      ['TRUE'],
      [''],
      ['a,b'],
      ['7, 8'],
      ['[7, 8]'],
      ['{"n": "7"}'],
      ['[7'],
      [7, '7'],
      [7.5, '7.5'],
      [1e20, '100000000000000000000'],
      [true, 'True'],
      [[], '[]'],
      [['7', 8], '["7",8]'],
      [{ n: '7' }, '{"n":"7"}'],
      ['{{ x }}'],
    ],
    written: [],
    rendered: [],
  },
  {
    what: 'integer',
    schema: Type.Integer(),
    meant: [['7', 7], [' 7 ', 7], ['-7', -7], ['+7', 7], [7], [1e20]],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'number',
    schema: Type.Number(),
    meant: [['7', 7], [' 7 ', 7], ['-7', -7], ['+7', 7], ['7.5', 7.5], [7], [7.5], [1e20]],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'boolean',
    schema: Type.Boolean(),
    meant: [['yes', true], ['No', false], ['TRUE', true], [true]],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'list of texts',
    schema: Type.Array(Type.String()),
    meant: [
      ['a', ['a']],
      ['7', ['7']],
      [' 7 ', [' 7 ']],
      ['-7', ['-7']],
      ['+7', ['+7']],
      ['7.5', ['7.5']],
      ['7.', ['7.']],
      ['yes', ['yes']],
      ['No', ['No']],
      ['TRUE', ['TRUE']],
      ['a,b', ['a', 'b']],
      ['7, 8', ['7', ' 8']],
      ['[7, 8]', ['7', '8']],
      [7, ['7']],
      [[]],
      [
        ['7', 8],
        ['7', '8'],
      ],
    ],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'list of integers',
    schema: Type.Array(Type.Integer()),
    meant: [
      ['7', [7]],
      [' 7 ', [7]],
      ['-7', [-7]],
      ['+7', [7]],
      ['7, 8', [7, 8]],
      ['[7, 8]', [7, 8]],
      [7, [7]],
      [[]],
      [
        ['7', 8],
        [7, 8],
      ],
    ],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'list',
    schema: Type.Array(Type.Unknown()),
    meant: [['[7, 8]', [7, 8]], [[]], [['7', 8]]],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'mapping',
    schema: Type.Record(Type.String(), Type.Unknown()),
    meant: [['{"n": "7"}', { n: '7' }], [{ n: '7' }]],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'mapping of integers',
    schema: Type.Object({ n: Type.Integer() }),
    meant: [
      ['{"n": "7"}', { n: 7 }],
      [{ n: '7' }, { n: 7 }],
    ],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'integer or text',
    schema: Type.Union([Type.Integer(), Type.String()]),
    meant: [
      ['a'],
      ['7'],
      [' 7 '],
      ['-7'],
      ['+7'],
      ['7.5'],
      ['7.'],
      ['yes'],
      ['No'],
      ['TRUE'],
      [''],
      ['a,b'],
      ['7, 8'],
      ['[7, 8]'],
      ['{"n": "7"}'],
      ['[7'],
      [7],
      [1e20],
      ['{{ x }}'],
    ],
    written: [],
    rendered: [],
  },
  {
    what: 'integers, one or several',
    schema: Type.Union([Type.Integer(), Type.Array(Type.Integer())]),
    meant: [
      ['7', 7],
      [' 7 ', 7],
      ['-7', -7],
      ['+7', 7],
      ['7, 8', [7, 8]],
      ['[7, 8]', [7, 8]],
      [7],
      [1e20],
      [[]],
      [
        ['7', 8],
        [7, 8],
      ],
    ],
    written: [['{{ x }}']],
    rendered: [],
  },
  {
    what: 'number or text',
    schema: Type.Union([Type.Number(), Type.String()]),
    meant: [
      ['a'],
      ['7'],
      [' 7 '],
      ['-7'],
      ['+7'],
      ['7.5'],
      ['7.'],
      ['yes'],
      ['No'],
      ['TRUE'],
      [''],
      ['a,b'],
      ['7, 8'],
      ['[7, 8]'],
      ['{"n": "7"}'],
      ['[7'],
      [7],
      [7.5],
      [1e20],
      ['{{ x }}'],
    ],
    written: [],
    rendered: [],
  },
  {
    what: 'anything',
    schema: Type.Unknown(),
    meant: [
      ['a'],
      ['7'],
      [' 7 '],
      ['-7'],
      ['+7'],
      ['7.5'],
      ['7.'],
      ['yes'],
      ['No'],
      ['TRUE'],
      [''],
      ['a,b'],
      ['7, 8'],
      ['[7, 8]'],
      ['{"n": "7"}'],
      ['[7'],
      [7],
      [7.5],
      [1e20],
      [true],
      [[]],
      [['7', 8]],
      [{ n: '7' }],
      ['{{ x }}'],
    ],
    written: [],
    rendered: [],
  },
];

describe('the value of an argument', () => {
  for (const { what, schema, meant, written, rendered } of CASES)
    it(`is taken as ${what}, or refused`, () => {
      const args = Type.Object({ a: Type.Optional(schema) });
      const action = { name: 'm', summary: '', args, examples: [], check: true };
      const module = defineAction({ ...action, run: () => Promise.resolve({ status: 'ok' as const }) });
      for (const [mode, own] of [
        ['static', written],
        ['rendered', rendered],
      ] as const) {
        const taken = VALUES.flatMap((value) => {
          const check = validateArguments(module, { a: value }, mode);
          return 'args' in check ? [[value, check.args['a']]] : [];
        });
        const expected = [...meant, ...own].map(([value, other = value]) => [value, other]);
        expect(taken, mode).to.have.deep.members(expected);
      }
    });
});
