import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import {
  coerce,
  parseStructure,
  takesScalars,
  whyNoStructure,
  withoutNulls,
} from '../../../src/module/arguments/coercion.js';
import type { Schema } from '../../../src/module/schema.js';

const DEEP = '['.repeat(2000);
const [TEXTS, NUMBERS, ANYTHING]: readonly Schema[] = [
  { type: 'array', items: { type: 'string' } },
  { type: 'array', items: { type: 'number' } },
  { type: 'array', items: {} },
];
const PROSE: Schema = { type: ['string', 'array'], prose: true };

describe('converting values to declared types', () => {
  for (const [what, schema, value, written, rendered] of [
    ['a fraction in a list of texts', TEXTS, [1.5, 2], [1.5, '2'], ['1.5', '2']],
    ['a fraction in a list in a text', TEXTS, '[1.5, 2]', [1.5, '2'], ['1.5', '2']],
    ['a fraction in place of a list', TEXTS, 1.5, 1.5, 1.5],
    ['a whole number in place of a list', TEXTS, 7, ['7'], ['7']],
    ['numbers and others between commas', NUMBERS, '1,x', '1,x', '1,x'],
    ['numbers between commas', NUMBERS, '1, 2.5', [1, 2.5], [1, 2.5]],
    ['text where elements may be anything', ANYTHING, '1,2', '1,2', '1,2'],
    ['text where no elements are declared', { type: 'array' }, 'a,b', 'a,b', 'a,b'],
    ['braces in a list', TEXTS, 'a,{{ b }}', 'a,{{ b }}', ['a', '{{ b }}']],
    ['a mapping where a list is declared', TEXTS, '{"a": 1}', '{"a": 1}', '{"a": 1}'],
    ['a list where a mapping is declared', { type: 'object' }, '[1]', '[1]', '[1]'],
    ['anything where anything is declared', {}, ' 7', ' 7', ' 7'],
    ['null as prose', PROSE, null, null, null],
    ['a list as prose', PROSE, [1], [1], [1]],
    ['a mapping as prose', PROSE, { a: 1 }, '{"a":1}', '{"a":1}'],
    ['prose that is no text', { type: 'integer', prose: true }, true, true, true],
    ['both flags as prose', { type: 'array', items: PROSE }, [true, false], ['True', 'False'], ['True', 'False']],
  ] as readonly (readonly [string, Schema, Value, Value, Value])[])
    it(`of ${what}`, () => {
      expect(coerce(schema, value)).to.deep.equal(written);
      expect(coerce(schema, value, true)).to.deep.equal(rendered);
    });

  it('keeps what needs no change', () => {
    const schema: Schema = { type: 'object', properties: { list: TEXTS ?? {}, other: { type: 'string' } } };
    const [unchanged, changed] = [
      { list: ['a'], more: 1 },
      { list: ['a', 5], other: 'x' },
    ];
    expect(coerce(schema, unchanged)).to.equal(unchanged);
    expect(coerce(schema, unchanged)).to.have.property('list', unchanged.list);
    expect(coerce(schema, changed)).to.deep.equal({ list: ['a', '5'], other: 'x' });
  });

  it('takes a single text or number for lists of texts or numbers', () => {
    const element = (type: string): Schema => ({ type: 'array', items: { type } });
    expect(
      ['string', 'integer', 'number', 'boolean', 'object'].map((type) => takesScalars(element(type))),
    ).to.deep.equal([true, true, true, false, false]);
    expect(takesScalars({ type: 'array' })).to.equal(false);
  });
});

describe('structures in a text', () => {
  const LARGE = `{"a": [1, ${'9'.repeat(400)}.5]}`;
  it('are read if they are valid, near and exact', () => {
    expect([parseStructure('{"a": 1}'), parseStructure("{'a': True}")]).to.deep.equal([{ a: 1 }, { a: true }]);
    expect([parseStructure(DEEP), parseStructure(LARGE), parseStructure('{a')]).to.deep.equal(
      Array.from({ length: 3 }),
    );
  });

  for (const [what, schema, text, why] of [
    ['a text', TEXTS, 'a', undefined],
    ['a text may have braces', { type: 'string' }, '{a', undefined],
    ['a text or a mapping may have braces', { type: ['string', 'object'] }, '{a', undefined],
    ['a number', { type: 'integer' }, '{a', undefined],
    ['a list', TEXTS, ' [a', 'the text is not valid JSON'],
    ['a mapping', { type: 'object' }, '{a', 'the text is not valid JSON'],
    ['a deep list', TEXTS, DEEP, 'this is nested more than 300 levels deep'],
    ['a large number', { type: 'object' }, LARGE, 'the number at "a[1]" is too large'],
    ['a valid mapping', { type: 'array' }, '{}', undefined],
  ] as readonly (readonly [string, Schema, string, string | undefined])[])
    it(`that cannot be read are explained: ${what}`, () => {
      expect(whyNoStructure(schema, text)).to.equal(why);
    });
});

describe('arguments that are null', () => {
  const schema: Schema = {
    type: 'object',
    required: ['must', 'filled'],
    properties: {
      must: { type: 'string' },
      filled: { type: 'string', default: 'x' },
      may: { type: 'string' },
      anything: {},
      nullable: { type: ['string', 'null'] },
      field: { type: 'object', field: true, properties: { inner: { type: 'string' } } },
      below: { type: 'object', properties: { may: { type: 'string' }, field: { type: 'string', field: true } } },
      items: { type: 'array', items: { type: 'object', properties: { may: { type: 'string' } } } },
      bare: { type: 'array' },
    },
  };
  const nulls = {
    must: null,
    filled: null,
    may: null,
    anything: null,
    nullable: null,
    undeclared: null,
    below: { may: null, field: null, x: null },
    items: [{ may: null, x: null }, null],
    bare: [null],
  };
  const kept = {
    must: null,
    anything: null,
    nullable: null,
    undeclared: null,
    items: [{ x: null }, null],
    bare: [null],
  };

  it('are missing where they may be, and in fields if they are wanted so', () => {
    expect(withoutNulls(schema, { ...nulls, field: null }, 'kept')).to.deep.equal({
      ...kept,
      field: null,
      below: { field: null, x: null },
    });
    expect(withoutNulls(schema, { ...nulls, field: null }, 'left out')).to.deep.equal({ ...kept, below: { x: null } });
    expect(withoutNulls(schema, { field: { inner: null } }, 'kept')).to.deep.equal({ field: { inner: null } });
    expect(withoutNulls(schema, { field: { inner: null } }, 'left out')).to.deep.equal({ field: {} });
  });

  it('stay where nothing is declared', () => {
    expect(withoutNulls({ type: 'object' }, { a: null }, 'left out')).to.deep.equal({ a: null });
    expect([withoutNulls({}, [null], 'kept'), withoutNulls(schema, 'text', 'kept')]).to.deep.equal([[null], 'text']);
  });
});
