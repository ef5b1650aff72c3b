import { readdir, readFile, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { TakenOver } from '../../../src/launch/lock/locked_names.js';
import { journalFile, runFolder } from '../../../src/record/journal/format/run_folders.js';
import { parseLock, controllerKey, type LockHolder, LockFolder } from '../../../src/record/locks/lock_folder.js';
import { accountName, ownIdentity } from '../../../src/record/locks/process_identity.js';
import { holder } from '../../record/locks/rig.js';
import { settingsOf } from '../../rig/controllers.js';
import { beginRun } from '../../rig/kept.js';
import { lock, locked, type Loaded } from './rig.js';

/** Of a process that was killed, with locks on these controllers. */
async function killed(folder: string, dead: LockHolder, ...urls: readonly string[]): Promise<void> {
  const opened = await LockFolder.open(folder, { own: false });
  const token = `${dead.run}.1`;
  await opened.publish(token, { holder: dead, places: new Set(urls.map(controllerKey)) });
  await opened.hold(token);
}

const holders = async (folder: string): Promise<readonly (LockHolder | undefined)[]> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.map((text) => parseLock(text)?.holder);
};

const granted = async (answer: ReturnType<typeof lock>) => {
  const given = await answer;
  if (given.status !== 'granted') throw new Error(given.status);
  return given.lock;
};

const dead = (run: string, given: Partial<LockHolder> = {}): LockHolder => ({
  ...holder(run, { started: 'long ago' }),
  ...given,
});

describe('the locks that ended runs left', () => {
  it('stay until their writes cannot take effect any more, each on its own', () =>
    locked('h1,h2', async (folder, run) => {
      await killed(folder, dead('r7'), 'https://h1');
      await killed(folder, dead('r8'), 'https://h2');
      const takenOver = new TakenOver();
      await (await granted(lock(folder, run, 'r9', { takenOver }))).release();
      expect((await holders(folder)).map((one) => one?.run)).to.deep.equal(['r7', 'r8']);
      const next = new TakenOver();
      const again = await granted(lock(folder, run, 'r9', { takenOver: next }));
      await next.known();
      next.writes.waitFor('https://h1', 0);
      await again.release();
      expect((await holders(folder)).map((one) => one?.run)).to.deep.equal(['r8']);
    }));

  it('are told only if the run was killed, and a resume knows its own writes', () =>
    locked('h1,h2,h3', async (folder, run) => {
      await killed(folder, dead('r7', { ended: true }), 'https://h1');
      await killed(folder, dead('r8'), 'https://h2');
      await killed(folder, dead('r9'), 'https://h3');
      const [notices, takenOver] = [new Array<[string, string]>(), new TakenOver()];
      await lock(folder, run, 'r9', { takenOver, notices });
      await takenOver.known();
      const told = (id: string): [string, string] => [
        `run ${id} (process ${process.pid}) ended without releasing its locks: its controllers are free again`,
        'detail',
      ];
      expect(notices).to.have.deep.members([told('r8'), told('r9')]);
      const waits = ['h1', 'h2', 'h3'].map((name) => takenOver.writes.waitFor(`https://${name}`, 60) !== undefined);
      expect(waits).to.deep.equal([true, true, false]);
    }));

  it('are those of a run that lasted for weeks, if it was at work in the last one', () =>
    locked('h1,h2,h3,h4,h5', async (folder, run) => {
      const weeksAgo = new Date(Date.now() - 30 * 86_400_000);
      const state = path.join(folder, 'state');
      const long = (id: string, given: Partial<LockHolder> = {}) =>
        dead(id, { since: weeksAgo.toISOString(), state, ...given });
      const journals = await Promise.all(['r6', 'r7'].map((id) => beginRun(state, { id })));
      for (const journal of journals) await journal.close();
      await utimes(journalFile(runFolder(state, 'r6')), weeksAgo, weeksAgo);
      const unreadable = path.join(folder, 'loop');
      await symlink(unreadable, unreadable);
      await killed(folder, long('r4', { state: unreadable }), 'https://h5');
      const since = new Date(Date.now() - 36 * 86_400_000).toISOString();
      await killed(folder, long('r3', { state: unreadable, since }), 'https://h5');
      await killed(folder, long('r5'), 'https://h1');
      await killed(folder, long('r6'), 'https://h2');
      await killed(folder, long('r7'), 'https://h3');
      await killed(folder, long('r8', { state: undefined }), 'https://h4');
      const notices: [string, string][] = [];
      await granted(lock(folder, run, 'r9', { notices }));
      expect(notices.map(([text]) => text.split(' (')[0])).to.have.members(['run r4', 'run r7']);
      expect((await holders(folder)).map((one) => one?.run)).to.deep.equal(['r4', 'r7', 'r9']);
    }));

  it('on controllers that are known late are read before these are contacted', () =>
    locked('h1', async (folder, run) => {
      // Its journal is gone, which only reading it shows.
      await killed(folder, dead('r8', { state: path.join(folder, 'gone') }), 'https://h2');
      const takenOver = new TakenOver();
      const own = await granted(lock(folder, run, 'r9', { takenOver }));
      const contacted: unknown[] = [];
      const variables = { get: () => 'x', home: undefined, isGiven: false, declaredBy: undefined };
      const connect = own.guard((settings, given) => {
        const isKnown = takenOver.writes.waitFor(settings.url, 60) !== undefined;
        contacted.push([settings.url, isKnown, given]);
        return Promise.resolve({} as never);
      });
      for (const url of ['https://h2', 'https://h1']) await connect(settingsOf(url, undefined), variables);
      expect(contacted).to.deep.equal([
        ['https://h2', true, variables],
        ['https://h1', false, variables],
      ]);
      await own.release();
      expect((await holders(folder)).map((one) => one?.run)).to.deep.equal(['r8']);
    }));
});

describe('the file of a lock', () => {
  const about = { process: ownIdentity(), user: accountName(), command: 'evenkeel run p.yml' };
  const withoutTimes = (all: readonly (LockHolder | undefined)[]) =>
    all.map((one) => one && { ...one, since: Date.parse(one.since) > 0 });

  it('says who has it, and where the journal is', () =>
    locked('h1', async (folder, run) => {
      await lock(folder, run, 'r1');
      const state = run.loaded.target.project.stateDirectory;
      expect(withoutTimes(await holders(folder))).to.deep.equal([{ run: 'r1', ...about, since: true, state }]);
    }));

  it('is in a folder of the user without EVENKEEL_LOCK_DIR', () =>
    locked('h1', async (folder, run: Loaded['run']) => {
      const { TMPDIR } = process.env;
      process.env['TMPDIR'] = path.dirname(folder);
      try {
        const own = await granted(lock('', run, 'r1'));
        const user = path.join(path.dirname(folder), `evenkeel-${process.getuid?.() ?? ''}`, 'claims');
        expect(withoutTimes(await holders(user)).map((one) => one?.run)).to.deep.equal(['r1']);
        await own.release();
        expect(await readdir(user)).to.deep.equal([]);
      } finally {
        if (TMPDIR === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = TMPDIR;
      }
    }));
});
