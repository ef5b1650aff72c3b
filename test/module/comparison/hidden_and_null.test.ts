import { expect } from 'chai';
import { HIDDEN, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import type { Field, Structure } from '../../../src/kinds/kind_data.js';
import {
  declaresHidden,
  hiddenFields,
  hiddenIn,
  matches,
  withKeptHidden,
  withNullsAsShown,
  withoutDeclaredNulls,
  withoutHidden,
} from '../../../src/module/comparison/comparison.js';

function structure(...fields: readonly Partial<Field>[]): Structure {
  const whole = fields.map((one): Field => ({ name: '', type: 'any', list: false, structure: undefined, ...one }));
  return { name: 'S', fields: new Map(whole.map((one) => [one.name, one])), required: [], key: [] };
}

describe('placeholders of secrets', () => {
  const both: Mapping = { a: HIDDEN, b: 1, c: { d: HIDDEN, e: [HIDDEN, 'x', { f: HIDDEN, g: 2 }] }, h: { i: 3 } };

  it('are left out of what is written, wherever they are', () => {
    expect(withoutHidden(both)).to.deep.equal({ b: 1, c: { e: ['x', { g: 2 }] }, h: { i: 3 } });
    const plain = { a: 1 };
    expect(withoutHidden(plain)).to.equal(plain);
  });

  it('are named by their paths', () => {
    expect(hiddenIn(both)).to.deep.equal(['a', 'c.d', 'c.e[0]', 'c.e[2].f']);
    expect(hiddenIn(HIDDEN, ['x', 0])).to.deep.equal(['x[0]']);
    expect(hiddenIn({ a: 1 })).to.deep.equal([]);
  });

  it('are kept where the object has them, but not in elements that change or move', () => {
    const before: Mapping = { a: HIDDEN, c: { d: 'open', e: [HIDDEN] }, list: [{ f: HIDDEN }] };
    expect(withKeptHidden({ a: HIDDEN, x: HIDDEN, b: 1, c: { d: HIDDEN, e: [HIDDEN] } }, before)).to.deep.equal({
      a: HIDDEN,
      b: 1,
      c: { e: [HIDDEN] },
    });
    expect(withKeptHidden({ list: [{ f: HIDDEN }, { g: 1 }], c: { e: [HIDDEN, 'x'] } }, before)).to.deep.equal({
      list: [{ f: HIDDEN }, { g: 1 }],
      c: { e: [HIDDEN, 'x'] },
    });
    expect(withKeptHidden({ list: [{ g: 1 }, { f: HIDDEN }], c: { e: ['x', HIDDEN] } }, before)).to.deep.equal({
      list: [{ g: 1 }, {}],
      c: { e: ['x'] },
    });
    expect(withKeptHidden({ list: [{ f: HIDDEN, g: 1 }] }, before)).to.deep.equal({ list: [{ g: 1 }] });
    expect(withKeptHidden({ list: [{ f: HIDDEN }], new: { x: HIDDEN, y: 1 } }, before)).to.deep.equal({
      list: [{ f: HIDDEN }],
      new: { y: 1 },
    });
  });

  it('are not kept in an element that may be another which looks the same', () => {
    const [one, other] = [{ f: HIDDEN }, { f: HIDDEN, g: 1 }];
    const kept = (list: Value, ...before: readonly Value[]) => withKeptHidden({ list }, { list: before })['list'];
    expect(kept([one, other], one, one, other)).to.deep.equal([{}, { g: 1 }]);
    expect(kept([{ g: 2 }, one, one], one, one)).to.deep.equal([{ g: 2 }, {}, {}]);
    expect(kept([one], one, other)).to.deep.equal([one]);
    // In a list that only grows or changes, each is in its place.
    expect(kept([one, one, { g: 2 }], one, one)).to.deep.equal([one, one, { g: 2 }]);
    expect(kept([one, one, { g: 2 }], one, one, other)).to.deep.equal([one, one, { g: 2 }]);
  });

  const cases: readonly [declared: Value, actual: Value | undefined, fields: readonly (readonly [string, Value])[]][] =
    [
      ['x', HIDDEN, [['', 'x']]],
      [null, HIDDEN, []],
      ['x', 'x', []],
      [{ a: 'x', b: 'y', c: null }, { a: HIDDEN, b: 'z', c: HIDDEN }, [['a', 'x']]],
      [
        { a: [{ k: 1 }, { k: 2 }], b: 'x' },
        { a: [{ k: 1 }, { k: HIDDEN }], b: HIDDEN },
        [
          ['a[1].k', 2],
          ['b', 'x'],
        ],
      ],
      [['a', 'b'], [HIDDEN], [['[0]', 'a']]],
      [['a'], { a: HIDDEN }, []],
      [{ a: 'x' }, undefined, []],
      [{ a: 'x' }, ['y', HIDDEN], []],
      ['x', { a: HIDDEN }, []],
    ];
  for (const [declared, actual, fields] of cases)
    it(`hide of ${JSON.stringify(declared)} in ${JSON.stringify(actual)} ${fields.length} values`, () => {
      expect(hiddenFields(declared, actual)).to.deep.equal(fields);
      expect(declaresHidden(declared, actual)).to.equal(fields.length > 0);
    });
});

describe('declared nulls', () => {
  const find = (): Structure =>
    structure(
      { name: 'mtu', default: 1500 },
      { name: 'list', list: true },
      { name: 'inner', structure: structure({ name: 'on', default: true }, { name: 'size' }) },
      { name: 'flags', list: true, default: true },
      { name: 'many', list: true, default: 7, structure: structure({ name: 'n', default: 5 }) },
    );
  const cases: readonly [declared: Mapping, shown: Mapping, asShown: Mapping][] = [
    [{ mtu: null }, { mtu: 1500 }, { mtu: 1500 }],
    [{ mtu: null }, { mtu: 0 }, { mtu: null }],
    [{ mtu: null }, {}, { mtu: null }],
    [
      { other: null, two: null },
      { other: 0, two: 1 },
      { other: 0, two: null },
    ],
    [
      { a: null, b: null, c: null },
      { a: '', b: false, c: null },
      { a: '', b: false, c: null },
    ],
    [
      { list: null, many: null },
      { list: [], many: [1] },
      { list: [], many: null },
    ],
    [{ flags: null }, { flags: true }, { flags: null }],
    [{ flags: null }, { flags: false }, { flags: false }],
    [{ inner: { on: null } }, { inner: 5 }, { inner: { on: null } }],
    [{ list: [1, null] }, { list: [2, 0] }, { list: [1, 0] }],
    [{ inner: null }, { inner: { on: true, size: 0 } }, { inner: { on: true, size: 0 } }],
    [{ inner: null }, { inner: { on: true, size: 1 } }, { inner: null }],
    [{ inner: null }, { inner: { on: false, size: 0 } }, { inner: null }],
    [{ inner: { on: null, size: null } }, { inner: { on: true, size: 3 } }, { inner: { on: true, size: null } }],
    [{ many: [{ n: null }, { n: null }] }, { many: [{ n: 5 }, { n: 6 }] }, { many: [{ n: 5 }, { n: null }] }],
    [{ many: [{ n: null }] }, { many: 5 }, { many: [{ n: null }] }],
    [
      { tenant_ref: null, cloud_ref: null, x: null, y: 1 },
      { tenant_ref: 'a', x: 0, y: 2 },
      { x: 0, y: 1 },
    ],
    [{ tenant_ref: 'a', mtu: 1 }, { mtu: 1500 }, { tenant_ref: 'a', mtu: 1 }],
  ];
  for (const [declared, shown, asShown] of cases)
    it(`of ${JSON.stringify(declared)} are compared with ${JSON.stringify(shown)}`, () => {
      expect(withNullsAsShown(declared, shown, find)).to.deep.equal(asShown);
    });

  it('are what an unknown structure leaves empty', () => {
    expect(withNullsAsShown({ mtu: null, x: null }, { mtu: 1500, x: '' }, undefined)).to.deep.equal({
      mtu: null,
      x: '',
    });
  });

  it('are left out of what is written', () => {
    const merged = { a: 1, b: 2, c: { d: 3, e: 4 }, f: [{ g: 5, h: 6 }, { g: 7 }], i: [1] };
    const declared = { a: null, c: { d: null }, f: [{ g: null }], i: 5 };
    expect(withoutDeclaredNulls(merged, declared, find)).to.deep.equal({
      b: 2,
      c: { e: 4 },
      f: [{ h: 6 }, { g: 7 }],
      i: [1],
    });
    expect(withoutDeclaredNulls(merged, { a: 1 }, find)).to.equal(merged);
    const mixed = { a: [{ b: 1 }], c: { d: 1 }, e: 5 };
    const others = { a: { b: null }, c: [{ d: null }], e: { f: null } };
    expect(withoutDeclaredNulls(mixed, others, find)).to.deep.equal(mixed);
  });
});

describe('references', () => {
  const cases: readonly [declared: string, actual: string, same: boolean][] = [
    ['/api/pool/1', 'https://lb1:8443/api/pool/1#web', true],
    ['https://lb1/base/api/pool/1', '/api/pool/1', true],
    ['/api/pool/1', '/api/pool/2', false],
    ['/api/pool/1', '/api/poolgroup/1', false],
    ['/api/pool/?name=a+b', '/api/pool/1#a b', true],
    ['/api/pool/?cloud=x&name=a%20b', '/api/pool/1#a b', false],
    ['/api/pool/?name=a%20b', '/api/poolgroup/1#a b', false],
    ['/api/pool/?name=a&tenant=blue', '/api/pool/1#a', false],
    ['/api/pool/?tenant=blue&name=a', '/api/pool/1#a', false],
    ['/api/pool/?tenant=blue&name=a', '/api/pool/1#b', false],
    ['/api/pool/?name=a%2Bb', '/api/pool/1#a+b', true],
    ['/api/pool/?name=a b', '/api/pool/1#a+b', false],
    ['/api/pool/?name=a%2520b', '/api/pool/1#a%20b', true],
    ['/api/pool/?name=a%20b', '/api/pool/1#a%20b', false],
    ['/api/pool/?name=a', '/api/pool/1', false],
    ['/api/pool/?name=a', '/api/pool/1#b', false],
    ['/api/pool/?cloud=x', '/api/pool/1#x', false],
    ['web', 'web#x', true],
  ];
  for (const [declared, actual, same] of cases)
    it(`${declared} ${same ? 'is' : 'is not'} ${actual}`, () => {
      expect(
        matches({ pool_ref: declared, pool_refs: [declared] }, { pool_ref: actual, pool_refs: [actual] }),
      ).to.equal(same);
      expect(matches({ name: declared }, { name: actual })).to.equal(false);
    });

  it('are compared as whole numbers are, whatever their size', () => {
    expect([matches(5, 5n), matches(5n, 5), matches(5, 6n), matches(5n, '5'), matches(true, 1)]).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
