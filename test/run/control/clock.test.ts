import { expect } from 'chai';
import { sleep } from '../../../src/run/control/clock.js';

describe('a pause', () => {
  it('of more than Node can count does not end at once, but with the run', async () => {
    const ended = new AbortController();
    let over = false;
    const pause = sleep(3e9, ended.signal).then(() => (over = true));
    await sleep(0.05, new AbortController().signal);
    expect(over).to.equal(false);
    ended.abort();
    await pause;
  });
});
