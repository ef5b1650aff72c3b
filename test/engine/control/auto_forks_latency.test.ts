import { expect } from 'chai';
import { AutoForks, LEAST_FORKS, type MachineLoad } from '../../../src/engine/control/auto_forks.js';

const IDLE: MachineLoad = { isBusy: false, room: Infinity };

/** The number of forks after ten answers of each of these latencies, in milliseconds. */
function limitsAfter(latencies: readonly number[]): readonly number[] {
  const limit = new AutoForks(() => IDLE);
  let now = 0;
  return latencies.map((ms) => {
    for (let answer = 0; answer < 10; answer++) {
      const sent = limit.sent(now, false);
      now += ms;
      limit.ended(sent, now, 'answered');
    }
    return limit.now;
  });
}

describe('automatic forks, by the latency of answers,', () => {
  it('shrink each time that latency has grown, and again if half of them brought relief before', () => {
    expect(limitsAfter([100, 300, 100, 300])).to.deep.equal([20, 10, 10, LEAST_FORKS]);
  });

  it('return to what they were if half of them bring no relief', () => {
    expect(limitsAfter([100, 300, 300, 300, 900])).to.deep.equal([20, 10, 20, 20, 10]);
  });

  it('shrink only if latency is twice the usual one and 20 ms more', () => {
    expect(limitsAfter([10, 30, 40])).to.deep.equal([20, 20, 20]);
    expect(limitsAfter([10, 41])).to.deep.equal([20, 10]);
  });

  it('compare with the latency until fewer of them were in use', () => {
    const after = (meanwhile: number, last: number): number => {
      const limit = new AutoForks(() => IDLE);
      const forks = { inUse: 20, areAwaited: false, share: () => undefined };
      limit.forks = forks;
      let now = 0;
      const answers = (ms: number): void => {
        for (let answer = 0; answer < 10; answer++) limit.ended(limit.sent(now, false), (now += ms), 'answered');
      };
      for (const ms of [100, 300, meanwhile]) answers(ms);
      expect(limit.now).to.equal(10);
      forks.inUse = 10;
      answers(last);
      return limit.now;
    };
    expect(after(320, 320), 'no relief').to.equal(20);
    expect(after(600, 400), 'relief, but not enough').to.equal(LEAST_FORKS);
    expect(after(100, 400), 'it grew further').to.equal(20);
  });

  it('compare with what is usual now, for first requests and others, once half of them brought no relief', () => {
    for (const [own, other] of [
      [false, true],
      [true, false],
    ] as const) {
      const limit = new AutoForks(() => IDLE);
      let [now, shared] = [0, 0];
      limit.forks = {
        get inUse() {
          return limit.now;
        },
        areAwaited: false,
        share: () => void (shared += 1),
      };
      const after = (ms: number, isFirst: boolean): number => {
        for (let answer = 0; answer < 10; answer++) limit.ended(limit.sent(now, isFirst), (now += ms), 'answered');
        return limit.now;
      };
      const limits = [after(100, other), after(100, own), after(300, own), after(300, own)];
      expect([...limits, shared]).to.deep.equal([20, 20, 10, 20, 1]);
      expect([after(900, other), after(500, own), after(900, own)]).to.deep.equal([20, 20, 10]);
    }
  });

  it('take a tenth of them for a mean, if they are many', () => {
    const limit = new AutoForks(() => IDLE);
    const forks = { inUse: 20, areAwaited: true, share: () => undefined };
    limit.forks = forks;
    for (let answer = 0; answer < 380; answer++) limit.ended(limit.sent(0, false), 1, 'answered');
    expect(limit.now).to.equal(400);
    [forks.inUse, forks.areAwaited] = [400, false];
    limit.ended(limit.sent(1, false), 2, 'overloaded');
    forks.inUse = 200;
    for (let answer = 1; answer <= 20; answer++) {
      expect(limit.now, `${answer}`).to.equal(200);
      limit.ended(limit.sent(2, false), 1002, 'answered');
    }
    expect(limit.now).to.equal(100);
  });
});
