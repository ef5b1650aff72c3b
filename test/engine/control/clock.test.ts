import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { LoopYielder, sleep, stamped, stopwatch } from '../../../src/engine/control/clock.js';

describe('a pause', () => {
  it("longer than Node's timers allow lasts until the run ends", async () => {
    const ended = new AbortController();
    let over = false;
    const pause = sleep(3e9, ended.signal).then(() => (over = true));
    await sleep(0.05, new AbortController().signal);
    expect(over).to.equal(false);
    ended.abort();
    await pause;
  });
});

describe('the clock of a run', () => {
  it('stamps each event with the run and the time', async () => {
    const events: Event[] = [];
    const emit = stamped('run-1', (event) => events.push(event));
    const before = new Date().toISOString();
    for (const message of ['a', 'b']) emit({ type: 'warning', message });
    await sleep(0.003, new AbortController().signal);
    emit({ type: 'warning', message: 'c' });
    const [first, , third] = events;
    expect(events.map(({ run, ...one }) => [run, 'message' in one && one.message])).to.deep.equal([
      ['run-1', 'a'],
      ['run-1', 'b'],
      ['run-1', 'c'],
    ]);
    expect(new Date(first?.time ?? '').toISOString()).to.equal(first?.time);
    expect([(first?.time ?? '') >= before, (third?.time ?? '') > (first?.time ?? '')]).to.deep.equal([true, true]);
  });

  it('counts seconds to the millisecond', async () => {
    const elapsed = stopwatch();
    await sleep(0.02, new AbortController().signal);
    const seconds = elapsed();
    expect(seconds).to.be.within(0.015, 60);
    expect(Math.round(seconds * 1000)).to.be.closeTo(seconds * 1000, 1e-6);
  });

  it('waits for nothing if no time is left, or the run has ended', async () => {
    const order: string[] = [];
    const pauses = [sleep(0, new AbortController().signal), sleep(9, AbortSignal.abort())];
    const turn = setImmediate().then(() => order.push('turn of the event loop'));
    for (const pause of pauses) void pause.then(() => order.push('pause'));
    await turn;
    expect(order).to.deep.equal(['pause', 'pause', 'turn of the event loop']);
  });

  it('lets others work after every few milliseconds, once for all who wait', async () => {
    const yielder = new LoopYielder();
    expect(yielder.yieldLoop()).to.equal(undefined);
    const end = performance.now() + 11;
    while (performance.now() < end);
    let others = 0;
    void setImmediate().then(() => others++);
    const [one, two] = [yielder.yieldLoop(), yielder.yieldLoop()];
    expect([one, two]).to.not.include(undefined);
    let through = 0;
    for (const wait of [one, two]) void wait?.then(() => through++);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect([through, others]).to.deep.equal([2, 1]);
  });
});
