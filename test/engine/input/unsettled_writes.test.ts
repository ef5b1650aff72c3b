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
      writes.recheckAtEnd(controller, object, () => Promise.resolve(void read.push(`${controller} ${object}`)));
    await writes.recheck();
    expect(read).to.deep.equal(['lb1 pool "p1"']);
  });
});
