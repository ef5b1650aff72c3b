import { expect } from 'chai';
import * as Type from 'typebox';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import { defineAction } from '../../../src/module/contract.js';
import { isTemplate, property, schemaAt, schemaChoices, schemaTypes, type Schema } from '../../../src/module/schema.js';

const many = (count: number): Type.TSchema =>
  Type.Unsafe<string>({ enum: Array.from({ length: count }, (_, at) => `C${at}`) });
const optional = (schema: Type.TSchema): Type.TOptional => Type.Optional(schema);

const knock = defineAction({
  name: 'knock',
  summary: '',
  args: Type.Object(
    {
      times: optional(Type.Integer({ minimum: 1, maximum: 9 })),
      strength: optional(Type.Number({ minimum: 1, expects: 'a strength' })),
      code: optional(Type.Integer({ secret: true })),
      pass_code: optional(Type.Integer()),
      sets: optional(Type.Array(Type.Object({ token: Type.Integer() }))),
      doors: optional(
        Type.Array(
          Type.Object({ door: Type.String(), side: optional(Type.String()) }, { additionalProperties: false }),
        ),
      ),
      empty: optional(Type.Object({}, { additionalProperties: false })),
      names: optional(Type.Unsafe({ type: 'object', propertyNames: { pattern: '^[a-z]+$' } })),
      inner: optional(Type.Object({ rules: optional(Type.Unsafe({ type: 'object', minProperties: 2 })) })),
      exact: optional(many(40)),
      long: optional(many(41)),
      lone: optional(Type.Literal('x')),
      nothing: optional(Type.Null()),
      text: optional(Type.String()),
      list: optional(Type.Array(Type.Integer())),
      'a/b': optional(Type.Object({ 'c~d': Type.Integer() })),
      by: optional(Type.Unsafe({ type: 'object', expects: 'rules', minProperties: 1 })),
    },
    { additionalProperties: false },
  ),
  examples: [],
  check: true,
  run: () => Promise.resolve({ status: 'ok' as const }),
});

describe('what is said of wrong arguments', () => {
  const listed = (count: number): string => Array.from({ length: count }, (_, at) => `"C${at}"`).join(', ');
  for (const [args, problem] of [
    [{ times: 0 }, { path: ['times'], message: '"times" must be >= 1, not 0' }],
    [{ times: 10 }, { path: ['times'], message: '"times" must be <= 9, not 10' }],
    [{ strength: 0.5 }, { path: ['strength'], message: '"strength" must be >= 1, not 0.5' }],
    [{ code: 'abc' }, { path: ['code'], message: '"code" must be an integer, not a string' }],
    [{ code: '' }, { path: ['code'], message: '"code" must be an integer, not ""' }],
    [{ code: true }, { path: ['code'], message: '"code" must be an integer, not true or false' }],
    [
      { sets: [{ token: 'abc' }] },
      { path: ['sets', 0, 'token'], message: '"sets[0].token" must be an integer, not a string' },
    ],
    [{ times: 'abc' }, { path: ['times'], message: '"times" must be an integer, not "abc"' }],
    [
      { doors: [{ door: 'a' }, { dor: 'b' }] },
      { path: ['doors', 1], message: '"doors[1]" needs "door"', hint: 'did you mean "door" instead of "dor"?' },
    ],
    [
      { doors: [{ door: 'a', side: 'x', sid: 'y' }] },
      {
        path: ['doors', 0, 'sid'],
        message: '"doors[0].sid" is not an argument of knock',
        hint: 'did you mean "side"?',
      },
    ],
    [
      { doors: [{}] },
      {
        path: ['doors', 0],
        message: '"doors[0]" needs "door"',
        hint: 'write its arguments below the module, indented further',
      },
    ],
    [
      { doors: [{ door: 'a', unlike_any: 1 }] },
      {
        path: ['doors', 0, 'unlike_any'],
        message: '"doors[0].unlike_any" is not an argument of knock',
        hint: 'it takes door, side',
      },
    ],
    [
      { empty: { a: 1 } },
      { path: ['empty', 'a'], message: '"empty.a" is not an argument of knock', hint: 'it takes none' },
    ],
    [{ names: { 'A B': 1 } }, { path: ['names', 'A B'], message: '"A B" is not a valid name here' }],
    [{ inner: { rules: { a: 1 } } }, { path: ['inner', 'rules'], message: '"inner.rules" needs at least 2 arguments' }],
    [{ exact: 'unlike' }, { path: ['exact'], message: `"exact" must be ${listed(39)} or "C39", not "unlike"` }],
    [
      { long: 'unlike' },
      { path: ['long'], message: `"long" must be ${listed(5)} or one of 36 other values, not "unlike"` },
    ],
    [{ lone: 'unlike' }, { path: ['lone'], message: '"lone" must be "x", not "unlike"' }],
    [{ nothing: 5 }, { path: ['nothing'], message: '"nothing" must be null, not 5' }],
    [{ text: { a: 1 } }, { path: ['text'], message: '"text" must be a string, not a mapping' }],
    [{ list: ['x'] }, { path: ['list', 0], message: '"list[0]" must be an integer, not "x"' }],
    [
      { list: '[1, x' },
      { path: ['list'], message: '"list" must be a list, not "[1, x"', hint: 'the text is not valid JSON' },
    ],
    [{ 'a/b': { 'c~d': 'x' } }, { path: ['a/b', 'c~d'], message: '"a/b.c~d" must be an integer, not "x"' }],
    [{ by: {} }, { path: ['by'], message: '"by" needs at least 1 argument' }],
    [{ times: 'y'.repeat(58) }, { path: ['times'], message: `"times" must be an integer, not "${'y'.repeat(58)}"` }],
    [{ times: 'y'.repeat(59) }, { path: ['times'], message: `"times" must be an integer, not "${'y'.repeat(56)}…"` }],
  ] as readonly (readonly [Mapping, unknown])[])
    it(JSON.stringify(args).slice(0, 80), () => {
      const checked = validateArguments(knock, args, 'rendered');
      const [first] = 'problems' in checked ? checked.problems : [];
      expect(JSON.parse(JSON.stringify(first ?? null))).to.deep.equal(problem);
    });

  it('is the same for the same mistake twice, and all are reported', () => {
    const checked = validateArguments(knock, { times: 0, list: ['x', 'y'], doors: [1, { door: true }] }, 'rendered');
    expect('problems' in checked && checked.problems.map(({ message }) => message)).to.deep.equal([
      '"times" must be >= 1, not 0',
      '"doors[0]" must be a mapping, not 1',
      '"doors[1].door" must be a string, not true',
      '"list[0]" must be an integer, not "x"',
      '"list[1]" must be an integer, not "y"',
    ]);
  });
});

