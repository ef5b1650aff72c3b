import { expect } from 'chai';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { isClearChange, maskChange, SECRET_CHANGED } from '../../../src/core/secrets/mask_change.js';
import { maskMapping } from '../../../src/core/secrets/mask_value.js';
import { MASK, Secrets } from '../../../src/core/secrets/secrets.js';

const OBJECT = 'pool web';

describe('a change with secrets', () => {
  let secrets: Secrets;
  beforeEach(() => {
    secrets = new Secrets();
    for (const secret of ['hunter22', 'hunter33']) secrets.add(secret);
  });

  it('of each kind is shown without them', () => {
    const object = 'pool hunter22';
    const [before, after] = [{ a: 'hunter22', password: 'x' }, { a: 'b' }];
    for (const [change, expected] of [
      [{ kind: 'none' }, { kind: 'none' }],
      [
        { kind: 'invoke', object },
        { kind: 'invoke', object: `pool ${MASK}` },
      ],
      [
        { kind: 'create', object, after: before },
        { kind: 'create', object: `pool ${MASK}`, after: { a: MASK, password: MASK } },
      ],
      [
        { kind: 'delete', object, before },
        { kind: 'delete', object: `pool ${MASK}`, before: { a: MASK, password: MASK } },
      ],
      [
        { kind: 'update', object, before: null, after: before },
        { kind: 'update', object: `pool ${MASK}`, before: null, after: { a: MASK, password: MASK } },
      ],
      [
        { kind: 'update', object, before, after },
        { kind: 'update', object: `pool ${MASK}`, before: { a: MASK, password: MASK }, after },
      ],
      [
        { kind: 'update', object: 'x', before: { a: 1, b: { c: 2 } }, after: { a: { d: 'hunter22' }, b: [3] } },
        { kind: 'update', object: 'x', before: { a: 1, b: { c: 2 } }, after: { a: { d: MASK }, b: [3] } },
      ],
    ] as unknown as readonly (readonly [Change, Change])[])
      expect(maskChange(change, secrets)).to.deep.equal(expected);
  });

  it('is itself if it has none', () => {
    for (const change of [
      { kind: 'none' },
      { kind: 'invoke', object: OBJECT, before: null, after: null },
      { kind: 'create', object: OBJECT, before: null, after: { a: 1 } },
      { kind: 'delete', object: OBJECT, before: { a: 1 }, after: null },
      { kind: 'update', object: OBJECT, before: null, after: { a: 1 } },
      { kind: 'update', object: OBJECT, before: { a: 1 }, after: { a: 2, b: [{ c: 'd' }] } },
    ] as unknown as readonly Change[]) {
      expect(isClearChange(change, secrets), change.kind).to.equal(true);
      expect(maskChange(change, secrets)).to.equal(change);
      expect(isClearChange(change, secrets), change.kind).to.equal(true);
    }
  });

  const update = (before: Mapping | null, after: Mapping): Change =>
    ({ kind: 'update', object: OBJECT, before, after }) as unknown as Change;
  const shown = (before: Mapping, after: Mapping): Value | undefined => {
    const masked = maskChange(update(before, after), secrets);
    return masked.kind === 'update' ? masked.after : undefined;
  };

  it('shows which of them change, at any depth', () => {
    const cases: readonly (readonly [before: Mapping, after: Mapping, expected: Mapping])[] = [
      [{ password: 'a' }, { password: 'b' }, { password: SECRET_CHANGED }],
      [{ password: 'a' }, { password: 'a' }, { password: MASK }],
      [{}, { password: 'b' }, { password: MASK }],
      [{ password: 5 }, { password: 6 }, { password: SECRET_CHANGED }],
      [{ password: 'a' }, { password: '' }, { password: '' }],
      [{ password: 'a' }, { password: '<sensitive>' }, { password: '<sensitive>' }],
      [{ password: 'a' }, { password: null }, { password: null }],
      [
        { a: { password: 'a', mtu: 1 }, b: { token: 'x' } },
        { a: { password: 'b', mtu: 2 }, b: { token: 'x' } },
        { a: { password: SECRET_CHANGED, mtu: 2 }, b: { token: MASK } },
      ],
      [
        { list: [{ token: 'a' }, { token: 'b' }] },
        { list: [{ token: 'a' }, { token: 'c' }, { token: 'd' }] },
        { list: [{ token: MASK }, { token: SECRET_CHANGED }, { token: MASK }] },
      ],
      [{ a: [1] }, { a: { password: 'x' } }, { a: { password: MASK } }],
      [{ a: { password: 'x' } }, { a: ['hunter22', 1] }, { a: [MASK, 1] }],
      [{ a: { 0: 'x' } }, { a: ['hunter22'] }, { a: [MASK] }],
      [{ a: 'hunter22 1' }, { a: 'hunter33 1' }, { a: `${SECRET_CHANGED} 1` }],
      [{ a: 'hunter22 1' }, { a: 'hunter33 2' }, { a: `${MASK} 2` }],
      [{ a: 'hunter22' }, { a: 'hunter22', b: 'hunter33' }, { a: MASK, b: MASK }],
      [{ a: 'plain' }, { a: 'hunter33' }, { a: MASK }],
      [{}, { hunter22: 'x', constructor: 'hunter33' }, { [MASK]: 'x', constructor: MASK }],
      [{ token: { a: 'x' } }, { token: { a: 'y', b: 'z' } }, { token: { a: SECRET_CHANGED, b: MASK } }],
    ];
    for (const [before, after, expected] of cases)
      expect(shown(before, after), JSON.stringify([before, after])).to.deep.equal(expected);
  });

  it('is shown as deeply as any value', () => {
    const nested = (levels: number, inner: Value): Value => {
      let value = inner;
      for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
      return value;
    };
    for (const levels of [97, 98, 99, 100, 101, 102, 103]) {
      const deep = { deep: nested(levels, { n: 'hunter22' }), also: nested(levels, 'hunter33') };
      const [before, after] = [{ ...deep, x: 'a' }, structuredClone({ ...deep, x: 'b' })];
      expect(shown(before, after), String(levels)).to.deep.equal(maskMapping(after, secrets));
      // A deeper value is shown as an ellipsis.
      if (levels > 99) continue;
      const other = { ...deep, also: nested(levels, 'hunter22') };
      expect(JSON.stringify(shown(other, after)), String(levels)).to.include(SECRET_CHANGED);
    }
  });

  it('is clear only if each part is', () => {
    const clear = (change: object): boolean => isClearChange(change as Change, secrets);
    const [plain, secret] = [{ a: 1 }, { a: 'hunter22' }];
    for (const [change, expected] of [
      [{ kind: 'invoke', object: 'hunter22' }, false],
      [{ kind: 'create', object: OBJECT, after: secret }, false],
      [{ kind: 'create', object: 'hunter22', after: plain }, false],
      [{ kind: 'delete', object: OBJECT, before: secret }, false],
      [{ kind: 'delete', object: 'hunter22', before: plain }, false],
      [update(null, secret), false],
      [update(secret, plain), false],
      [update(plain, secret), false],
      [update(plain, { a: 1, b: 'hunter33' }), false],
      [update(plain, { password: 'x' }), false],
      [update(plain, { password: '' }), true],
    ] as const)
      expect(clear(change), JSON.stringify(change)).to.equal(expected);
  });

  it('is judged by what was read where that is kept, unless its name means something else now', () => {
    const kept = { nested: ['x'] };
    expect(isClearChange(update({ name: 'mtu', value: kept }, { name: 'mtu', value: kept }), secrets)).to.equal(true);
    expect(isClearChange(update({ name: 'mtu', value: kept }, { name: 'password', value: kept }), secrets)).to.equal(
      false,
    );
    const unclear = { nested: ['hunter22'] };
    expect(isClearChange(update({ a: unclear }, { a: unclear }), secrets)).to.equal(false);
  });

  it('is judged again when another secret is learned', () => {
    const change = update({ a: 'horse77' }, { a: 'battery' });
    expect(isClearChange(change, secrets)).to.equal(true);
    secrets.add('horse77');
    expect(isClearChange(change, secrets)).to.equal(false);
    expect(maskChange(change, secrets)).to.deep.include({ before: { a: MASK }, after: { a: 'battery' } });
  });
});
