import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Unsafe, Vaulted, type Value } from '../../../../src/core/model/values/value.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { openKey, Sealer } from '../../../../src/record/journal/format/project_key.js';
import { findRun } from '../../../../src/record/journal/format/run_folders.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, aStep, beginRun, journalOf, readKept } from '../../../rig/kept.js';

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
  it('uses no nonce twice', () => {
    const sealer = new Sealer(Buffer.alloc(32, 1), 'a-run');
    const nonces = Array.from({ length: 1000 }, () => sealer.sealBytes(Buffer.from('x')).toString('hex', 0, 12));
    expect(new Set(nonces)).to.have.length(1000);
    expect(nonces).to.not.include('0'.repeat(24));
  });

  it('keeps its form, so that journals of earlier versions can be read', () => {
    const sealer = new Sealer(Buffer.alloc(32, 1), 'a-run');
    expect(sealer.open('5C7Q2vvoSpj7cAGKRnC71LNq666XN44l5wI7Bhz45aPrJQ')).to.equal('s3cret');
    expect(sealer.digest({ b: [1, 'x', null], a: true })).to.equal('qN0LT5EEamJjHsWy');
    expect(sealer.sealedName(Buffer.from('s3cret'))).to.equal('963ccc35debe0cdcee283b95656f2ee4ff26e590');
  });

  it('has another digest for each value, whatever the order of its keys', () => {
    const sealer = new Sealer(Buffer.alloc(32, 1), 'a-run');
    const lost = (envelope: string): Vaulted =>
      new Vaulted(
        envelope,
        () => ({ file: 'x', line: 1, column: 1 }),
        () => {
          throw new Error('no password');
        },
      );
    const values: readonly Value[] = [
      'a',
      new Unsafe('a'),
      new Unsafe('b'),
      lost('a'),
      lost('c'),
      ['a'],
      { a: 'a' },
      { a: 'a', b: 1 },
      {},
      [],
      null,
      0,
      '0',
      NaN,
      Infinity,
      'NaN',
      true,
    ];
    const digests = values.map((value) => sealer.digest(value));
    // What cannot be decrypted is known by its text as it is written.
    expect(digests[3]).to.equal(digests[1]);
    expect(new Set(digests).size).to.equal(values.length - 1);
    expect(sealer.digest({ b: [{ d: 1, c: 2 }], a: 'a' })).to.equal(sealer.digest({ a: 'a', b: [{ c: 2, d: 1 }] }));
  });

  it('restores any text, and shows none of it', () => {
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

  it('does not open texts of another key or run, or changed texts', () => {
    const key = randomBytes(32);
    const sealed = new Sealer(key, 'a-run').seal('text');
    const changed = (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1);
    expect(() => new Sealer(randomBytes(32), 'a-run').open(sealed)).to.throw();
    expect(() => new Sealer(key, 'another-run').open(sealed)).to.throw();
    expect(() => new Sealer(key, 'a-run').open(changed)).to.throw();
    expect(() => new Sealer(key, 'a-run').open('')).to.throw();
  });

  it('restores every record with a secret, from a file that does not show it', () =>
    inFolder({}, async (state) => {
      const secrets = new Secrets();
      secrets.add('s3cret');
      const ref = { controller: 'lb1', place: '0:1' } as const;
      const change = {
        kind: 'update',
        object: 'cloud "s3cret"',
        before: { name: 's3cret', mtu: 1 },
        after: { name: 's3cret', mtu: 2 },
      } as const;
      const update = anIntent({
        object: change.object,
        method: 'PUT',
        path: '/api/cloud/s3cret',
        name: 's3cret',
        change,
      });
      const invoked = { kind: 'invoke', object: 'POST /api/s3cret', before: null, after: null } as const;
      const seen = { name: 's3cret', mtu: 2 };
      const answer = { status: 201, body: { key: 's3cret' }, says: 'made s3cret' };
      const ended = {
        type: 'batch-ended',
        play: 0,
        batch: 1,
        how: 'halted',
        reason: 'lost s3cret',
        underWay: [ref],
      } as const;
      const settled = aStep({ ...ref, place: '0:2', title: 'Ask s3cret', left: { secrets: ['s3cret'] } });
      const intents = [
        { ...update, body: change.after },
        { ...update, body: { other: 's3cret' } },
        { ...update, body: change.after, hidden: true },
        anIntent({ object: invoked.object, path: '/api/s3cret', change: invoked, body: 's3cret' }),
      ];
      const journal = await beginRun(state, { secrets });
      for (const intent of intents) await journal.intend(intent);
      journal.record({ type: 'write-verified', write: 1, controller: 'lb1', seen });
      journal.record({ type: 'write-verified', write: 3, controller: 'lb1', seen, hidden: true });
      journal.record({ type: 'write-finished', write: 4, controller: 'lb1', outcome: 'applied', answer });
      for (const record of [ended, settled]) journal.record(record);
      await journal.close();
      expect((await journalOf(state, journal.id)).toString()).to.not.include('s3cret');
      const found = await readKept(state, journal.id, ({ past, writes }) => ({
        ended: past.ended(0, 1),
        settled: past.finishedStep({ ...ref, place: '0:2' }),
        writes: past.writes(ref),
        seen: writes().map((write) => write.seen),
      }));
      expect(found.ended).to.containSubset([ended]);
      expect(found.settled).to.containSubset(settled);
      expect(found.writes.map(({ outcome, answer: said }) => [outcome, said])).to.deep.equal([
        ...['unknown', 'unknown', 'unknown'].map((outcome) => [outcome, undefined]),
        ['applied', answer],
      ]);
      for (const [index, intent] of intents.entries()) {
        const { time, ...whole } = { time: undefined, ...found.writes[index]?.intent };
        expect(time).to.be.a('string');
        expect(whole).to.deep.equal({ ...intent, write: index + 1 });
      }
      expect(found.seen).to.deep.equal([seen, undefined, seen, undefined]);
    }));

  it('restores the effects of a step, from a file that does not show them', () =>
    inFolder({}, async (state) => {
      const id = await keptIn(state);
      expect((await journalOf(state, id)).toString()).to.not.include('s3cret');
      expect(await readFile(path.join(state, 'runs', id, 'run.json'), 'utf8')).to.not.include('s3cret');
      const { invocation, settled } = await readKept(state, id, (run) => ({
        invocation: run.invocation(),
        settled: run.past.finishedStep({ controller: 'lb1', place: '0:1' }),
      }));
      expect(invocation).to.deep.equal({ answers: { word: 's3cret' } });
      const { time, ...step } = { time: undefined, ...settled };
      expect(time).to.be.a('string');
      expect(step).to.deep.equal(STEP);
    }));
});

