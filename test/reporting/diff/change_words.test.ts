import { expect } from 'chai';
import type { TaskFinished } from '../../../src/core/model/run/event.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { changeTexts, changeWords, resumptionWords, upToList } from '../../../src/reporting/diff/change_groups.js';

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

  it('say what was deleted or sent', () => {
    const removed = { kind: 'delete', object: 'cloud "edge"', before: { mtu: 1 }, after: null } as const;
    const sent = { kind: 'invoke', object: 'POST /api/x', before: null, after: null } as const;
    expect([changeWords({ change: removed }), changeWords({ change: removed, check: true })]).to.deep.equal([
      'deleted cloud "edge"',
      'would delete cloud "edge"',
    ]);
    expect([changeWords({ change: sent }), changeWords({ change: sent, check: true })]).to.deep.equal([
      'sent POST /api/x',
      'would send POST /api/x',
    ]);
    expect(changeWords({ change: sent, check: true, unconfirmed: true })).to.equal('may have sent POST /api/x');
    expect([changeWords({ change: { kind: 'none' } }), changeWords({})]).to.deep.equal(['', '']);
  });

  it('name two fields, or the objects of three', () => {
    expect(update({ a: { x: 1 }, b: { y: 1 } }, { a: { x: 2 }, b: { y: 2 } })).to.equal(
      'updated cloud "edge": a.x, b.y',
    );
    expect(update({ a: { x: 1, z: 1 }, b: { y: 1 } }, { a: { x: 2, z: 2 }, b: { y: 2 } })).to.equal(
      'updated cloud "edge": a, b',
    );
    expect(update({ a: 1 }, { a: 1 })).to.equal('updated cloud "edge"');
    expect([upToList(['a', 1, 'b']), upToList(['a', 'b']), upToList([0])]).to.deep.equal([['a'], ['a', 'b'], []]);
  });
});

describe('the texts of a change', () => {
  const texts = (given: Partial<TaskFinished>, args?: Mapping) =>
    changeTexts({ controller: 'lb1', ...given } as TaskFinished, args);
  const change = { kind: 'create', object: 'cloud "edge-lb1"', before: null, after: { name: 'edge-lb1' } } as const;

  it('are for this controller, and with templates or a general name for several', () => {
    const words = 'created cloud "edge-lb1"';
    const general = texts({ change }).common;
    expect(texts({ change })).to.deep.equal({ own: words, common: general });
    expect(general).to.not.include('lb1');
    expect(texts({ change }, { name: 'edge-{{ number }}' })).to.deep.equal({
      own: words,
      common: 'created cloud "edge-{{ number }}"',
    });
    expect(texts({ message: 'on lb1' }).own).to.equal('on lb1');
    expect(texts({ message: 'on lb1' }).common).to.match(/^on (?!lb1)/);
    expect(texts({ change: { kind: 'none' }, message: 'said' })).to.deep.equal({ own: 'said', common: 'said' });
  });

  it('say how a resume resolved an interrupted write', () => {
    expect(
      [undefined, 'found', 'repeated'].map((one) => resumptionWords(one as TaskFinished['resumed'])),
    ).to.deep.equal(['', 'the interrupted write had taken effect', 'repeated: the interrupted write had no effect']);
    expect(texts({ change, resumed: 'found' }, { name: 'edge-{{ n }}' })).to.deep.equal({
      own: 'created cloud "edge-lb1"; the interrupted write had taken effect',
      common: 'created cloud "edge-{{ n }}"; the interrupted write had taken effect',
    });
  });
});
