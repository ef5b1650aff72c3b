import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { UnsettledWrites } from '../../../src/engine/input/unsettled_writes.js';

const SETTLES = 60;

function unsettled(...ages: readonly number[]): UnsettledWrites {
  const writes = new UnsettledWrites((identity) => identity.toLowerCase());
  writes.addTo(
    ages.map((age, index) => ({ place: 'LB1', object: `pool "p${index + 1}"`, time: Date.now() - age * 1000 })),
  );
  return writes;
}

describe('unsettled writes', () => {
  it('are waited for from the last one, wherever its controller is meant', () => {
    const writes = unsettled(50, 20, 30);
    const wait = writes.waitFor('Lb1', SETTLES);
    expect(wait?.seconds).to.be.within(39, 40);
    expect(wait?.object).to.equal('pool "p2"');
    expect(writes.waitFor('lb2', SETTLES)).to.equal(undefined);
    expect(writes.waitFor('lb1', 10)).to.equal(undefined);
  });

  it('keep nobody waiting for longer than it takes them to settle, whatever the clock was set to', () => {
    expect(unsettled(-3600).waitFor('lb1', SETTLES)?.seconds).to.be.within(59, SETTLES);
  });

  it('have settled for a run only if it has waited for them', () => {
    const writes = unsettled(20);
    expect(writes.haveSettled('lb1')).to.equal(false);
    writes.waitFor('lb1', SETTLES);
    expect(writes.haveSettled('lb1')).to.equal(false);
    writes.waitFor('lb1', 10);
    expect(writes.haveSettled('lb1')).to.equal(true);
    expect(writes.haveSettled('lb2')).to.equal(true);
    const write = (age: number) => ({ place: 'LB1', object: 'pool "p2"', time: Date.now() - age * 1000 });
    writes.addTo([write(30)]);
    expect(writes.haveSettled('lb1')).to.equal(true);
    writes.addTo([write(5)]);
    expect(writes.haveSettled('lb1')).to.equal(false);
  });

  it('are announced once for each controller', () => {
    const writes = unsettled(20);
    expect([writes.announce('lb1'), writes.announce('LB1'), writes.announce('lb2')]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('have their objects read again at the end, each once, as the last task left it', async () => {
    const writes = unsettled(20);
    const read: string[] = [];
    for (const [controller, object] of [
      ['lb1', 'pool "p1"'],
      ['lb1', 'pool "p9"'],
      ['lb2', 'pool "p1"'],
      ['lb1', 'pool "p1"'],
    ] as const)
      writes.recheckAtEnd(controller, object, async () => {
        await setImmediate();
        read.push(`${controller} ${object}`);
      });
    await writes.recheck();
    expect(read).to.deep.equal(['lb1 pool "p1"']);
  });

  it('are kept apart by controller and object', async () => {
    const writes = new UnsettledWrites((identity) => identity.toLowerCase());
    const all = ['lb1', 'lb2'].flatMap((place) => ['a', 'b'].map((object) => [place, object] as const));
    for (const [at, [place, object]] of all.entries())
      writes.addTo([{ place: place.toUpperCase(), object, time: Date.now() - 1000 * (10 * at) }]);
    expect(['lb1', 'lb2'].map((place) => writes.waitFor(place, SETTLES)?.object)).to.deep.equal(['a', 'a']);
    expect(writes.waitFor('lb2', SETTLES)?.seconds).to.be.within(39, 40);
    writes.waitFor('lb2', 15);
    expect(['lb1', 'lb2'].map((place) => writes.haveSettled(place))).to.deep.equal([false, true]);
    expect(['lb1', 'lb2', 'lb1', 'lb2'].map((place) => writes.announce(place))).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
    const read: string[] = [];
    for (const task of ['first', 'last'])
      for (const [place, object] of all)
        writes.recheckAtEnd(place, object, () => Promise.resolve(void read.push(`${task} ${place} ${object}`)));
    await writes.recheck();
    expect(read).to.have.members(all.map(([place, object]) => `last ${place} ${object}`));
  });
});
