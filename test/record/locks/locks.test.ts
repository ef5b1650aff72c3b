import { chmod, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { LateLocks } from '../../../src/launch/lock/lock_controllers.js';
import { lockText, parseLock, type LockHolder, LockFolder } from '../../../src/record/locks/lock_folder.js';
import type { AcquireResult } from '../../../src/record/locks/locks.js';
import { inFolder } from '../../rig/folder.js';
import { holder, locksOf } from './rig.js';

const HELD = { status: 'held' };

/** Which run conflicts, and for which controllers. */
function inTheWay(acquired: AcquireResult): readonly string[] {
  if (acquired.status !== 'refused') return [acquired.status];
  return acquired.conflicts.map((conflict) => `${conflict.holder?.run ?? '?'}: ${conflict.places.join()}`);
}

describe('locks', () => {
  it('are refused if another run has one of them, all or nothing', () =>
    inFolder({}, async (folder) => {
      const [first, second, third] = [
        await locksOf(folder, 'r1'),
        await locksOf(folder, 'r2'),
        await locksOf(folder, 'r3'),
      ];
      expect(await first.acquire(['a', 'b'])).to.deep.equal(HELD);
      expect(inTheWay(await second.acquire(['b', 'c']))).to.deep.equal(['r1: b']);
      expect(await third.acquire(['c'])).to.deep.equal(HELD);
      await first.release();
      expect(inTheWay(await second.acquire(['b', 'c']))).to.deep.equal(['r3: c']);
      await third.release();
      expect(await second.acquire(['b', 'c'])).to.deep.equal(HELD);
      await second.release();
      expect(await readdir(folder)).to.deep.equal([]);
    }));

  it('are held by the run that has them, not by those that wait for it', () =>
    inFolder({}, async (folder) => {
      const [first, second] = [await locksOf(folder, 'r1'), await locksOf(folder, 'r3')];
      await first.acquire(['a']);
      const opened = await LockFolder.open(folder, { own: false });
      await opened.publish('r2.waiting', { holder: holder('r2'), places: new Set(['a']) });
      expect(inTheWay(await second.acquire(['a']))).to.deep.equal(['r1: a']);
      await first.release();
      const acquired = second.acquire(['a']);
      const asks = async (): Promise<boolean> => (await readdir(folder)).some((name) => name.startsWith('r3'));
      while (!(await asks()));
      while (await asks());
      await opened.withdraw('r2.waiting');
      expect(await acquired).to.deep.equal(HELD);
    }));

  it('of a run add up, and do not block the run itself', () =>
    inFolder({}, async (folder) => {
      const locks = await locksOf(folder, 'r1');
      expect(await locks.acquire(['a'])).to.deep.equal(HELD);
      expect(await locks.acquire(['a', 'b'])).to.deep.equal(HELD);
      expect([locks.has('a'), locks.has('b'), locks.has('c')]).to.deep.equal([true, true, false]);
      const other = await locksOf(folder, 'r0');
      expect(inTheWay(await other.acquire(['b', 'a']))).to.have.members(['r1: a', 'r1: b']);
      await locks.release();
      expect(await other.acquire(['b', 'a'])).to.deep.equal(HELD);
    }));

  it('of one run can be held by one process only', () =>
    inFolder({}, async (folder) => {
      await (await locksOf(folder, 'r1')).acquire(['a']);
      expect(inTheWay(await (await locksOf(folder, 'r1')).acquire(['b']))).to.deep.equal(['r1: ']);
    }));

  it('of a dead process are taken over, with a message', () =>
    inFolder({}, async (folder) => {
      const killed = await locksOf(folder, 'r1', { holder: holder('r1', { started: 'long ago' }) });
      await killed.acquire(['a']);
      const takenOver: string[] = [];
      const locks = await locksOf(folder, 'r2', { onTakeOver: ({ run }) => takenOver.push(run) });
      expect(await locks.acquire(['a'])).to.deep.equal(HELD);
      expect(takenOver).to.deep.equal(['r1']);
      await locks.release();
      expect(await readdir(folder)).to.deep.equal([]);
    }));

  it('that an ended run left keep nobody out, and are removed when nothing of it can happen any more', () =>
    inFolder({}, async (folder) => {
      const ended = await locksOf(folder, 'r1');
      await ended.acquire(['a', 'b']);
      ended.outlive();
      await ended.release();
      const seen: string[] = [];
      const next = async (run: string, place: string, isDone: boolean): Promise<void> => {
        const onTakeOver = (from: LockHolder, places: readonly string[]): void => {
          seen.push(`${run}: ${from.run} ${places.join()}`);
        };
        const locks = await locksOf(folder, run, { onTakeOver });
        expect(await locks.acquire([place])).to.deep.equal(HELD);
        await locks.release(() => isDone);
      };
      await next('r2', 'c', true);
      await next('r3', 'a', false);
      await next('r4', 'b', true);
      await next('r5', 'a', true);
      expect(seen).to.deep.equal(['r3: r1 a', 'r4: r1 b']);
      expect(await readdir(folder)).to.deep.equal([]);
    }));

  it('are left by an ended run only if it held some and something of it can still happen', () =>
    inFolder({}, async (folder) => {
      for (const [run, places, outlives] of [
        ['r1', [], true],
        ['r2', ['a'], false],
        ['r3', ['b'], true],
        ['r4', ['d'], false],
      ] as const) {
        const locks = await locksOf(folder, run);
        expect(await locks.acquire(places)).to.deep.equal(HELD);
        if (outlives) locks.outlive();
        await locks.release();
      }
      const left = await readdir(folder);
      expect(left).to.have.length(1);
      expect(await readFile(path.join(folder, left[0]!), 'utf8'))
        .to.include('r3')
        .and.include('"b"');
    }));

  it('of another machine are never taken over', () =>
    inFolder({}, async (folder) => {
      const elsewhere = await locksOf(folder, 'r1', {
        holder: holder('r1', { host: 'build-7', boot: 'another', started: 'long ago' }),
      });
      await elsewhere.acquire(['a']);
      const acquired = await (await locksOf(folder, 'r2')).acquire(['a']);
      expect(inTheWay(acquired)).to.deep.equal(['r1: a']);
      expect(acquired.status === 'refused' && acquired.conflicts[0]?.elsewhere).to.equal(true);
    }));

  it('that cannot be parsed may be for any controller', () =>
    inFolder({ 'x.json': '{"version":2}' }, async (folder) => {
      expect(inTheWay(await (await locksOf(folder, 'r2')).acquire(['a']))).to.deep.equal(['?: ']);
    }));

  it('are waited for without holding any lock meanwhile', () =>
    inFolder({}, async (folder) => {
      const [first, second] = [await locksOf(folder, 'r2'), await locksOf(folder, 'r1')];
      await first.acquire(['a']);
      const waits: string[] = [];
      let onWait = (): void => undefined;
      const waiting = new Promise<void>((resolve) => (onWait = resolve));
      const acquired = second.acquireWhenFree(new Set(['a', 'b']), new AbortController().signal, (conflicts) => {
        waits.push(inTheWay({ status: 'refused', conflicts }).join());
        onWait();
      });
      await waiting;
      const third = await locksOf(folder, 'r3');
      expect(await third.acquire(['b'])).to.deep.equal(HELD);
      await first.release();
      // Now it waits for the third.
      while (waits.length < 2) await new Promise(setImmediate);
      expect(waits).to.deep.equal(['r2: a', 'r3: b']);
      await third.release();
      expect(await acquired).to.deep.equal(HELD);
    }));

  it('are waited for until the run ends', () =>
    inFolder({}, async (folder) => {
      await (await locksOf(folder, 'r1')).acquire(['a']);
      const stop = new AbortController();
      const locks = await locksOf(folder, 'r2');
      const acquired = locks.acquireWhenFree(new Set(['a']), stop.signal, () => {
        stop.abort();
      });
      expect(await acquired).to.deep.equal({ status: 'interrupted' });
      expect((await readdir(folder)).filter((name) => name.startsWith('r2'))).to.deep.equal([]);
    }));

  it('leave no file if they cannot be written', () =>
    inFolder({}, async (folder) => {
      const locks = await locksOf(path.join(folder, 'locks'), 'r1');
      await rename(path.join(folder, 'locks'), path.join(folder, 'away'));
      const failed = await locks.acquire(['a']).catch((error: unknown) => error);
      expect(failed).to.be.an('error').with.property('name', 'LockFolderError');
      expect(await readdir(path.join(folder, 'away'))).to.deep.equal([]);
    }));
});

describe('locks of controllers that appear during a run', () => {
  it('are acquired together, and only those of another run are refused', () =>
    inFolder({}, async (folder) => {
      await (await locksOf(folder, 'r1')).acquire(['b', 'd']);
      const locks = await locksOf(folder, 'r2');
      let asked = 0;
      const late = new LateLocks({
        has: (place) => locks.has(place),
        acquire: (...given) => {
          if ((asked += 1) > 3) throw new Error('asked again and again');
          return locks.acquire(...given);
        },
      });
      const soon = <T>(work: Promise<T>): Promise<T> =>
        Promise.race([work, sleep(10_000, undefined, { ref: false }).then(() => expect.fail('no answer'))]);
      const answers = await soon(Promise.all(['a', 'b', 'c', 'b', 'd', 'e'].map((place) => late.acquire(place))));
      expect(answers.map((conflicts) => conflicts.length)).to.deep.equal([0, 1, 0, 1, 1, 0]);
      expect(['a', 'b', 'c', 'd', 'e'].filter((place) => locks.has(place))).to.deep.equal(['a', 'c', 'e']);
      // One of `a` alone, one of the others.
      expect((await readdir(folder)).filter((name) => /^r2.*json$/.test(name))).to.have.lengthOf(2);
      expect([await late.acquire('a'), asked]).to.deep.equal([[], 3]);
      asked = 0;
      expect(await soon(late.acquire('f'))).to.deep.equal([]);
      expect(await soon(late.acquire('d'))).to.have.length(1);
    }));
});

describe('the folder of locks', () => {
  const failure = (folder: string): Promise<unknown> =>
    LockFolder.open(folder, { own: true }).catch((error: unknown) => (error instanceof Error ? error.message : error));

  it('of one user is not reused for another', () =>
    inFolder({ 'open/x': '', 'real/x': '' }, async (root) => {
      await chmod(path.join(root, 'open'), 0o777);
      await symlink(path.join(root, 'real'), path.join(root, 'link'));
      expect(await failure(path.join(root, 'open/locks'))).to.equal(
        `${root}/open/locks cannot be used: other users can write to ${root}/open`,
      );
      expect(await failure(path.join(root, 'link/locks'))).to.equal(
        `${root}/link/locks cannot be used: ${root}/link is not a folder`,
      );
    }));

  it('cannot be a file', () =>
    inFolder({ locks: '' }, async (root) => {
      expect(await failure(path.join(root, 'locks'))).to.match(/^\S+ cannot be used: it is not a folder$/);
    }));

  it('is watched until it changes, or the run no longer waits', () =>
    inFolder({}, async (root) => {
      const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const before = timers();
      const folder = await LockFolder.open(path.join(root, 'locks'), { own: true });
      const changed = folder.change(600_000);
      expect(timers()).to.equal(before + 1);
      await writeFile(path.join(root, 'locks/x'), '');
      await changed;
      expect(timers()).to.equal(before);
      await folder.change(600_000, AbortSignal.abort());
      expect(timers()).to.equal(before);
    }));
});

describe('the text of a lock', () => {
  const lock = { holder: holder('r1'), places: new Set(['a']) };

  it('is parsed to what was written', () => {
    expect(parseLock(lockText(lock))).to.deep.equal(lock);
    // In a container, the run can be the first process.
    const first = { ...lock, holder: { ...lock.holder, process: { host: 'a', pid: 1 } } };
    expect(parseLock(lockText(first))).to.deep.equal(first);
  });

  it('is rejected if a part is missing or has another type', () => {
    const whole = JSON.parse(lockText(lock)) as Record<string, Record<string, unknown>>;
    const broken = [
      '',
      '[]',
      'null',
      '{',
      JSON.stringify({ ...whole, version: 2 }),
      JSON.stringify({ ...whole, places: [1] }),
      JSON.stringify({ ...whole, holder: { ...whole['holder'], run: 1 } }),
      ...[0, -1, 1.5, '1'].map((pid) =>
        JSON.stringify({ ...whole, holder: { ...whole['holder'], process: { host: 'a', pid } } }),
      ),
    ];
    expect(broken.map(parseLock)).to.deep.equal(broken.map(() => undefined));
  });
});
