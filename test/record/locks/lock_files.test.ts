import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { LateLocks } from '../../../src/launch/lock/lock_controllers.js';
import { lockText, parseLock, type LockHolder, LockFolder } from '../../../src/record/locks/lock_folder.js';
import type { AcquireResult } from '../../../src/record/locks/locks.js';
import { accountName } from '../../../src/record/locks/process_identity.js';
import { ROOT } from '../../rig/command.js';
import { inFolder } from '../../rig/folder.js';
import { traced } from '../../rig/traced.js';
import { holder, locksOf } from './rig.js';

const HELD = { status: 'held' };
const DAY = 86_400_000;

const MODULES = ['src/record/locks/lock_folder.ts', 'test/record/locks/rig.ts'].map((file) => path.join(ROOT, file));

/** A run that was killed so long ago. */
const killed = (run: string, days: number): LockHolder => ({
  ...holder(run, { started: 'long ago' }),
  since: new Date(Date.now() - days * DAY).toISOString(),
});

describe('the files of locks', () => {
  it('are for everybody who shares the folder, or for the user alone', () =>
    inFolder({}, async (root) => {
      for (const [own, mode] of [
        [true, 0o600],
        [false, 0o644],
      ] as const) {
        const before = process.umask(0o077);
        try {
          const folder = await LockFolder.open(path.join(root, `locks ${mode}`), { own });
          await folder.publish('t', { holder: holder('r1'), places: new Set(['a']) });
          await folder.hold('t');
        } finally {
          process.umask(before);
        }
        for (const name of ['t.json', 't.held'])
          expect((await stat(path.join(root, `locks ${mode}`, name))).mode & 0o777, name).to.equal(mode);
      }
    }));

  it('are whole after a power failure, and leave no second file if a process is killed as it removes them', function () {
    return inFolder({}, async (root) => {
      const code = `
        const [{ LockFolder }, { holder }] = await Promise.all(${JSON.stringify(MODULES)}.map((file) => import(file)));
        const folder = await LockFolder.open(process.argv[1], { own: false });
        await folder.publish('t', { holder: holder('r1'), places: new Set(['a']) });
        await folder.hold('t');
        await folder.withdraw('t');
      `;
      const calls = await traced(this, root, code);
      const ends = calls.slice(-4).map((one) => one.replace(/ \.t\.json\.\w+$/, ' draft'));
      expect(ends).to.deep.equal(['fsync draft', 'rename t.json', 'unlink t.held', 'unlink t.json']);
    });
  });

  it('are listed with what they say, without drafts and those that are skipped', () =>
    inFolder({ '.draft': '{', 'other.txt': '', 'x.json': '{' }, async (root) => {
      const folder = await LockFolder.open(root, { own: false });
      const lock = { holder: holder('r1'), places: new Set(['a', 'b']) };
      for (const token of ['r1.1', 'r2.1', 'r2.2']) await folder.publish(token, lock);
      for (const token of ['r1.1', 'r2.1']) await folder.hold(token);
      const listed = async (): Promise<readonly unknown[]> => {
        const files = await folder.list((token) => token === 'r2.1');
        return files.toSorted((a, b) => (a.token < b.token ? -1 : 1));
      };
      const file = (token: string, held: boolean, is: unknown): unknown => ({
        token,
        path: path.join(root, `${token}.json`),
        held,
        lock: is,
      });
      const all = [file('r1.1', true, lock), file('r2.2', false, lock), file('x', false, undefined)];
      expect([await listed(), await listed()]).to.deep.equal([all, all]);
      await folder.withdraw('r1.1');
      await folder.withdraw('none');
      expect(await listed()).to.deep.equal(all.slice(1));
      expect((await readdir(root)).toSorted()).to.deep.equal([
        '.draft',
        'other.txt',
        'r2.1.held',
        'r2.1.json',
        'r2.2.json',
        'x.json',
      ]);
    }));

  it('say everything about a conflict', () =>
    inFolder({}, async (root) => {
      const first = await locksOf(root, 'r1', { holder: { ...holder('r1'), since: '2026-01-01T00:00:00.000Z' } });
      await first.acquire(['a', 'b', 'c']);
      const acquired = await (await locksOf(root, 'r2')).acquire(['c', 'x', 'a']);
      const [file] = (await readdir(root)).filter((name) => name.endsWith('.json'));
      expect(acquired).to.deep.equal({
        status: 'refused',
        conflicts: [
          {
            holder: { ...holder('r1'), since: '2026-01-01T00:00:00.000Z' },
            file: path.join(root, file ?? ''),
            elsewhere: false,
            places: ['c', 'a'],
          },
        ],
      });
      await first.release();
      expect([first.has('a'), await first.acquire(['a'])]).to.deep.equal([false, HELD]);
    }));

  it('of a killed run are taken over once, and forgotten after a week', () =>
    inFolder({}, async (root) => {
      for (const [run, days, places] of [
        ['r1', 6.9, ['a', 'b']],
        ['r2', 0, ['b']],
        ['r3', 6.9, ['z']],
        ['r4', 7.1, ['a', 'b']],
      ] as const)
        await (await locksOf(root, run, { holder: killed(run, days) })).acquire(places);
      const seen: string[] = [];
      const locks = await locksOf(root, 'r9', {
        onTakeOver: ({ run }, places) => seen.push(`${run} ${places.join()}`),
      });
      for (const place of ['a', 'b', 'a']) expect(await locks.acquire([place])).to.deep.equal(HELD);
      expect(seen).to.deep.equal(['r1 a', 'r2 b']);
      await locks.release(({ run }) => run !== 'r2');
      const left = (await readdir(root)).map((name) => name.replace(/\..*\./, '.')).toSorted();
      expect(left).to.deep.equal(['r2.held', 'r2.json', 'r3.held', 'r3.json']);
    }));

  it('that an ended run leaves say that it ended, with all that it held', () =>
    inFolder({}, async (root) => {
      const own = holder('r1');
      const locks = await locksOf(root, 'r1', { holder: own });
      for (const places of [['a'], ['b', 'c']]) await locks.acquire(places);
      locks.outlive();
      await locks.release();
      const names = await readdir(root);
      expect(names).to.have.lengthOf(1);
      expect(names[0]).to.match(/^r1\.\d+\.[0-9a-f]{6}\.ended\.json$/);
      expect(parseLock(await readFile(path.join(root, names[0] ?? ''), 'utf8'))).to.deep.equal({
        holder: { ...own, ended: true },
        places: new Set(['a', 'b', 'c']),
      });
    }));

  it('of a run that is still looking for conflicts win by their name', () =>
    inFolder({}, async (root) => {
      const folder = await LockFolder.open(root, { own: false });
      const locks = await locksOf(root, 'r5');
      await folder.publish('r9.later', { holder: holder('r9'), places: new Set(['a']) });
      const acquiring = locks.acquire(['a']);
      await folder.withdraw('r9.later');
      expect(await acquiring).to.deep.equal(HELD);
      await folder.publish('r1.earlier', { holder: holder('r1'), places: new Set(['b']) });
      const refused = await locks.acquire(['b']);
      expect(refused.status === 'refused' && refused.conflicts.map((one) => one.holder?.run)).to.deep.equal(['r1']);
      expect(locks.has('b')).to.equal(false);
    }));

  it('of a run that may be suspended while it looks are not waited for once this one is interrupted', () =>
    inFolder({}, async (root) => {
      const folder = await LockFolder.open(root, { own: false });
      // Otherwise each of them would be waited for five seconds.
      for (const other of ['r1.earlier', 'r9.later']) {
        await folder.publish(other, { holder: holder(other), places: new Set(['a']) });
        const interrupt = new AbortController();
        const acquiring = (await locksOf(root, 'r5')).acquire(['a'], interrupt.signal);
        interrupt.abort();
        expect((await acquiring).status).to.equal('refused');
        await folder.withdraw(other);
      }
      expect(await readdir(root)).to.deep.equal([]);
    })).timeout(4000);

  it('are not written by a run that has ended before it waits', () =>
    inFolder({}, async (root) => {
      const locks = await locksOf(root, 'r1');
      const waited = await locks.acquireWhenFree(new Set(['a']), AbortSignal.abort(), () => undefined);
      expect([waited, locks.has('a'), await readdir(root)]).to.deep.equal([{ status: 'interrupted' }, false, []]);
    }));
});

