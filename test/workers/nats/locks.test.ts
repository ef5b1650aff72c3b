import { expect } from 'chai';
import { NatsLocks, type NatsLocksOptions } from '../../../src/workers/nats/locks.js';
import { Broker, CuttableLink, NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';

describe('locks over NATS', () => {
  let broker: Broker;
  const ends: (() => Promise<unknown>)[] = [];

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('locks over NATS');
      this.skip();
    }
    broker = await Broker.start();
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  after(() => broker.dispose());

  const holderOf = (run: string) => ({ run, user: 'ann', host: 'desk', since: '2026-11-23T05:00:00Z' });

  async function locks(run: string, options: Partial<NatsLocksOptions> = {}): Promise<NatsLocks> {
    const opened = await NatsLocks.open({
      nats: { url: broker.url },
      holder: holderOf(run),
      report: () => undefined,
      leaseMs: 1200,
      ...options,
    });
    ends.unshift(() => opened.release());
    return opened;
  }

  it('locks all controllers or none, and says who holds them', async () => {
    const [first, second] = [await locks('one'), await locks('two')];
    expect(await first.acquire(['lb1', 'lb2'])).to.deep.equal({ status: 'held' });
    expect(await second.acquire(['lb2', 'lb3'])).to.deep.equal({
      status: 'refused',
      conflicts: [{ holder: holderOf('one'), places: ['lb2'] }],
    });
    expect([second.has('lb2'), second.has('lb3')]).to.deep.equal([false, false]);
    expect(await first.acquire(['lb1', 'lb3'])).to.deep.equal({ status: 'held' });
    await first.release();
    expect(await second.acquire(['lb1', 'lb2', 'lb3'])).to.deep.equal({ status: 'held' });
  });

  it('waits neither for free controllers nor for a run that holds them', async () => {
    const [first, second] = [await locks('one'), await locks('two')];
    const start = performance.now();
    await first.acquire(['lb1']);
    await second.acquire(['lb1']);
    await second.acquire(['lb2']);
    // As long as a run that is still acquiring its locks would be waited for, each time.
    expect(performance.now() - start).to.be.below(5000);
  });

  it('lets one of two simultaneous runs win', async () => {
    const places = Array.from({ length: 500 }, (_, index) => `lb${index}`);
    const both = [await locks('one'), await locks('two')];
    const results = await Promise.all([both[0]?.acquire(places), both[1]?.acquire(places.toReversed())]);
    expect(results.flatMap((result) => result?.status ?? []).toSorted()).to.deep.equal(['held', 'refused']);
  });

  it('never lets two processes of one run hold locks', async () => {
    const [first, second] = [await locks('one'), await locks('one')];
    await first.acquire(['lb1']);
    expect(await second.acquire(['lb2'])).to.deep.equal({
      status: 'refused',
      conflicts: [{ holder: holderOf('one'), places: [] }],
    });
  });

  it('takes over the locks of a lost run, and notifies it', async () => {
    const proxy = await CuttableLink.to(broker);
    ends.push(() => proxy.close());
    const first = await locks('one', { nats: { url: proxy.url } });
    await first.acquire(['lb1']);
    expect(first.areConfirmed).to.equal(true);
    const lost = new Promise((resolve) => {
      first.lost.addEventListener('abort', () => {
        resolve(first.lost.reason);
      });
    });
    proxy.cut();
    const takenOver: string[] = [];
    const second = await locks('two', { onTakeOver: ({ run }) => takenOver.push(run) });
    while ((await second.acquire(['lb1'])).status !== 'held');
    expect(takenOver).to.deep.equal(['one']);
    expect(first.areConfirmed).to.equal(false);
    proxy.mend();
    expect(String(await lost)).to.equal(
      'Error: the locks of this run are lost: run two (ann on desk) has taken them over, since this one could not reach the NATS server for 1.2 s',
    );
  });

  it('keeps locks when the broker is restarted', async () => {
    const first = await locks('one');
    await first.acquire(['lb1']);
    await broker.stop();
    await broker.start();
    const second = await locks('two');
    expect(await second.acquire(['lb1'])).to.include({ status: 'refused' });
    expect(first.lost.aborted).to.equal(false);
  });
});
