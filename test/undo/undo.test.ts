import { expect } from 'chai';
import type { Mapping, Value } from '../../src/core/model/values/value.js';
import { differingFields, type FieldNames } from '../../src/module/comparison/comparison.js';
import {
  changedSince,
  isAsBefore,
  looksSame,
  outermost,
  shownPart,
  withFields,
  type FieldValue,
} from '../../src/undo/undo.js';

const HIDDEN = '<sensitive>';

describe('the fields in which an object differs', () => {
  const fields = (before: Mapping, after: Mapping): readonly string[] =>
    differingFields(before, after, looksSame).map((path) => path.join('.'));

  it('are those of nested objects, and lists as a whole', () => {
    const before = {
      same: 1,
      mtu: 1500,
      gone: 'x',
      dns: { domain: 'a', deep: { a: 1, b: 2 } },
      servers: [1, { a: 1 }],
    };
    const after = {
      same: 1,
      mtu: 9000,
      dns: { domain: 'a', deep: { a: 1, b: 3 }, new: true },
      servers: [1, { a: 2 }],
      added: 0,
    };
    expect(fields(before, after)).to.deep.equal(['mtu', 'gone', 'dns.deep.b', 'dns.new', 'servers', 'added']);
  });

  it('are in the order of the object before, then in that of what is new, at any depth', () => {
    const [before, after] = [
      { gone: 1, mtu: 1 },
      { added: 1, mtu: 2 },
    ];
    expect(fields(before, after)).to.deep.equal(['gone', 'mtu', 'added']);
    expect(fields({ dns: before }, { dns: after })).to.deep.equal(['dns.gone', 'dns.mtu', 'dns.added']);
  });

  it('are not those that the controller sets, except inside of others', () => {
    expect(
      fields({ _last_modified: '1', url: 'a', uuid: '1' }, { _last_modified: '2', url: 'b', uuid: '2' }),
    ).to.deep.equal([]);
    expect(fields({ a: { url: 'x' } }, { a: { url: 'y' } })).to.deep.equal(['a.url']);
  });

  it('are compared by their names', () => {
    const names: string[] = [];
    differingFields({ a: 1, b: { c: 2 } }, { a: 1, b: { c: 2, d: 3 } }, (one, other, name) => {
      names.push(`${name} ${JSON.stringify([one ?? null, other ?? null])}`);
      return true;
    });
    expect(names).to.deep.equal(['a [1,1]', 'c [2,2]', 'd [null,3]']);
  });
});

describe('two values of a controller', () => {
  const pool = '/api/pool/pool-1';
  const cases: readonly (readonly [Value | undefined, Value | undefined, string, boolean, boolean])[] = [
    [1, 1, '', true, true],
    [1, 2, '', false, false],
    [undefined, null, '', true, true],
    [undefined, [], '', true, true],
    [null, '', '', false, false],
    [undefined, 0, '', false, false],
    [undefined, {}, '', false, false],
    [[1, 2], [1, 2], '', true, true],
    [[1, 2], [1], '', false, false],
    [[1], [1, 2], '', false, false],
    [[1, 2], [1, 3], '', false, false],
    [{ a: 1 }, { a: 1, b: null }, '', true, true],
    [{ a: 1 }, { a: 1, b: 2 }, '', false, false],
    [{ a: 1, b: 2 }, { a: 1 }, '', false, false],
    [`${pool}#web`, pool, 'pool_ref', true, true],
    [pool, `https://lb1${pool}#web`, 'pool_ref', true, true],
    [{ pool_ref: pool }, { pool_ref: `${pool}#web` }, '', true, true],
    [[pool], [`${pool}#web`], 'pool_refs', true, true],
    [pool, '/api/pool/pool-2#web', 'pool_ref', false, false],
    ['/api/pool/?name=web', `${pool}#web`, 'pool_ref', true, true],
    [`${pool}#web`, '/api/pool/?name=web', 'pool_ref', true, true],
    [['x'], 'x', '', false, false],
    ['x', ['x'], '', false, false],
    [{ a: 1 }, 1, '', false, false],
    [1, { a: 1 }, '', false, false],
    [{}, 1, '', false, false],
    [1, {}, '', false, false],
    [{}, [1], '', false, false],
    // What was hidden before may be anything; what is hidden only now is new.
    [HIDDEN, 'x', 'password', true, true],
    [HIDDEN, HIDDEN, 'password', true, true],
    ['x', HIDDEN, 'password', true, false],
    [undefined, HIDDEN, 'password', false, false],
    [HIDDEN, undefined, 'password', false, true],
    [{ a: { b: HIDDEN } }, { a: { b: 'x' } }, '', true, true],
    [{ a: { b: 'x' } }, { a: { b: HIDDEN } }, '', true, false],
    [['x'], [HIDDEN], '', true, false],
  ];
  for (const [one, other, name, same, asBefore] of cases)
    it(`${JSON.stringify([one, other])} in "${name}" are ${same ? 'the same' : 'different'}`, () => {
      expect([looksSame(one, other, name), isAsBefore(one, other, name)]).to.deep.equal([same, asBefore]);
    });

  it('are shown without what is hidden', () => {
    const parts = [undefined, HIDDEN, 1, { a: HIDDEN, b: 2 }].map(shownPart);
    expect(parts).to.deep.equal([undefined, undefined, 1, { b: 2 }]);
  });
});

