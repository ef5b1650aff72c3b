import { expect } from 'chai';
import fc from 'fast-check';
import { MOST_FORKS } from '../../../src/core/model/run/choices.js';
import { AutoForks, fixedForks, LEAST_FORKS, type MachineLoad } from '../../../src/engine/control/auto_forks.js';
import { Forks } from '../../../src/engine/control/forks.js';

const IDLE: MachineLoad = { isBusy: false, room: Infinity };

interface Site {
  /** Milliseconds until an answer, by the number of the controller. */
  readonly latency: (controller: number, open: number) => number;
  /** How many connections its proxy admits at the same time; the others wait. */
  readonly admits?: number;
  /** Controllers that answer their first request with 429. */
  readonly throttles?: (controller: number) => boolean;
}

/** Lets controllers make six requests each, in simulated time. Returns the most that were at work, and waited at the proxy. */
function simulate(controllers: number, { latency, admits = Infinity, throttles = () => false }: Site) {
  const limit = new AutoForks(() => IDLE);
  const forks = new Forks(limit);
  const due: { at: number; run: () => void }[] = [];
  const later = (at: number, run: () => void): void => {
    due.splice(due.findLastIndex((one) => one.at <= at) + 1, 0, { at, run });
  };
  const queue: (() => void)[] = [];
  let [now, open, most, waited] = [0, 0, 0, 0];
  const request = (controller: number, left: number, sent = limit.sent(now, left === 6)): void => {
    const answer = (): void => {
      limit.ended(sent, now, left === 6 && throttles(controller) ? 'overloaded' : 'answered');
      if (left > 1) {
        request(controller, left - 1);
        return;
      }
      open--;
      forks.giveBack();
      queue.shift()?.();
    };
    const admit = (): void => {
      if (left === 6) open++;
      later(now + latency(controller, open), answer);
    };
    if (left < 6 || open < admits) admit();
    else queue.push(admit);
    waited = Math.max(waited, queue.length);
  };
  for (let controller = 0; controller < controllers; controller++)
    forks.takeFirst(() => {
      most = Math.max(most, forks.inUse);
      request(controller, 6);
    });
  while (due.length > 0) {
    const next = due.shift();
    now = next?.at ?? now;
    next?.run();
  }
  return { most, waited, seconds: now / 1000, limit: limit.now };
}

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

describe('automatic forks', () => {
  it('grow to the most while controllers answer as fast as before', () => {
    const { most, seconds } = simulate(5000, { latency: () => 100 });
    expect(most).to.equal(MOST_FORKS);
    // Five rounds of 1,000 controllers take 3 seconds.
    expect(seconds).to.be.below(4.5);
  });

  it('keep growing for controllers that are farther away than the first ones', () => {
    const { most } = simulate(5000, { latency: (controller) => (controller < 500 ? 20 : 200) });
    expect(most).to.be.above(500);
  });

  it('do not overrun a proxy that lets connections wait', () => {
    const { waited, limit } = simulate(600, { latency: () => 50, admits: 20 });
    expect(waited).to.be.at.most(25);
    expect(limit).to.be.at.most(45);
  });

  it('stay few if each further controller makes all of them slower', () => {
    const { most, limit } = simulate(2000, { latency: (_, open) => 50 * Math.max(1, open / 100) });
    expect(most).to.be.below(MOST_FORKS);
    expect(limit).to.be.within(100, 400);
  });

  it('shrink each time that latency has grown, and again if half of them brought relief before', () => {
    expect(limitsAfter([100, 300, 100, 300])).to.deep.equal([20, 10, 10, LEAST_FORKS]);
  });

  it('return to what they were if half of them bring no relief', () => {
    expect(limitsAfter([100, 300, 300, 300, 900])).to.deep.equal([20, 10, 20, 20, 10]);
  });

  it('grow by one with each answer, and slowly once they have shrunk', () => {
    const limit = new AutoForks(() => IDLE);
    let inUse = 20;
    limit.forks = {
      get inUse() {
        return inUse;
      },
      areAwaited: true,
      share: () => undefined,
    };
    const afterTenAnswers = (): number => {
      for (let answer = 0; answer < 10; answer++) limit.ended(limit.sent(0, false), 100, 'answered');
      return limit.now;
    };
    expect(afterTenAnswers()).to.equal(30);
    limit.ended(limit.sent(100, false), 100, 'overloaded');
    expect(limit.now).to.equal(10);
    inUse = 10;
    expect(afterTenAnswers()).to.equal(13);
  });

  it('shrink at once after 429', () => {
    const fine = simulate(400, { latency: () => 50 });
    const throttled = simulate(400, { latency: () => 50, throttles: (controller) => controller % 40 === 39 });
    expect(throttled.most).to.be.below(fine.most / 2);
  });

  it('keep within their limits, whatever happens', () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 400 }),
      isFirst: fc.boolean(),
      end: fc.constantFrom('answered', 'answered', 'answered', 'unknown', 'overloaded'),
      isBusy: fc.boolean(),
      room: fc.constantFrom(0, 30, 200, Infinity),
      inUse: fc.integer({ min: 0, max: 1000 }),
      areAwaited: fc.boolean(),
    });
    const check = (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): void => {
      let load = IDLE;
      let now = 0;
      const limit = new AutoForks(() => load);
      for (const { ms, isFirst, end, isBusy, room, inUse, areAwaited } of steps) {
        load = { isBusy, room };
        limit.forks = { inUse, areAwaited, share: () => undefined };
        const before = limit.now;
        const sent = limit.sent(now, isFirst);
        now += ms + 1;
        limit.ended(sent, now, end);
        expect(limit.now).to.be.within(LEAST_FORKS, MOST_FORKS);
        if (end !== 'answered' || isBusy || room <= before) expect(limit.now).to.be.at.most(before);
        if (end === 'overloaded')
          expect(limit.now).to.be.at.most(Math.max(LEAST_FORKS, Math.floor(Math.min(before, inUse) / 2)));
        if (end === 'answered') expect(limit.now).to.be.at.most(Math.max(LEAST_FORKS, room));
      }
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 300 }), check), { numRuns: 60 });
  });

  it('never exceed the number of a play', () => {
    const forks = new Forks(fixedForks(50), 3);
    for (let one = 0; one < 10; one++) forks.takeFirst(() => undefined);
    expect(forks.inUse).to.equal(3);
  });
});
