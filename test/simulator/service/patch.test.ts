import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { patched } from '../../../src/simulator/service/patch.js';

const scalar = fc.oneof(fc.integer(), fc.string(), fc.boolean());
const element = fc.record({ addr: fc.ipV4(), port: fc.integer({ min: 1, max: 9 }) });
const object = fc.record({
  servers: fc.array(element),
  markers: fc.array(scalar),
  nested: fc.record({ list: fc.array(scalar), value: scalar }),
});

function apply(before: JsonObject, patch: JsonObject): JsonObject {
  const result = patched(before, patch);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

describe('a patch', () => {
  it('that adds to lists keeps the existing elements in order', () => {
    fc.assert(
      fc.property(object, object, (before, added) => {
        const after = apply(before, { add: { servers: added.servers, nested: { list: added.nested.list } } });
        expect(after).to.deep.equal({
          ...before,
          servers: [...before.servers, ...added.servers],
          nested: { list: [...before.nested.list, ...added.nested.list], value: before.nested.value },
        });
      }),
    );
  });

  it('that deletes what another one added restores the object, unless it was there before', () => {
    fc.assert(
      fc.property(object, fc.array(element), (before, servers) => {
        const isThere = servers.some(({ addr, port }) =>
          before.servers.some((one) => one.addr === addr && one.port === port),
        );
        fc.pre(!isThere);
        expect(apply(apply(before, { add: { servers } }), { delete: { servers } })).to.deep.equal(before);
      }),
    );
  });

  it('that deletes removes elements that match all given fields', () => {
    fc.assert(
      fc.property(object, fc.integer({ min: 1, max: 9 }), (before, port) => {
        const { servers } = apply(before, { delete: { servers: [{ port }] } });
        expect(servers).to.deep.equal(before.servers.filter((one) => one.port !== port));
      }),
    );
  });

  it('that replaces sets whole fields, with the same result the second time', () => {
    fc.assert(
      fc.property(object, object, (before, replace) => {
        const once = apply(before, { replace });
        expect(once).to.deep.equal({ ...before, ...replace });
        expect(apply(once, { replace })).to.deep.equal(once);
      }),
    );
  });

  const before = { list: [1, { a: 1, b: 2 }, { a: 1 }], map: { x: 1, y: { z: 1, w: 2 } }, text: 'a' };
  for (const [what, change, after] of [
    ['deletes fields of mappings in mappings', { map: { y: { z: 1 } } }, { map: { x: 1, y: { w: 2 } } }],
    ['deletes what is there under the name of something else', { map: 1, list: {}, text: [] }, undefined],
    ['deletes a scalar whatever it is', { text: 'b', map: { x: 9 } }, { map: { y: { z: 1, w: 2 } }, text: undefined }],
    ['deletes elements that have at least what is given', { list: [{ a: 1, b: 2 }, 7] }, { list: [1, { a: 1 }] }],
    ['deletes nothing that is not there', { other: 1, list: [{ c: 1 }, 2] }, {}],
  ] as const)
    it(`that ${what}`, () => {
      const expected = after === undefined ? {} : { ...before, ...after };
      const left = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined));
      expect(apply(before, { delete: JSON.parse(JSON.stringify(change)) as JsonObject })).to.deep.equal(left);
    });

  it('that adds sets what is no list or no mapping there, and keeps the rest', () => {
    expect(
      apply(before, { add: { list: { c: 1 }, map: { y: { v: 3 }, x: [2] }, text: ['b'], more: [1] } }),
    ).to.deep.equal({
      list: { c: 1 },
      map: { x: [2], y: { z: 1, w: 2, v: 3 } },
      text: ['b'],
      more: [1],
    });
  });

  it('has operations of three names, each a mapping, one after the other', () => {
    expect(patched(before, { replace: { text: 'b' }, add: { list: [9] }, delete: { map: { x: 1 } } })).to.deep.equal({
      list: [1, { a: 1, b: 2 }, { a: 1 }, 9],
      map: { y: { z: 1, w: 2 } },
      text: 'b',
    });
    expect([patched(before, { remove: {} }), patched(before, { replace: {}, delete: ['text'] })]).to.deep.equal([
      'Invalid patch operation "remove": must be add, replace or delete.',
      'Patch operation "delete" must be an object.',
    ]);
  });

  it('does not change the given object', () => {
    fc.assert(
      fc.property(object, object, (before, change) => {
        const copy = structuredClone(before);
        for (const operation of ['add', 'replace', 'delete']) apply(before, { [operation]: change });
        expect(before).to.deep.equal(copy);
      }),
    );
  });
});
