import { expect } from 'chai';
import * as Type from 'typebox';
import {
  isNullMissing,
  isTemplate,
  itemSchema,
  optionalRecord,
  property,
  recordSchema,
  schemaAt,
  schemaChoices,
  schemaTypes,
  type Schema,
} from '../../src/module/schema.js';

const TEXT: Schema = { type: 'string' };
const NUMBER: Schema = { type: 'integer' };

describe('The types of a schema', () => {
  const rows: readonly (readonly [schema: Schema, types: readonly string[]])[] = [
    [{}, []],
    [TEXT, ['string']],
    [{ type: ['string', 'null'] }, ['string', 'null']],
    [{ anyOf: [TEXT, NUMBER, TEXT] }, ['string', 'integer']],
    [{ anyOf: [TEXT, { anyOf: [NUMBER] }] }, ['string', 'integer']],
    [{ type: 'string', anyOf: [NUMBER] }, ['string']],
    [{ enum: ['a', 1, 'b'] }, ['string', 'number']],
    [{ const: true }, ['boolean']],
    [{ const: false }, ['boolean']],
    [{ anyOf: [{ const: 'a' }, { const: 1 }] }, ['string', 'number']],
    [{ description: 'any' }, []],
  ];
  for (const [schema, types] of rows)
    it(`are ${types.join(', ')}: ${JSON.stringify(schema)}`, () => {
      expect(schemaTypes(schema)).to.deep.equal(types);
      expect(schemaTypes(schema)).to.equal(schemaTypes(schema));
    });
});

describe('The choices of a schema', () => {
  const rows: readonly (readonly [schema: Schema, choices: readonly unknown[] | undefined])[] = [
    [{}, undefined],
    [TEXT, undefined],
    [{ enum: ['a', 'b'] }, ['a', 'b']],
    [{ enum: [] }, []],
    [{ const: 'a' }, ['a']],
    [{ const: false }, [false]],
    [{ anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] }, ['a', 'b', 'c']],
    [{ anyOf: [{ const: 'a' }, TEXT] }, undefined],
    [{ anyOf: [TEXT, { const: 'a' }] }, undefined],
    [{ enum: ['a'], anyOf: [{ const: 'b' }] }, ['a']],
  ];
  for (const [schema, choices] of rows)
    it(JSON.stringify(schema), () => expect(schemaChoices(schema)).to.deep.equal(choices));
});

describe('Null as an argument', () => {
  const schema: Schema = {
    required: ['needed', 'usual'],
    properties: {
      needed: TEXT,
      usual: { ...TEXT, default: 'a' },
      empty: { ...TEXT, default: null },
      free: TEXT,
      any: {},
      nullable: { type: ['string', 'null'] },
      either: { anyOf: [TEXT, { type: 'null' }] },
    },
  };
  const rows: readonly (readonly [name: string, is: boolean])[] = [
    ['needed', false],
    ['usual', true],
    ['empty', true],
    ['free', true],
    ['any', false],
    ['nullable', false],
    ['either', false],
    ['unknown', false],
  ];
  for (const [name, is] of rows)
    it(`${is ? 'is a missing' : 'is no missing'} "${name}"`, () => expect(isNullMissing(schema, name)).to.equal(is));

  it('is a missing one where nothing is required', () => {
    expect(isNullMissing({ properties: { a: TEXT } }, 'a')).to.equal(true);
  });
});

describe('The schema inside of another', () => {
  const schema: Schema = {
    properties: { a: { items: { properties: { b: TEXT } } }, constructor: NUMBER },
    patternProperties: { '^x_': TEXT, '^x': NUMBER },
  };

  it('is found by a path', () => {
    expect(schemaAt(schema, [])).to.equal(schema);
    expect(schemaAt(schema, ['a', 3, 'b'])).to.equal(TEXT);
    expect(schemaAt(schema, ['a', 'b'])).to.equal(undefined);
    expect(schemaAt(schema, [0])).to.equal(undefined);
    expect(schemaAt(schema, ['a', 0, 'c'])).to.equal(undefined);
    expect(schemaAt(schema, ['a', 0, 'b', 'c'])).to.equal(undefined);
    expect(schemaAt(schema, ['x_1'])).to.equal(TEXT);
  });

  it('is found by a name, else by the first pattern', () => {
    expect(property(schema, 'constructor')).to.equal(NUMBER);
    expect(property({ properties: {} }, 'constructor')).to.equal(undefined);
    expect(property({}, 'a')).to.equal(undefined);
    expect(property(schema, 'x_1')).to.equal(TEXT);
    expect(property(schema, 'x1')).to.equal(NUMBER);
    expect(property(schema, 'y')).to.equal(undefined);
    expect(property({ properties: { x_1: NUMBER }, patternProperties: { '^x_': TEXT } }, 'x_1')).to.equal(NUMBER);
  });

  it('is that of the elements of a list', () => {
    expect(itemSchema({ items: TEXT })).to.equal(TEXT);
    expect(itemSchema({ anyOf: [NUMBER, { items: TEXT }, { items: NUMBER }] })).to.equal(TEXT);
    expect(itemSchema({ items: TEXT, anyOf: [{ items: NUMBER }] })).to.equal(TEXT);
    expect(itemSchema({ anyOf: [NUMBER] })).to.equal(undefined);
    expect(itemSchema({})).to.equal(undefined);
  });
});

describe('A template', () => {
  for (const value of ['{{ a }}', 'x {{', '{% if', '{%- if', '{%+ IF', '{%if'])
    it(`is ${JSON.stringify(value)}`, () => expect(isTemplate(value)).to.equal(true));
  for (const value of ['a', '{ {', '{%', '{% 5', '{# a #}', '}}', '', 1, null, ['{{ a }}'], { a: '{{ a }}' }])
    it(`is not ${JSON.stringify(value)}`, () => expect(isTemplate(value)).to.equal(false));
});

describe('The schema of a mapping with any names', () => {
  it('is that of typebox', () => {
    expect(JSON.parse(JSON.stringify(recordSchema(Type.String(), { description: 'd' })))).to.deep.equal(
      JSON.parse(JSON.stringify(Type.Record(Type.String(), Type.String(), { description: 'd' }))),
    );
  });

  it('may be missing', () => {
    const { required } = Type.Object({ a: optionalRecord(Type.String(), 'd'), b: recordSchema(Type.String()) });
    expect(required).to.deep.equal(['b']);
    expect(optionalRecord(Type.String(), 'd')).to.include({ description: 'd', type: 'object' });
  });
});
