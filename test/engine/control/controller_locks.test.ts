import { expect } from 'chai';
import { WAIT_WITHOUT_FORKS } from '../../../src/core/model/run/session.js';
import { controllerLocks, type LockMode } from '../../../src/engine/control/start_conditions.js';

/** Work that reports its start, and ends on command. */
class Works {
  readonly locks = controllerLocks();
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  start(name: string, mode: LockMode, controller = 'lb1'): Promise<void> {
    return this.locks.take(controller, mode, WAIT_WITHOUT_FORKS, () => {
      this.begun.push(name);
      return new Promise((resolve) => this.#ends.set(name, resolve));
    });
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settled();
  }
}

/** Everything that was ready has continued. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('a lock of a controller', () => {
  it("is shared by the controller's own tasks, and exclusive for a delegated task", async () => {
    const works = new Works();
    const all = [works.start('a', 'shared'), works.start('b', 'shared'), works.start('c', 'exclusive')];
    all.push(works.start('d', 'shared'), works.start('e', 'exclusive'));
    await settled();
    expect(works.begun).to.deep.equal(['a', 'b']);
    await works.end('a');
    expect(works.begun).to.deep.equal(['a', 'b']);
    await works.end('b');
    expect(works.begun).to.deep.equal(['a', 'b', 'c']);
    await works.end('c');
    expect(works.begun).to.deep.equal(['a', 'b', 'c', 'd']);
    await works.end('d');
    expect(works.begun).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    await works.end('e');
    await Promise.all(all);
  });

  it('is held until the last of those that share it has ended, also if nobody waited', async () => {
    const works = new Works();
    const all = [works.start('a', 'shared'), works.start('b', 'shared')];
    await works.end('a');
    all.push(works.start('c', 'exclusive'));
    await settled();
    expect(works.begun).to.deep.equal(['a', 'b']);
    await works.end('b');
    expect(works.begun).to.deep.equal(['a', 'b', 'c']);
    all.push(works.start('d', 'exclusive'));
    await works.end('c');
    all.push(works.start('e', 'shared'));
    await settled();
    expect(works.begun).to.deep.equal(['a', 'b', 'c', 'd']);
    await works.end('d');
    await works.end('e');
    await Promise.all(all);
  });

  it('is separate for each controller', async () => {
    const works = new Works();
    const all = [works.start('a', 'exclusive'), works.start('b', 'exclusive', 'lb2')];
    await settled();
    expect(works.begun).to.deep.equal(['a', 'b']);
    await works.end('a');
    await works.end('b');
    await Promise.all(all);
  });

  it('is released when the work throws', async () => {
    const locks = controllerLocks();
    await locks
      .take('lb1', 'exclusive', WAIT_WITHOUT_FORKS, () => Promise.reject(new Error('no')))
      .catch(() => undefined);
    expect(await locks.take('lb1', 'exclusive', WAIT_WITHOUT_FORKS, () => Promise.resolve('yes'))).to.equal('yes');
  });
});
