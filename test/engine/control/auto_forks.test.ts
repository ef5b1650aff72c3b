import { existsSync, readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { expect } from 'chai';
import fc from 'fast-check';
import { MOST_FORKS } from '../../../src/core/model/run/choices.js';
import {
  AutoForks,
  fixedForks,
  forkLimit,
  LEAST_FORKS,
  machineLoad,
  type MachineLoad,
} from '../../../src/engine/control/auto_forks.js';
import { Forks } from '../../../src/engine/control/forks.js';
import { mostForks } from '../../../src/engine/input/run_input.js';

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

  /** The limit with a number of forks in use that others wait for; `share` counts the times that it has grown. */
  function limited(load: { current: MachineLoad }, inUse = 20) {
    const limit = new AutoForks(() => load.current);
    const forks = { inUse, areAwaited: true, shared: 0, share: () => void (forks.shared += 1) };
    limit.forks = forks;
    const answered = (isFirst = false): number => {
      limit.ended(limit.sent(0, isFirst), 1, 'answered');
      return limit.now;
    };
    return { limit, forks, answered };
  }

  it('grow while at most half of them open a connection, are all in use and awaited, and the machine is idle', () => {
    const load = { current: IDLE };
    const { limit, forks, answered } = limited(load);
    const first = Array.from({ length: 11 }, () => limit.sent(0, true));
    expect([answered(), forks.shared]).to.deep.equal([20, 0]);
    for (const one of first.slice(0, 1)) limit.ended(one, 1, 'unknown');
    expect([answered(), answered(true), forks.shared]).to.deep.equal([21, 22, 2]);
    load.current = { isBusy: true, room: Infinity };
    expect(answered()).to.equal(22);
    load.current = IDLE;
    forks.areAwaited = false;
    expect(answered()).to.equal(22);
    [forks.areAwaited, forks.inUse] = [true, 23];
    expect(answered()).to.equal(22);
    forks.inUse = 22;
    expect([answered(), forks.shared]).to.deep.equal([23, 3]);
    limit.forks = undefined;
    expect(answered()).to.equal(23);
  });

  it('keep within what the machine has room for, but for the fewest', () => {
    const load = { current: IDLE };
    const { answered } = limited(load, 0);
    for (const [room, now] of [
      [20, 20],
      [21, 21],
      [8, 8],
      [9, 9],
      [2, LEAST_FORKS],
      [0, LEAST_FORKS],
    ] as const) {
      load.current = { isBusy: false, room };
      expect(answered(), `${room}`).to.equal(now);
    }
  });

  it('shrink once for all answers of one moment, to half of those in use', () => {
    const { limit } = limited({ current: IDLE }, 16);
    const [first, second] = [limit.sent(0, false), limit.sent(0, false)];
    limit.ended(first, 5, 'overloaded');
    expect(limit.now).to.equal(8);
    limit.ended(second, 6, 'overloaded');
    limit.ended(limit.sent(4, false), 7, 'overloaded');
    limit.ended(limit.sent(9, false), 9, 'unknown');
    expect(limit.now).to.equal(8);
    limit.ended(limit.sent(5, false), 9, 'overloaded');
    expect(limit.now).to.equal(LEAST_FORKS);
    const alone = new AutoForks(() => IDLE);
    alone.ended(alone.sent(0, true), 1, 'overloaded');
    expect(alone.now).to.equal(10);
  });

  it('are as many as asked for, or as the machine allows', () => {
    const asked: number[] = [];
    const machine = (inUse: () => number) => (): MachineLoad => {
      asked.push(inUse());
      return { isBusy: false, room: 7 };
    };
    expect([mostForks({ forks: 3 }), mostForks({ forks: 'auto' })]).to.deep.equal([3, MOST_FORKS]);
    expect(forkLimit(3, machine)).to.deep.equal({ now: 3, most: 3, forks: undefined });
    const limit = forkLimit('auto', machine);
    expect([limit.now, limit.most]).to.deep.equal([20, MOST_FORKS]);
    if (!(limit instanceof AutoForks)) throw new Error('they are not automatic');
    limit.ended(limit.sent(0, false), 1, 'answered');
    limit.forks = { inUse: 4, areAwaited: false, share: () => undefined };
    limit.ended(limit.sent(0, false), 1, 'answered');
    expect([limit.now, asked]).to.deep.equal([7, [0, 4]]);
  });

  it('need two files each, and memory beyond that of the controllers at work', () => {
    const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
    const [, soft = '1024'] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
    const files = soft === 'unlimited' ? Infinity : Math.floor((Number(soft) - 100) / 2);
    const many = machineLoad(() => 1e9);
    expect(many()).to.deep.equal({ isBusy: false, room: files });
    expect(many().room).to.equal(files);
    const { room } = machineLoad(() => 0)();
    const { heap_size_limit: most } = getHeapStatistics();
    expect(room).to.be.within(1, Math.min(files, most / 2 ** 21 - 32));
  });

  it('know that the event loop had no time for more', () => {
    const machine = machineLoad(() => 0);
    const work = (): boolean => {
      for (const end = performance.now() + 21; performance.now() < end;);
      return machine().isBusy;
    };
    expect([machine().isBusy, work(), machine().isBusy, work()]).to.deep.equal([false, true, true, true]);
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
