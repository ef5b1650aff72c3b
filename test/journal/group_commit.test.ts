import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { appendFile, type AppendFile } from '../../src/journal/append_file.js';
import { GroupCommit } from '../../src/journal/group_commit.js';
import { inFolder } from '../rig/folder.js';

/** A real file that counts what is asked of the disk, and can hold it up or refuse. */
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
  const file = appendFile(await open(name, 'wx'), () => Promise.resolve());
  const watched: Watched = {
    syncs: 0,
    writes: 0,
    gate: Promise.resolve(),
    refuses: undefined,
    text: () => readFile(name, 'utf8'),
    write: async (bytes, position) => {
      watched.writes += 1;
      if (watched.refuses === undefined) return file.write(bytes, position);
      // As a full disk does: some of it gets there.
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

const asItIs = (line: string): string => line;

describe('group commit', () => {
  it('puts a thousand lines on disk in two turns: one under way, and one for all that came meanwhile', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, asItIs, () => undefined);
      let open = (): void => undefined;
      file.gate = new Promise((resolve) => (open = resolve));
      const first = lines.commit('0');
      while (file.syncs === 0) await new Promise((resolve) => setImmediate(resolve));
      const others = Array.from({ length: 999 }, (_, index) => lines.commit(`${index + 1}`));
      open();
      await Promise.all([first, ...others]);
      expect(file.syncs).to.equal(2);
      expect(await file.text()).to.equal(Array.from({ length: 1000 }, (_, index) => `${index}\n`).join(''));
      await lines.close();
    }));

  it('resolves when everything before is on disk too', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, asItIs, () => undefined);
      lines.append('a');
      lines.append('b');
      await lines.commit('c');
      expect(await file.text()).to.equal('a\nb\nc\n');
      expect([file.writes, file.syncs]).to.deep.equal([1, 1]);
      await lines.close();
    }));

  it('gathers what nobody waits for, and never syncs for it before the end', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, asItIs, () => undefined);
      for (let index = 0; index < 500; index++) lines.append(`${index}`);
      while (file.writes === 0) await new Promise((resolve) => setImmediate(resolve));
      expect([file.writes, file.syncs]).to.deep.equal([1, 0]);
      await lines.close();
      expect((await file.text()).split('\n')).to.have.length(501);
      expect([file.writes, file.syncs]).to.deep.equal([2, 1]);
    }));

  it('flushes at once, and goes on after it as if nothing had been', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, asItIs, () => undefined);
      lines.append('a');
      lines.flush();
      expect(await file.text()).to.equal('a\n');
      lines.append('b');
      await lines.commit('c');
      lines.append('d');
      lines.flush();
      lines.flush();
      expect(await file.text()).to.equal('a\nb\nc\nd\n');
      await lines.close();
      expect(await file.text()).to.equal('a\nb\nc\nd\n');
    }));

  it('makes each line once, when it is written: what is encrypted is another text each time', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      let made = 0;
      const lines = new GroupCommit(
        file,
        0,
        (line: string) => `${line}${++made}`,
        () => undefined,
      );
      lines.append('a');
      lines.append('b');
      expect(made).to.equal(0);
      lines.flush();
      expect(await file.text()).to.equal('a1\nb2\n');
      await lines.commit('c');
      expect(await file.text()).to.equal('a1\nb2\nc3\n');
      await lines.close();
      expect(made).to.equal(3);
    }));

  it('tells once that it failed, and refuses whoever waits from then on', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const told: unknown[] = [];
      const lines = new GroupCommit(file, 0, asItIs, (error) => told.push(error));
      const full = new Error('no space');
      file.refuses = full;
      const outcomes = await Promise.allSettled([lines.commit('a'), lines.commit('b')]);
      expect(outcomes.map((one) => one.status === 'rejected' && Object.is(one.reason, full))).to.deep.equal([
        true,
        true,
      ]);
      expect(await lines.commit('c').catch((error: unknown) => error)).to.equal(full);
      expect(told).to.deep.equal([full]);
      await lines.close();
    }));

  it('takes a line that cannot be made for a failure, and comes to an end all the same', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const told: unknown[] = [];
      const odd = new Error('no line');
      const make = (line: string): string => {
        if (line === 'odd') throw odd;
        return line;
      };
      const lines = new GroupCommit(file, 0, make, (error) => told.push(error));
      await lines.commit('a');
      expect(await lines.commit('odd').catch((error: unknown) => error)).to.equal(odd);
      lines.append('odd');
      await lines.close();
      expect(told).to.deep.equal([odd]);
      expect(await file.text()).to.equal('a\n');
    }));

  it('writes at the end what it could not before, if there is room again', () =>
    inFolder({}, async (folder) => {
      const file = await watchedIn(folder);
      const lines = new GroupCommit(file, 0, asItIs, () => undefined);
      await lines.commit('first');
      file.refuses = new Error('no space');
      await lines.commit('second').catch(() => undefined);
      lines.append('third');
      expect(await file.text()).to.equal('first\nsec');
      file.refuses = undefined;
      await lines.close();
      expect(await file.text()).to.equal('first\nsecond\nthird\n');
    }));
});