describe('locks that are needed late', () => {
  it('say for each controller what is in its way', () =>
    inFolder({}, async (root) => {
      await (await locksOf(root, 'r1')).acquire(['a', 'b']);
      await (await locksOf(root, 'r2')).acquire(['c']);
      const late = new LateLocks(await locksOf(root, 'r9'));
      const runs = async (...places: readonly string[]): Promise<readonly (string | undefined)[][]> =>
        (await Promise.all(places.map((place) => late.acquire(place)))).map((all) => all.map((one) => one.holder?.run));
      expect(await runs('a', 'c', 'd', 'b')).to.deep.equal([['r1'], ['r2'], [], ['r1']]);
      await writeFile(path.join(root, 'x.json'), '');
      expect(await runs('e', 'a', 'd')).to.deep.equal([[undefined], ['r1', undefined], []]);
    }));

  it('are asked for again if somebody removed the lock of a run that was taken for dead', () =>
    inFolder({}, async (root) => {
      const [mine, theirs] = [await locksOf(root, 'r1'), await locksOf(root, 'r2')];
      await mine.acquire(['a', 'b']);
      const removed = (await theirs.acquire(['a'])) as Extract<AcquireResult, { status: 'refused' }>;
      for (const { file } of removed.conflicts) await rm(file);
      expect((await theirs.acquire(['a'])).status).to.equal('held');
      const late = new LateLocks(mine);
      const answers = await Promise.all(['a', 'b', 'b'].map((place) => late.acquire(place)));
      expect(answers.map((all) => all.map((one) => one.holder?.run))).to.deep.equal([['r2'], [], []]);
      expect([mine.has('a'), mine.has('b')]).to.deep.equal([false, true]);
    }));

  it('wait for no run that may be suspended once requests are aborted', () =>
    inFolder({}, async (root) => {
      const folder = await LockFolder.open(root, { own: false });
      await folder.publish('r1.earlier', { holder: holder('r1'), places: new Set(['a']) });
      const abort = new AbortController();
      const acquiring = new LateLocks(await locksOf(root, 'r5'), abort.signal).acquire('a');
      abort.abort();
      expect((await acquiring).map((one) => one.holder?.run)).to.deep.equal(['r1']);
    })).timeout(4000);

  it('fail while the folder cannot be used, all that wait, and are asked for again', () =>
    inFolder({}, async (root) => {
      const [folder, away] = [path.join(root, 'locks'), path.join(root, 'away')];
      const late = new LateLocks(await locksOf(folder, 'r1'));
      await rename(folder, away);
      const failures = await Promise.all(
        ['a', 'a', 'b'].map((place) => late.acquire(place).catch((error: unknown) => String(error))),
      );
      for (const failure of failures) expect(failure).to.match(/^LockFolderError: \S+ cannot be used: ENOENT/);
      await rename(away, folder);
      expect(await Promise.all(['a', 'b'].map((place) => late.acquire(place)))).to.deep.equal([[], []]);
    }));
});

describe('the holder of a lock', () => {
  it('is the user of this process', () => {
    expect(accountName()).to.equal(userInfo().username);
  });

  it('is read with all that it says, and refused if a part of it is something else', () => {
    const whole: LockHolder = { ...holder('r1'), state: '/state', ended: true };
    const text = (changed: object, ofProcess: object = {}): string =>
      JSON.stringify({
        ...(JSON.parse(lockText({ holder: whole, places: new Set(['a']) })) as object),
        holder: { ...whole, process: { ...whole.process, ...ofProcess }, ...changed },
      });
    expect(parseLock(text({}))).to.deep.equal({ holder: whole, places: new Set(['a']) });
    for (const name of ['run', 'user', 'command', 'since'])
      for (const value of [undefined, 1]) expect(parseLock(text({ [name]: value })), name).to.equal(undefined);
    for (const name of ['state', 'ended']) expect(parseLock(text({ [name]: 1 })), name).to.equal(undefined);
    for (const name of ['host', 'machine', 'boot', 'space', 'pid', 'started'])
      expect(parseLock(text({}, { [name]: [] })), name).to.equal(undefined);
    expect(parseLock(text({}, { pid: undefined }))).to.equal(undefined);
  });
});
