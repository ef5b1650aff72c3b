import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { readOrMakeKey } from '../../src/journal/key_file.js';
import { findRun } from '../../src/journal/run_folders.js';
import { Sealer } from '../../src/journal/sealer.js';
import { Unsafe } from '../../src/model/value.js';
import { inFolder } from '../rig/folder.js';
import { aStep, beginRun, journalOf, readKept } from '../rig/kept.js';

async function failure(work: Promise<unknown>): Promise<{ message: string; hint: unknown }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return { message: error.message, hint: Reflect.get(error, 'hint') };
  }
  throw new Error('nothing failed');
}

const STEP = aStep({ title: 'Ask', left: { values: { answer: new Unsafe('s3cret'), number: Infinity } } });

/** A run that is kept, with something sealed in it. */
async function keptIn(state: string): Promise<string> {
  const journal = await beginRun(state, { start: { invocation: { answers: { word: 's3cret' } } } });
  journal.record(STEP);
  await journal.close();
  return journal.id;
}

describe('sealing', () => {
  it('brings back any text, and shows none of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealer = new Sealer(Buffer.alloc(32, 1), 'a-run');
        const sealed = sealer.seal(text);
        expect(sealer.open(sealed)).to.equal(text);
        expect(sealed).to.match(/^[\w-]+$/);
      }),
    );
  });

  it('never seals the same text in the same way', () => {
    const sealer = new Sealer(Buffer.alloc(32), 'a-run');
    expect(sealer.seal('text')).to.not.equal(sealer.seal('text'));
  });

  it('opens nothing of another key, another run, or that was changed', () => {
    const key = randomBytes(32);
    const sealed = new Sealer(key, 'a-run').seal('text');
    const changed = (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1);
    expect(() => new Sealer(randomBytes(32), 'a-run').open(sealed)).to.throw();
    expect(() => new Sealer(key, 'another-run').open(sealed)).to.throw();
    expect(() => new Sealer(key, 'a-run').open(changed)).to.throw();
    expect(() => new Sealer(key, 'a-run').open('')).to.throw();
  });

  it('brings a step back as it was, from a file that does not show what it left', () =>
    inFolder({}, async (state) => {
      const id = await keptIn(state);
      expect((await journalOf(state, id)).toString()).to.not.include('s3cret');
      expect(await readFile(path.join(state, 'runs', id, 'run.json'), 'utf8')).to.not.include('s3cret');
      const { invocation, settled } = await readKept(state, id, (run) => ({
        invocation: run.invocation(),
        settled: run.past.settled({ controller: 'lb1', place: '0:1' }),
      }));
      expect(invocation).to.deep.equal({ answers: { word: 's3cret' } });
      const { time, ...step } = { time: undefined, ...settled };
      expect(time).to.be.a('string');
      expect(step).to.deep.equal(STEP);
    }));
});

describe("the project's key", () => {
  it('is made once, for nobody else to read', () =>
    inFolder({}, async (state) => {
      const keys = await Promise.all([1, 2, 3, 4].map(() => readOrMakeKey(state)));
      expect(new Set(keys.map((key) => key.toString('hex'))).size).to.equal(1);
      expect((await stat(path.join(state, 'key'))).mode & 0o777).to.equal(0o600);
    }));

  it('says what cannot be restored when it is gone', () =>
    inFolder({}, async (state) => {
      const id = await keptIn(state);
      await rm(path.join(state, 'key'));
      const hint = 'put the key back that was there when the run was made';
      expect(
        await failure(readKept(state, id, ({ past }) => past.settled({ controller: 'lb1', place: '0:1' }))),
      ).to.deep.equal({
        message: `run ${id}: cannot restore what "Ask" left on lb1: the key ${state}/key is gone`,
        hint,
      });
      expect(await failure(readKept(state, id, (run) => run.invocation()))).to.deep.equal({
        message: `run ${id}: cannot restore how it was asked for: the key ${state}/key is gone`,
        hint,
      });
      expect(await readKept(state, id, ({ header }) => header.command)).to.equal('run');
    }));

  it('says that it is another one', () =>
    inFolder({}, async (state) => {
      const id = await keptIn(state);
      await writeFile(path.join(state, 'key'), Buffer.alloc(32, 7).toString('base64url'));
      expect((await failure(readKept(state, id, (run) => run.invocation()))).message).to.equal(
        `run ${id}: cannot restore how it was asked for: it was sealed with another key than ${state}/key holds`,
      );
    }));

  it('is refused, before anything is kept, if the file holds none', () =>
    inFolder({ key: 'not a key\n' }, async (state) => {
      await chmod(path.join(state, 'key'), 0o600);
      expect(await failure(beginRun(state))).to.deep.equal({
        message: `${state}/key holds no key: it must be 32 bytes as base64url`,
        hint: 'put the right key back; or remove the file, and a new run makes another: what was sealed before stays sealed',
      });
      expect((await failure(findRun(state, 'last'))).message).to.equal(`there are no runs in ${state}/runs yet`);
    }));
});