describe('an object with other fields', () => {
  const object = { mtu: 1500, dns: { domain: 'a', keep: 1 }, list: [1] };
  const cases: readonly (readonly [string, readonly FieldValue[], Mapping])[] = [
    ['nothing', [], object],
    ['a value', [[['mtu'], 9000]], { ...object, mtu: 9000 }],
    ['null', [[['mtu'], null]], { ...object, mtu: null }],
    ['a field less', [[['mtu'], undefined]], { dns: object.dns, list: [1] }],
    ['a nested field', [[['dns', 'domain'], 'b']], { ...object, dns: { domain: 'b', keep: 1 } }],
    ['a nested field less', [[['dns', 'domain'], undefined]], { ...object, dns: { keep: 1 } }],
    [
      'two nested fields',
      [
        [['dns', 'domain'], undefined],
        [['dns', 'more'], 2],
      ],
      { ...object, dns: { keep: 1, more: 2 } },
    ],
    ['a new parent', [[['new', 'deep', 'x'], 1]], { ...object, new: { deep: { x: 1 } } }],
    ['no new parent to remove something from', [[['new', 'deep'], undefined]], object],
    [
      'a new parent for one of two',
      [
        [['new', 'a'], undefined],
        [['new', 'b'], 1],
      ],
      { ...object, new: { b: 1 } },
    ],
    ['a mapping in place of a value', [[['mtu', 'x'], 1]], { ...object, mtu: { x: 1 } }],
    ['a value that nothing is removed from', [[['mtu', 'x'], undefined]], object],
    [
      'a whole value rather than its parts',
      [
        [['dns', 'domain'], 'b'],
        [['dns'], { whole: true }],
      ],
      { ...object, dns: { whole: true } },
    ],
  ];
  for (const [what, fields, expected] of cases)
    it(`gets ${what}`, () => {
      expect(withFields(object, fields)).to.deep.equal(expected);
      expect(object).to.deep.equal({ mtu: 1500, dns: { domain: 'a', keep: 1 }, list: [1] });
    });

  it('may have a field of any name', () => {
    const made = withFields(JSON.parse('{"a": 1}') as Mapping, [[['__proto__'], { b: 2 }]]);
    expect(Object.entries(made)).to.deep.equal([
      ['a', 1],
      ['__proto__', { b: 2 }],
    ]);
  });
});

describe('the outermost of some paths', () => {
  const cases: readonly (readonly [readonly FieldNames[], readonly FieldNames[]])[] = [
    [[], []],
    [[['a'], ['a']], [['a']]],
    [[['a', 'b'], ['a']], [['a']]],
    [
      [['a'], ['a', 'b', 'c'], ['b', 'a']],
      [['a'], ['b', 'a']],
    ],
    [
      [['a', 'b'], ['a', 'c'], ['ab']],
      [['a', 'b'], ['a', 'c'], ['ab']],
    ],
  ];
  for (const [paths, expected] of cases)
    it(JSON.stringify(paths), () => {
      expect(outermost(paths)).to.deep.equal(expected);
    });
});

describe('what was changed since a run', () => {
  it('is compared with the nearest state that it may have left', () => {
    const [sent, before] = [
      { object: { a: 1, b: 2, c: 3 }, whole: true },
      { object: { a: 0, b: 0, c: 0 }, whole: true },
    ];
    expect(changedSince([sent, before], { a: 0, b: 0, c: 3 })).to.deep.equal([['c']]);
    expect(changedSince([before, sent], { a: 1, b: 2, c: 0 })).to.deep.equal([['c']]);
    expect(changedSince([before, sent], { a: 1, b: 2, c: 3 })).to.deep.equal([]);
    expect(changedSince([], { a: 1 })).to.deep.equal([]);
  });

  it('is nothing that the controller added to what was sent, unless the whole object was seen', () => {
    const object = { a: 1, deep: { b: 2 } };
    const current = { a: 1, deep: { b: 2, filled: true }, filled: true };
    expect(changedSince([{ object, whole: false }], current)).to.deep.equal([]);
    expect(changedSince([{ object, whole: false }], { ...current, deep: { b: 3 } })).to.deep.equal([['deep', 'b']]);
    expect(changedSince([{ object, whole: true }], current)).to.deep.equal([['deep', 'filled'], ['filled']]);
  });

  it('is named in the order that the run left it in, then what is new', () => {
    for (const whole of [true, false])
      expect(changedSince([{ object: { a: 1, b: 2 }, whole }], { b: 3, c: 1, a: 0 })).to.deep.equal(
        whole ? [['a'], ['b'], ['c']] : [['a'], ['b']],
      );
  });

  it('is not a reference that was sent by the name that the controller shows', () => {
    const [sent, shown] = [{ pool_ref: '/api/pool/?name=web' }, { pool_ref: '/api/pool/pool-1#web' }];
    expect(changedSince([{ object: sent, whole: false }], shown)).to.deep.equal([]);
    expect(changedSince([{ object: shown, whole: false }], sent)).to.deep.equal([['pool_ref']]);
  });
});
