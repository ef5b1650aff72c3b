import { expect } from 'chai';
import { sleep } from '../../../src/engine/control/clock.js';

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