describe("the project's key", () => {
  it('is created once, readable by the owner only', () =>
    inFolder({}, async (state) => {
      const keys = await Promise.all([1, 2, 3, 4].map(() => openKey(state)));
      expect(new Set(keys.map((key) => key.toString('hex'))).size).to.equal(1);
      expect((await stat(path.join(state, 'key'))).mode & 0o777).to.equal(0o600);
    }));

  it('reports what cannot be restored if it is missing', () =>
    inFolder({}, async (state) => {
      const id = await keptIn(state);
      await rm(path.join(state, 'key'));
      const hint = 'restore the key that the project had when the run was made';
      expect(
        await failure(readKept(state, id, ({ past }) => past.finishedStep({ controller: 'lb1', place: '0:1' }))),
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

  it('reports that it is a different key', () =>
    inFolder({}, async (state) => {
      const id = await keptIn(state);
      await writeFile(path.join(state, 'key'), Buffer.alloc(32, 7).toString('base64url'));
      expect((await failure(readKept(state, id, (run) => run.invocation()))).message).to.equal(
        `run ${id}: cannot restore how it was asked for: it was sealed with another key than ${state}/key holds`,
      );
    }));

  it('is refused, before anything is written, if the file has no key', () =>
    inFolder({ key: 'not a key\n' }, async (state) => {
      await chmod(path.join(state, 'key'), 0o600);
      expect(await failure(beginRun(state))).to.deep.equal({
        message: `${state}/key contains no key: it must be 32 bytes as base64url`,
        hint: 'restore the right key; or remove the file, and a new run makes a new key: values that were sealed before stay sealed',
      });
      expect((await failure(findRun(state, 'last'))).message).to.equal(`there are no runs in ${state}/runs yet`);
    }));
});
