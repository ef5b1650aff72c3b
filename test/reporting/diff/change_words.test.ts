import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { changeWords } from '../../../src/reporting/diff/change_groups.js';

function update(before: Mapping | null, after: Mapping): string {
  return changeWords({ change: { kind: 'update', object: 'cloud "edge"', before, after } });
}

describe('the words for a change', () => {
  it('say what was done, or would be done', () => {
    const change = { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge' } } as const;
    expect(changeWords({ change })).to.equal('created cloud "edge"');
    expect(changeWords({ change, check: true })).to.equal('would create cloud "edge"');
    expect(changeWords({ change, unconfirmed: true })).to.equal('may have created cloud "edge"');
  });

  it('name the fields that change; for elements of a list, the list', () => {
    expect(update({ mtu: 1 }, { mtu: 2 })).to.equal('updated cloud "edge": mtu');
    expect(update({ a: { list: [1, 2] } }, { a: { list: [3, 4] } })).to.equal('updated cloud "edge": a.list');
  });

  it('name the objects that contain many changed fields', () => {
    expect(update({ a: { x: 1, y: 1 }, b: { z: 1 } }, { a: { x: 2, y: 2 }, b: { z: 2 } })).to.equal(
      'updated cloud "edge": a, b',
    );
    expect(update({}, { a: 1, b: 1, c: 1, d: 1, e: 1 })).to.equal('updated cloud "edge": a, b, c, d and 1 more');
  });

  it('name no fields if nothing could be compared', () => {
    expect(update(null, { mtu: 2 })).to.equal('updated cloud "edge"');
  });
});
