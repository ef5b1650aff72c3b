import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ConfirmedLength } from '../../../../src/record/journal/format/confirmed.js';
import { appendFile, type AppendFile } from '../../../../src/record/journal/write/append_file.js';
import { GroupCommit } from '../../../../src/record/journal/write/group_commit.js';
import { inFolder } from '../../../rig/folder.js';

/** A real file that counts its operations, and can delay or refuse them. */
interface Watched extends AppendFile {
  readonly text: () => Promise<string>;
  syncs: number;
  writes: number;
  /** The next syncs wait for it. */
  gate: Promise<void>;
  refuses: Error | undefined;
}

async function watchedIn(folder: string): Promise<Watched> {
  const name = path.join(folder, 'lines');
  const file = appendFile({
    handle: await open(name, 'wx'),
    path: name,
    alongside: () => Promise.resolve(),
    confirmation: await ConfirmedLength.open(folder),
  });
  const watched: Watched = {
    syncs: 0,
    writes: 0,
    gate: Promise.resolve(),
    refuses: undefined,
    text: () => readFile(name, 'utf8'),
    write: async (bytes, position) => {
      watched.writes += 1;
      if (watched.refuses === undefined) return file.write(bytes, position);
      // As on a full disk: a part is written.
      await file.write(bytes.subarray(0, 3), position);
      throw watched.refuses;
    },
    sync: async () => {
      watched.syncs += 1;
      await watched.gate;
      await file.sync();
    },
    writeNow: (bytes, position) => {
      file.writeNow(bytes, position);
    },
    close: () => file.close(),
  };
  return watched;
}

describe('group commit', () => {
  it('writes a line after the files that it names, and later lines after it', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      let finish = (): void => undefined;
      const named = new Promise<void>((resolve) => (finish = resolve));
      const done = Promise.all([lines.commit('0\n', [named]), lines.commit('1\n')]);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      expect([file.writes, await file.text()]).to.deep.equal([0, '']);
      finish();
      await done;
      expect(await file.text()).to.equal('0\n1\n');
      await lines.close();
    }));

  it('breaks if a file that a line names cannot be written', () =>
    inFolder({}, async (folder) => {
      const failures: unknown[] = [];
      const lines = new GroupCommit(await watchedIn(folder), 0, (error) => failures.push(error));
      const error = new Error('no space left');
      const refused = await lines.commit('0\n', [Promise.reject(error)]).catch((why: unknown) => why);
      expect([refused, ...failures]).to.deep.equal([error, error]);
      await lines.close();
    }));

  it('puts a thousand lines on disk in two syncs: the running one, and one for all lines that came meanwhile', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      let open = (): void => undefined;
      file.gate = new Promise((resolve) => (open = resolve));
      // Starts the timer of the lines.
      lines.append('');
      const first = lines.commit('0\n');
      while (file.syncs === 0) await new Promise((resolve) => setImmediate(resolve));
      const others = Array.from({ length: 999 }, (_, index) => lines.commit(`${index + 1}\n`));
      // Timers of the same length end in the order in which they began, so that of the lines has ended then.
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect([file.writes, file.syncs]).to.deep.equal([1, 1]);
      open();
      await Promise.all([first, ...others]);
      expect(file.syncs).to.equal(2);
      expect(await file.text()).to.equal(Array.from({ length: 1000 }, (_, index) => `${index}\n`).join(''));
      await lines.close();
    }));

  it('resolves when everything before is on disk too', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      lines.append('a\n');
      lines.append('b\n');
      await lines.commit('c\n');
      expect(await file.text()).to.equal('a\nb\nc\n');
      expect([file.writes, file.syncs]).to.deep.equal([1, 1]);
      await lines.close();
    }));

  it('collects lines that no one waits for, and syncs them only at the end', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      for (let index = 0; index < 500; index++) lines.append(`${index}\n`);
      while (file.writes === 0) await new Promise((resolve) => setImmediate(resolve));
      expect([file.writes, file.syncs]).to.deep.equal([1, 0]);
      await lines.close();
      expect((await file.text()).split('\n')).to.have.length(501);
      expect([file.writes, file.syncs]).to.deep.equal([1, 1]);
    }));

  it('flushes at once, and continues normally', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      lines.append('a\n');
      lines.flush(true);
      expect(await file.text()).to.equal('a\n');
      lines.append('b\n');
      await lines.commit('c\n');
      lines.append('d\n');
      lines.flush(true);
      lines.flush(true);
      expect(await file.text()).to.equal('a\nb\nc\nd\n');
      await lines.close();
      expect(await file.text()).to.equal('a\nb\nc\nd\n');
    }));

  it('reports its failure once, and rejects all that wait from then on', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const errors: unknown[] = [];
      const lines = new GroupCommit(file, 0, (error) => errors.push(error));
      const full = new Error('no space');
      file.refuses = full;
      const outcomes = await Promise.allSettled([lines.commit('a\n'), lines.commit('b\n')]);
      expect(outcomes.map((one) => one.status === 'rejected' && Object.is(one.reason, full))).to.deep.equal([
        true,
        true,
      ]);
      expect(await lines.commit('c\n').catch((error: unknown) => error)).to.equal(full);
      expect(errors).to.deep.equal([full]);
      await lines.close();
    }));

  it('writes no line at the end that names a file which could not be written', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      await lines.commit('first\n');
      await lines.commit('second\n', [Promise.reject(new Error('no space'))]).catch(() => undefined);
      await lines.close();
      expect(await file.text()).to.equal('first\n');
    }));

  it('writes the lines before one whose file is not on disk, also at the end of the process', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      let lose: (error: Error) => void = () => undefined;
      const named = new Promise<void>((_, reject) => (lose = reject));
      const before = lines.commit('0\n');
      const after = lines.commit('1\n', [named]).catch((error: unknown) => error);
      lines.append('2\n');
      lines.flush(false);
      expect(await file.text()).to.equal('0\n');
      lines.flush(true);
      expect(await file.text()).to.equal('0\n1\n2\n');
      await before;
      const error = new Error('no space');
      lose(error);
      expect(await after).to.equal(error);
      await file.write(Buffer.from('?'.repeat(4)), 2);
      lines.flush(true);
      await lines.close();
      expect(await file.text()).to.equal('0\n????');
    }));

  it('writes at the end what it could not before, if there is room again', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, () => undefined);
      await lines.commit('first\n');
      file.refuses = new Error('no space');
      await lines.commit('second\n').catch(() => undefined);
      lines.append('third\n');
      expect(await file.text()).to.equal('first\nsec');
      file.refuses = undefined;
      await lines.close();
      expect(await file.text()).to.equal('first\nsecond\nthird\n');
    }));
});
