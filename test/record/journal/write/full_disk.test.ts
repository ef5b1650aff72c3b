import { execFile } from 'node:child_process';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ConfirmedLength } from '../../../../src/record/journal/format/confirmed.js';
import { openKey } from '../../../../src/record/journal/format/project_key.js';
import { journalFile, runFolder } from '../../../../src/record/journal/format/run_folders.js';
import { appendFile } from '../../../../src/record/journal/write/append_file.js';
import { ROOT } from '../../../rig/command.js';
import { masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, aWarning, beginRun, journalOf, readKept } from '../../../rig/kept.js';
import { mounted, SMALL } from '../../../rig/mounted.js';
import { traced } from '../../../rig/traced.js';

const run = promisify(execFile);

const LONG = 'x'.repeat(1000);

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('a full disk', () => {
  it('prevents writes, and keeps everything that fits', function () {
    return mounted(this, SMALL, async (state) => {
      const journal = await beginRun(state);
      await journal.intend(anIntent());
      for (let index = 0; index < 200; index++) journal.keep(masked(aWarning(LONG)));
      const refused = await messageOf(journal.intend(anIntent({ place: '0:2' })));
      expect(refused).to.equal(
        "nothing was written, because the run's journal cannot be written: no space left on device",
      );
      expect(journal.broken.reason).to.equal(
        `the journal of the run cannot be written: no space left on device (${journalFile(runFolder(state, journal.id))})`,
      );
      await journal.close();
      expect(await readKept(state, journal.id, ({ writes }) => writes().length)).to.equal(1);
    });
  });

  it('gets the missing records as soon as there is room, with the unsent write marked as refused', function () {
    return mounted(this, SMALL, async (state) => {
      const journal = await beginRun(state);
      const ballast = path.join(state, 'ballast');
      await writeFile(ballast, LONG.repeat(40));
      for (let index = 0; index < 30; index++) journal.keep(masked(aWarning(LONG)));
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

  it('shows in order what fits, and that something is missing', function () {
    return mounted(this, SMALL, async (disk) => {
      const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, at) => String(at % 9999).padStart(5)).join(''));
      for (const way of ['writeNow', 'write'] as const) {
        const name = path.join(disk, way);
        const handle = await open(name, 'w');
        const confirmation = await ConfirmedLength.open(disk);
        const file = appendFile({ handle, path: name, alongside: () => Promise.resolve(), confirmation });
        // Before the disk is full, the system takes a part of the bytes and reports no error.
        const refused = await messageOf(Promise.resolve().then(() => file[way](bytes, 0)));
        expect(refused, way).to.include('ENOSPC');
        await file.close();
        const written = await readFile(name);
        expect(written.length, way).to.be.within(4096, bytes.length - 1);
        expect(written.equals(bytes.subarray(0, written.length)), way).to.equal(true);
        await rm(name);
      }
    });
  });

  it('prevents runs from starting', function () {
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
  it('is reported if it is read-only', function () {
    return mounted(this, ['-t', 'tmpfs', '-o', 'ro', 'tmpfs'], async (state) => {
      expect(await messageOf(beginRun(state))).to.match(
        /^cannot keep a journal of the run in .*\/runs\/[\w-]+: read-only file system$/,
      );
    });
  });

  it('is reported if it cannot be created', async function () {
    if (process.platform !== 'linux') this.skip();
    expect(await messageOf(beginRun('/proc/evenkeel/state'))).to.match(
      /^cannot keep a journal of the run in \/proc\/evenkeel\/state\/runs\/[\w-]+: no such file or directory$/,
    );
  });

  it('is reported if a file is in its place', () =>
    inFolder({ state: 'a file' }, async (folder) => {
      const state = path.join(folder, 'state');
      expect(await messageOf(beginRun(state))).to.match(/^cannot keep a journal of the run in .*: not a directory$/);
    }));

  it('can still be read', function () {
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

describe('a state folder that disappears during a run', () => {
  for (const [what, takeAway] of [
    ['deleted', (state: string) => rm(state, { recursive: true })],
    ['moved', (state: string) => rename(state, `${state}-moved`)],
  ] as const) {
    it(`prevents further writes when it is ${what}`, () =>
      inFolder({}, async (folder) => {
        const state = path.join(folder, 'state');
        const journal = await beginRun(state);
        await journal.intend(anIntent());
        await takeAway(state);
        expect(await messageOf(journal.intend(anIntent({ place: '0:2' })))).to.equal(
          "nothing was written, because the run's journal cannot be written: it was deleted or moved during the run",
        );
        expect(journal.broken.reason).to.equal(
          `the journal of the run cannot be written: it was deleted or moved during the run (${journalFile(runFolder(state, journal.id))})`,
        );
        await journal.close();
        if (what === 'deleted') return;
        await rename(`${state}-moved`, state);
        const outcomes = await readKept(state, journal.id, ({ writes }) => writes().map(({ outcome }) => outcome));
        expect(outcomes).to.deep.equal(['unknown', 'refused']);
      }));
  }

  it('prevents further writes when another file replaces the journal', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await journal.intend(anIntent());
      const file = journalFile(runFolder(state, journal.id));
      await copyFile(file, `${file}.copy`);
      await rename(`${file}.copy`, file);
      expect(await messageOf(journal.intend(anIntent({ place: '0:2' })))).to.include(
        'it was replaced by another file during the run',
      );
      await journal.close();
    }));

  it('does not stop a run whose file system changes inode numbers, as long as the path leads to what was written', () =>
    inFolder({ journal: '', shown: '' }, async (folder) => {
      const [own = '', shown = ''] = ['journal', 'shown'].map((name) => path.join(folder, name));
      const handle = await open(own, 'r+');
      // What the path leads to has another inode, and the same content by the first sync.
      const alongside = () => copyFile(own, shown);
      const confirmation = await ConfirmedLength.open(folder);
      const file = appendFile({ handle, path: shown, alongside, confirmation });
      const line = Buffer.from('x'.repeat(10_000));
      await file.write(line, 0);
      await file.sync();
      await file.sync();
      await file.write(line, line.length);
      expect(await messageOf(file.sync())).to.equal('it was replaced by another file during the run');
      await copyFile(own, shown);
      await file.sync();
      await file.close();
    }));

  it('is noticed at the end of a run that writes nothing more', () =>
    inFolder({}, async (folder) => {
      const state = path.join(folder, 'state');
      const journal = await beginRun(state);
      await journal.intend(anIntent());
      await rm(state, { recursive: true });
      expect(journal.broken.aborted).to.be.false;
      await journal.untilOnDisk();
      expect(journal.broken.aborted).to.be.true;
      await journal.close();
    }));
});

describe('the folders that lead to a run', () => {
  it('are kept out of version control after a first run for which the disk was full', function () {
    return mounted(this, SMALL, async (disk) => {
      const [state, filler] = [path.join(disk, 'state'), path.join(disk, 'filler')];
      await writeFile(filler, Buffer.alloc(1 << 20)).catch(() => undefined);
      expect(await openKey(state).catch((error: unknown) => String(error))).to.include('ENOSPC');
      await rm(filler);
      await openKey(state);
      expect(await readFile(path.join(state, '.gitignore'), 'utf8')).to.equal('*\n');
    });
  });

  it('are on disk before its first write: those of the key and of the journal', function () {
    return inFolder({}, async (folder) => {
      const code = `
        const { anIntent, beginRun } = await import(${JSON.stringify(path.join(ROOT, 'test/rig/kept.ts'))});
        const journal = await beginRun(process.argv[1]);
        await journal.intend(anIntent());
        await journal.close();
      `;
      const calls = await traced(this, folder, code);
      const synced = calls.filter((one) => !/^(rename|unlink)/.test(one));
      const [id = ''] = await readdir(path.join(folder, 'runs'));
      const key = synced.indexOf('link key');
      expect(key, 'the key is made').to.be.greaterThan(-1);
      expect(synced[key + 1]).to.equal('fsync .');
      const made = synced.findLastIndex((one) => one.includes(`.new-${id}`));
      const journal = `fdatasync runs/${id}/journal.jsonl`;
      expect(synced.slice(made + 1, made + 5)).to.have.members([`fsync runs/${id}`, 'fsync runs', 'fsync .', journal]);
    });
  });
});
