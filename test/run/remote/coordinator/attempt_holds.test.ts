import { expect } from 'chai';
import { ControllerLocks } from '../../../../src/run/control/controller_locks.js';
import { Fork, Forks } from '../../../../src/run/control/forks.js';
import { Throttles } from '../../../../src/run/control/throttles.js';
import { AttemptHolds } from '../../../../src/run/remote/coordinator/attempt_holds.js';

const direct = <T>(wait: () => Promise<T>): Promise<T> => wait();

describe('a lock or place that a worker holds for a walk', () => {
  it('is held until the worker releases it', async () => {
    const locks = new ControllerLocks();
    const [first, second] = [new AttemptHolds(), new AttemptHolds()];
    const lock = (holds: AttemptHolds) => holds.hold('lock', (work) => locks.hold('lb1', 'exclusive', direct, work));
    const taken: string[] = [];
    await lock(first);
    const waiting = lock(second).then(() => taken.push('second'));
    await Promise.resolve();
    expect(taken).to.deep.equal([]);
    first.giveBack('lock');
    await waiting;
    expect(taken).to.deep.equal(['second']);
  });

  it('is released when the worker is lost, also if the worker still waits for it', async () => {
    const throttles = new Throttles();
    const [other, lost, next] = [new AttemptHolds(), new AttemptHolds(), new AttemptHolds()];
    const enter = (holds: AttemptHolds) => holds.hold('throttle', (work) => throttles.through('task', 1, direct, work));
    await enter(other);
    const waiting = enter(lost);
    await lost.giveBackAll();
    const continued = enter(next);
    other.giveBack('throttle');
    await Promise.all([waiting, continued]);
    await next.giveBackAll();
  });

  it('leaves the fork to the controller if the worker is lost while it waits', async () => {
    const forks = new Forks(1);
    const fork = new Fork(forks);
    await fork.begin();
    const holds = new AttemptHolds();
    holds.rest(fork);
    const other = new Fork(forks);
    await other.begin();
    const givenBack = holds.giveBackAll();
    other.end();
    await givenBack;
    fork.end();
    await new Fork(forks).begin();
  });
});
