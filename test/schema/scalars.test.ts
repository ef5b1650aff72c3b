import { Ajv } from 'ajv';
import { expect } from 'chai';
import { constructSchema } from '../../src/schema/keywords.js';
import {
  anyText,
  textSchema,
  boolean,
  flag,
  listSchema,
  number,
  oneOrMore,
  orNothing,
  reference,
  template,
  variableName,
  wholeNumber,
  type JsonSchema,
} from '../../src/schema/scalars.js';

const ajv = new Ajv({ allowUnionTypes: true, strict: false });

/** The values that a schema accepts, of these. */
function accepted(schema: JsonSchema, values: readonly unknown[]): readonly unknown[] {
  const isValid = ajv.compile(schema);
  return values.filter((value) => isValid(value));
}

const VALUES = [
  true,
  0,
  1,
  2,
  1.5,
  null,
  '',
  'x',
  '{{ a }}',
  'a {{ b }}',
  'yes',
  'Off',
  'TRUE',
  'tRUE',
  'n',
  '1',
  '2',
  '-3',
  '+4',
  ' 5 ',
  '1.5',
  '.5',
  '5.',
  '1e3',
  'a_b',
  '_a',
  '1a',
  'a-b',
  ['x'],
  { a: 1 },
] as const;

describe('the schema of a value', () => {
  const templates = ['{{ a }}', 'a {{ b }}'];
  for (const [name, schema, expected] of [
    ['a template', template, templates],
    ['a name of a variable', variableName, ['x', 'yes', 'Off', 'TRUE', 'tRUE', 'n', 'a_b', '_a']],
    ['a boolean', boolean, [true, 'yes', 'Off', 'TRUE', 'n', '1']],
    ['a flag', flag, [true, 0, 1, ...templates, 'yes', 'Off', 'TRUE', 'n', '1']],
    ['a whole number', wholeNumber, [0, 1, 2, ...templates, '1', '2', '-3', '+4', ' 5 ']],
    ['a number', number, [0, 1, 2, 1.5, ...templates, '1', '2', '-3', '+4', ' 5 ', '1.5', '.5', '5.']],
    ['a text', anyText, VALUES.filter((value) => typeof value === 'string' || typeof value === 'number')],
    ['nothing or a template', orNothing(template), [null, ...templates]],
    ['names', oneOrMore(variableName), ['x', 'yes', 'Off', 'TRUE', 'tRUE', 'n', 'a_b', '_a', ['x']]],
    ['a list of names', listSchema(variableName), [['x']]],
  ] as const)
    it(`accepts ${name}`, () => {
      expect(accepted(schema, VALUES)).to.deep.equal(expected);
    });

  it('is a definition elsewhere', () => {
    expect(reference('step')).to.deep.equal({ $ref: '#/definitions/step' });
  });
});

describe('the schema of an argument that is written as text', () => {
  const TEXTS = [
    '{{ a }}',
    'true',
    'YES',
    ' off ',
    'maybe',
    '12',
    ' -3 ',
    '123',
    '1234',
    '1.5',
    '5.',
    'a',
    ' {"a": 1}',
    '["a"]',
    '1, 2',
    '1.5, -2',
    'a, b',
    '{x',
    '',
  ];
  for (const [type, limits, expected] of [
    ['boolean', {}, ['{{ a }}', 'true', 'YES', ' off ']],
    ['integer', {}, ['{{ a }}', '12', ' -3 ', '123', '1234']],
    ['integer', { digits: 3 }, ['{{ a }}', '12', ' -3 ', '123']],
    ['number', {}, ['{{ a }}', '12', ' -3 ', '123', '1234', '1.5']],
    ['object', {}, ['{{ a }}', ' {"a": 1}', '{x']],
    ['array', {}, ['{{ a }}', '["a"]']],
    ['array', { items: ['integer'] }, ['{{ a }}', '12', ' -3 ', '123', '1234', '["a"]', '1, 2']],
    ['array', { items: ['number'] }, ['{{ a }}', '12', ' -3 ', '123', '1234', '1.5', '["a"]', '1, 2', '1.5, -2']],
    [
      'array',
      { items: ['string', 'integer'] },
      TEXTS.filter((text) => text === '{{ a }}' || !/^\s*(?:\{|$)/.test(text)),
    ],
    ['array', { items: ['object'] }, ['{{ a }}', '["a"]']],
    ['string', {}, ['{{ a }}']],
  ] as const)
    it(`accepts ${type} ${JSON.stringify(limits)}`, () => {
      expect(accepted(textSchema(type, limits), TEXTS)).to.deep.equal(expected);
    });

  it('accepts words of truth in any case, and digits', () => {
    const words = ['y', 'T', 'on', 'oN', 'No', 'F', '0', '1', '2', 'yess'];
    expect(accepted(textSchema('boolean'), words)).to.deep.equal(words.slice(0, 8));
  });
});

describe('the schema of the keywords of a place', () => {
  it('has those keywords and no others, and loops by their full names where there are loops', () => {
    const task = constructSchema('task', { properties: { own: { type: 'string' } }, patternProperties: { '^x_': {} } });
    expect(task.additionalProperties).to.equal(false);
    expect(task.properties)
      .to.include.keys('own', 'when', 'loop', 'with_items')
      .and.not.include.keys('hosts', 'serial');
    const [loops = '', own] = Object.keys(task.patternProperties ?? {});
    expect(own).to.equal('^x_');
    const names = [
      'with_ansible.builtin.items',
      'with_ansible.legacy.dict',
      'with_items',
      'with_ansible.builtin.nothing',
    ];
    expect(names.filter((name) => new RegExp(loops).test(name))).to.deep.equal(names.slice(0, 2));
    const play = constructSchema('play');
    expect(play.properties).to.include.keys('hosts', 'serial').and.not.include.keys('loop');
    expect(play).to.not.have.property('patternProperties');
  });
});
