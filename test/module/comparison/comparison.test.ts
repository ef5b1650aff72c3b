import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { matches } from '../../../src/module/comparison/comparison.js';

const LATER = '/api/cloud/(known after apply)';
const LATER_EDGE = `${LATER}#edge`;

const cases: readonly [what: string, declared: Value, actual: Value | undefined, same: boolean][] = [
  ['equal scalars', 1500, 1500, true],
  ['a number and its text', 1500, '1500', false],
  ['keys that are not declared', { mtu: 1500 }, { mtu: 1500, uuid: 'u1' }, true],
  ['a declared key that is missing', { mtu: 1500 }, {}, false],
  ['different values deep inside', { a: { b: 1 } }, { a: { b: 2 } }, false],
  ['extra keys deep inside', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
  ['an object in place of a scalar', { a: { b: 1 } }, { a: 1 }, false],
  ['lists in another order', ['a', 'b'], ['b', 'a'], false],
  ['a longer list', ['a'], ['a', 'b'], false],
  ['extra keys of a list element', [{ addr: 'x' }], [{ addr: 'x', key_number: 1 }], true],
  ['a reference with its name', { tenant_ref: '/api/tenant/1' }, { tenant_ref: '/api/tenant/1#admin' }, true],
  ['a reference by a name with a hash', { pool_ref: '/api/pool?name=a%23b' }, { pool_ref: '/api/pool/1#a#b' }, true],
  ['references in a list', { pool_refs: ['/api/pool/1#a'] }, { pool_refs: ['/api/pool/1'] }, true],
  [
    'a reference by name',
    { tenant_ref: '/api/tenant/?name=my%20team' },
    { tenant_ref: 'https://c/api/tenant/1#my team' },
    true,
  ],
  [
    'a reference by another name',
    { tenant_ref: '/api/tenant/?name=a' },
    { tenant_ref: 'https://c/api/tenant/1#b' },
    false,
  ],
  ['a reference to what would be created', { cloud_ref: LATER_EDGE }, { cloud_ref: LATER_EDGE }, true],
  ['references to two that would be created', { cloud_ref: LATER_EDGE }, { cloud_ref: `${LATER}#far` }, false],
  ['a reference to one of any name', { cloud_ref: LATER_EDGE }, { cloud_ref: LATER }, false],
  ['a hash in a field that is not a reference', { color: 'a#1' }, { color: 'a#2' }, false],
  ['a hidden secret', { password: 'x' }, { password: '<sensitive>' }, true],
  ['a hidden secret in a list', [{ key: 'x', key_number: 1 }], [{ key: '<sensitive>', key_number: 1 }], true],
  ['null and a missing field', { ref: null }, {}, true],
  ['null and a value', { ref: null }, { ref: 'x' }, false],
  ['an empty list and a missing field', { tags: [] }, {}, true],
  ['an empty list and a filled one', { tags: [] }, { tags: ['a'] }, false],
  ['an empty object and a missing field', { a: {} }, {}, false],
  ['an empty object in place of a list', { a: [] }, { a: {} }, false],
  ['a text as long as a list', ['a'], 'b', false],
  ['an empty text and a missing field', { a: '' }, {}, false],
  ['a reference in place of another type', { pool_ref: 5, x_ref: 'a' }, { pool_ref: 5, x_ref: 5 }, false],
  ['a reference that is a number', { pool_ref: 5 }, { pool_ref: '5' }, false],
  ['a direct reference and one by name', { pool_ref: '/api/pool/1' }, { pool_ref: '/api/pool/?name=1' }, false],
  ['larger numbers', { a: 3n }, { a: 2 }, false],
  ['smaller numbers', { a: 2 }, { a: 3n }, false],
  ['inherited names', { constructor: 'x' }, {}, false],
];

describe('comparing a declaration with an object', () => {
  for (const [what, declared, actual, same] of cases) {
    it(`${same ? 'ignores' : 'detects'} ${what}`, () => {
      expect(matches(declared, actual)).to.equal(same);
    });
  }
});