describe('schemas', () => {
  const pattern: Schema = { patternProperties: { '^x': { type: 'string' }, y$: { type: 'integer' } } };
  it('allow types, of alternatives and of values, each once', () => {
    const string: Schema = { type: 'string' };
    expect([
      schemaTypes({}),
      schemaTypes({ anyOf: [string, { type: ['string', 'null'] }, {}] }),
      schemaTypes({ enum: ['a', 'b', 1] }),
      schemaTypes({ const: 5 }),
    ]).to.deep.equal([[], ['string', 'null'], ['string', 'number'], ['number']]);
  });

  it('list values, if all alternatives do', () => {
    const [one, two]: readonly Schema[] = [{ const: 'a' }, { enum: ['b', 'c'] }];
    expect(schemaChoices({ anyOf: [one ?? {}, two ?? {}] })).to.deep.equal(['a', 'b', 'c']);
    expect([schemaChoices({ anyOf: [one ?? {}, { type: 'string' }] }), schemaChoices({})]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('have a schema at each place', () => {
    const schema: Schema = { properties: { list: { items: { properties: { x: { type: 'string' } } } }, pattern } };
    expect(schemaAt(schema, [])).to.equal(schema);
    expect(schemaAt(schema, ['list', 3, 'x'])).to.deep.equal({ type: 'string' });
    expect(schemaAt(schema, ['pattern', 'xy'])).to.deep.equal({ type: 'string' });
    expect(schemaAt(schema, ['pattern', 'ay'])).to.deep.equal({ type: 'integer' });
    expect([schemaAt(schema, ['list', 'x', 'y']), schemaAt(schema, ['list', 3, 'y'])]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect([property(pattern, 'a'), property({ properties: {} }, 'constructor')]).to.deep.equal([undefined, undefined]);
  });

  it('are no matter of templates', () => {
    const texts = ['{{ x }}', 'a {% if b %}', '{%- if b %}', '{%+ if b %}', '{%x', '{% 5', '{ {', 5];
    expect(texts.map(isTemplate)).to.deep.equal([true, true, true, true, true, false, false, false]);
  });
});
