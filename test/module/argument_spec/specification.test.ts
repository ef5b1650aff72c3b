import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { checkRules, checkSpecification, mistakeIn } from '../../../src/module/argument_spec/specification.js';

describe('problems of an argument specification', () => {
  const inside = { a: { type: 'int' } };
  const [NO_ELEMENTS, NO_OPTIONS] = [
    '"elements" is for "type: list" only',
    '"options" has an effect only with "type: dict", or "type: list" and "elements: dict"',
  ];
  const TYPES = 'the types are str, int, float, bool, list, dict, path, raw, jsonarg, json, bytes, bits';
  for (const [option, problems] of [
    [5, ['error x: the option "x" must be a mapping, such as "type: str"']],
    [{ required: true }, []],
    [{ required: true, default: null }, []],
    [{ required: false, default: 1 }, []],
    [{ default: 1 }, []],
    [
      { required: true, default: 0 },
      ['error x/default: "x" cannot be required and have a default (remove one of them)'],
    ],
    [{ type: 'list', elements: 'str' }, []],
    [{ type: 'str', elements: null }, []],
    [{ elements: 'str' }, [`error x/elements: ${NO_ELEMENTS}`]],
    [{ type: 'dict', options: inside }, []],
    [{ type: 'list', elements: 'dict', options: inside }, []],
    [{ type: 'str', options: null }, []],
    [{ type: 'list', options: inside }, [`warning x/options: ${NO_OPTIONS}`]],
    [{ type: 'list', elements: 'str', options: inside }, [`warning x/options: ${NO_OPTIONS}`]],
    [{ type: 'str', options: inside }, [`warning x/options: ${NO_OPTIONS}`]],
    [{ elements: 'dict', options: inside }, [`error x/elements: ${NO_ELEMENTS}`, `warning x/options: ${NO_OPTIONS}`]],
    [
      { type: 'dict', options: { a: { type: 'it' }, b: { requird: true } } },
      [
        'error x/options/a/type: there is no type "it" (did you mean "int"?)',
        'warning x/options/b/requird: "requird" is not a key of an argument specification (did you mean "required"?)',
      ],
    ],
    [{ type: 'unlike' }, [`error x/type: there is no type "unlike" (${TYPES})`]],
    [{ type: ['str'] }, [`error x/type: there is no type "["str"]" (${TYPES})`]],
    [{ type: null, choices: null, required: null }, []],
    [
      { toString: 1, unlike: 2 },
      ['toString', 'unlike'].map((key) => `warning x/${key}: "${key}" is not a key of an argument specification`),
    ],
    [
      { required: 'yes', no_log: 1, apply_defaults: 'x' },
      ['required', 'no_log', 'apply_defaults'].map((key) => `error x/${key}: "${key}" must be true or false`),
    ],
    [
      {
        choices: 'a',
        aliases: {},
        deprecated_aliases: 1,
        mutually_exclusive: 1,
        required_together: 1,
        required_one_of: 1,
        required_if: 1,
      },
      [
        'choices',
        'aliases',
        'deprecated_aliases',
        'mutually_exclusive',
        'required_together',
        'required_one_of',
        'required_if',
      ].map((key) => `error x/${key}: "${key}" must be a list`),
    ],
    [
      { type: 'dict', options: [], required_by: [] },
      ['options', 'required_by'].map((key) => `error x/${key}: "${key}" must be a mapping`),
    ],
    [
      {
        default: [1],
        description: {},
        version_added: 1,
        removed_in_version: 2,
        removed_at_date: 3,
        removed_from_collection: [],
      },
      [],
    ],
  ] as readonly (readonly [Mapping[string], readonly string[]])[])
    it(JSON.stringify(option), () => {
      const found = checkSpecification({ fine: {}, x: option });
      expect(
        found.map(
          ({ severity, path, message, hint }) =>
            `${severity} ${path.join('/')}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
        ),
      ).to.deep.equal(problems);
    });

  it('that a task gets: the first error counts', () => {
    expect(mistakeIn({ a: { unlike: 1 }, b: { type: 'dict', options: { c: 5 } }, d: 6 })).to.equal(
      'argument_spec.b.options.c: the option "c" must be a mapping, such as "type: str"',
    );
    expect(mistakeIn({ a: { unlike: 1 } })).to.equal(undefined);
  });

  it('in its rules', () => {
    const found = checkRules({
      required_if: 5,
      required_by: 'a',
      required_together: null,
      required_one_of: [],
      options: 5,
    });
    expect(found.map(({ path, message }) => `${path.join('/')}: ${message}`).toSorted()).to.deep.equal([
      'required_by: "required_by" must be a mapping',
      'required_if: "required_if" must be a list',
    ]);
  });
});
