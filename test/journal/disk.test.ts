import { execFile } from 'node:child_process';
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { journalFile, runFolder } from '../../src/journal/run_folders.js';
import { inFolder } from '../rig/folder.js';
import { anIntent, aWarning, beginRun, journalOf, readKept } from '../rig/kept.js';

const run = promisify(execFile);

/** A folder on a file system of its own; undefined, which is told, if this machine lets nobody mount one. */
async function mounted<T>(
  context: Mocha.Context,
  options: readonly string[],
  use: (folder: string) => Promise<T>,
): Promise<void> {
  await inFolder({ 'disk/.keep': '' }, async (folder) => {
    const disk = path.join(folder, 'disk');
    try {
      await run('mount', [...options, disk]);
    } catch (error) {
      process.stderr.write(`left out, since nothing can be mounted here: ${String(error)}\n`);
      context.skip();
    }
    try {
      await use(disk);
    } finally {
      await run('umount', [disk]);
    }
  });
}

const SMALL = ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs'];
const LONG = 'x'.repeat(1000);

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('a disk that is full', () => {
  it('lets no write be made, and keeps all that it had room for', function () {
    return mounted(this, SMALL, async (state) => {
      const journal = await beginRun(state);
      await journal.intend(anIntent());
      for (let index = 0; index < 200; index++) journal.keep(aWarning(LONG));
      const refused = await messageOf(journal.intend(anIntent({ place: '0:2' })));
      expect(refused).to.equal("nothing was written, since the run's journal cannot be: no space left on device");
      expect(journal.broken.reason).to.equal(
        `the journal of the run cannot be written: no space left on device (${journalFile(runFolder(state, journal.id))})`,
      );
      await journal.close();
      expect(await readKept(state, journal.id, ({ writes }) => writes().length)).to.equal(1);
    });
  });

  it('gets what was held back as soon as there is room, with the write that was not made marked as refused', function () {
    return mounted(this, SMALL, async (state) => {
      const journal = await beginRun(state);
      const ballast = path.join(state, 'ballast');
      await writeFile(ballast, LONG.repeat(40));
      for (let index = 0; index < 30; index++) journal.keep(aWarning(LONG));
      expect(await messageOf(journal.intend(anIntent()))).to.include('no space left on device');
      await truncate(ballast);
      await journal.close();
      let warnings = 0;
      const outcomes = await readKept(state, journal.id, ({ writes }) => writes().map(({ outcome }) => outcome), {
        onEvent: () => (warnings += 1),
      });
      expect([warnings, outcomes]).to.deep.equal([30, ['refused']]);
    });
  });

  it('lets no run begin', function () {
    return mounted(this, SMALL, async (state) => {
      await writeFile(path.join(state, 'ballast'), LONG.repeat(100)).catch(() => undefined);
      expect(await messageOf(beginRun(state))).to.match(
        /^cannot keep a journal of the run in .*: no space left on device$/,
      );
      expect((await readdir(path.join(state, 'runs')).catch(() => [])).length).to.equal(0);
    });
  });
});

describe('a state folder that cannot be written', () => {
  it('is told when it is read-only', function () {
    return mounted(this, ['-t', 'tmpfs', '-o', 'ro', 'tmpfs'], async (state) => {
      expect(await messageOf(beginRun(state))).to.match(
        /^cannot keep a journal of the run in .*\/runs\/[\w-]+: read-only file system$/,
      );
    });
  });

  it('is told when it can never be made', async function () {
    if (process.platform !== 'linux') this.skip();
    expect(await messageOf(beginRun('/proc/evenkeel/state'))).to.match(
      /^cannot keep a journal of the run in \/proc\/evenkeel\/state\/runs\/[\w-]+: no such file or directory$/,
    );
  });

  it('is told when a file stands in its place', () =>
    inFolder({ state: 'a file' }, async (folder) => {
      const state = path.join(folder, 'state');
      expect(await messageOf(beginRun(state))).to.match(/^cannot keep a journal of the run in .*: not a directory$/);
    }));

  it('can be read all the same', function () {
    return inFolder({}, async (folder) => {
      const journal = await beginRun(folder);
      await journal.intend(anIntent());
      await journal.close();
      await mounted(this, ['--bind', '-o', 'ro', folder], async (state) => {
        await run('mount', ['-o', 'remount,bind,ro', state]);
        expect(await messageOf(mkdir(path.join(state, 'x')))).to.include('EROFS');
        expect(await readKept(state, journal.id, ({ writes }) => writes().length)).to.equal(1);
      });
      expect((await journalOf(folder, journal.id)).length).to.be.greaterThan(0);
    });
  });
});
