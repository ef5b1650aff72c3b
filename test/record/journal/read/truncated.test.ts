import { readFile, truncate, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { confirmedFile } from '../../../../src/record/journal/format/confirmed.js';
import { JournalError, journalFile, runFolder } from '../../../../src/record/journal/format/run_folders.js';
import { readJournal } from '../../../../src/record/journal/read/read_journal.js';
import { continueRun } from '../../../../src/record/journal/write/continue_run.js';
import { ownIdentity } from '../../../../src/record/locks/process_identity.js';
import { masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, aPlay, aStep, aWarning, beginRun, readKept } from '../../../rig/kept.js';
import { shareOf } from '../../../rig/random_seed.js';

/** A small journal with multibyte text; returns its file and its lines. */
async function keptIn(state: string): Promise<{ id: string; file: string; confirmed: string; bytes: Buffer }> {
  const journal = await beginRun(state);
  journal.keep(masked(aPlay(['lb1', 'lb2'])));
  await journal.intend(anIntent({ object: 'cloud "雲"' }));
  journal.record({ type: 'write-finished', write: 1, controller: 'lb1', outcome: 'applied' });
  journal.record({ type: 'write-verified', write: 1, controller: 'lb1', seen: { name: 'edge', note: 'ü' } });
  journal.keep(masked(aWarning('🚦 stop')));
  journal.record(aStep({ left: { values: { answer: 1 } } }));
  await journal.close();
  const folder = runFolder(state, journal.id);
  const file = journalFile(folder);
  return { id: journal.id, file, confirmed: confirmedFile(folder), bytes: await readFile(file) };
}

/** The same after a power failure, which may take the note of what is on disk: it was never forced there. */
async function lostIn(state: string): ReturnType<typeof keptIn> {
  const kept = await keptIn(state);
  await truncate(kept.confirmed);
  return kept;
}

/** The lengths to cut a journal to, from this one down: those beside the end of a line, and of the others a share. */
function cuts(bytes: Buffer, longest: number): readonly number[] {
  const lengths = Array.from({ length: longest + 1 }, (_, index) => longest - index);
  const shared = new Set(shareOf(lengths, 7));
  return lengths.filter(
    (length) => shared.has(length) || bytes.subarray(Math.max(0, length - 2), length + 2).includes('\n'),
  );
}

/** What can be read of the journal, in short. */
async function readable(state: string, id: string): Promise<readonly unknown[]> {
  const events: string[] = [];
  return readKept(
    state,
    id,
    ({ past, writes }) => [
      ...events,
      ...writes().map(({ outcome, seen }) => `write ${outcome}${seen === undefined ? '' : ' seen'}`),
      ...(past.finishedStep({ controller: 'lb1', place: '0:1' }) === undefined ? [] : ['settled']),
    ],
    { onEvent: ({ type }) => events.push(type) },
  );
}

const STAGES = [
  [],
  ['play-started'],
  ['play-started', 'write unknown'],
  ['play-started', 'write applied'],
  ['play-started', 'write applied seen'],
  ['play-started', 'warning', 'write applied seen'],
  ['play-started', 'warning', 'write applied seen', 'settled'],
];

describe('a journal of which only a part is needed', () => {
  const readPart = async (folder: string) => {
    const [read, problems]: [string[], string[]] = [[], []];
    const end = await readJournal(folder, {
      event: ({ type }) => read.push(type),
      record: ({ type }) => read.push(type),
      broken: (problem) => problems.push(problem),
      unneeded: new Set(['warning', 'step-settled']),
    });
    return { read, problems, length: end.length, digest: end.hash.digest('hex') };
  };
  const NEEDED = ['play-started', 'write-intended', 'write-finished', 'write-verified'];

  it('is read without the rest, if it is what the run wrote', () =>
    inFolder({}, async (state) => {
      const { id, confirmed, bytes } = await keptIn(state);
      const [length, digest] = (await readFile(confirmed, 'utf8')).trim().split(' ');
      expect(await readPart(runFolder(state, id))).to.deep.equal({
        read: NEEDED,
        problems: [],
        length: bytes.length,
        digest,
      });
      expect(Number(length)).to.equal(bytes.length);
    }));

  it('is read as a whole if it was changed or its length is not known', () =>
    inFolder({}, async (state) => {
      const { id, file, confirmed, bytes } = await keptIn(state);
      const all = [...NEEDED, 'warning', 'step-settled'];
      await writeFile(file, bytes.toString().replace('🚦 stop', '🚦 st0p'));
      const changed = await readPart(runFolder(state, id));
      expect(changed.read).to.deep.equal(all);
      expect(changed.problems).to.deep.equal([
        `${file}: its first ${bytes.length} bytes differ from what the run wrote`,
      ]);
      await truncate(confirmed);
      expect((await readPart(runFolder(state, id))).read).to.deep.equal(all);
    }));
});

describe('a journal that was cut off', () => {
  it('returns every complete record, wherever the journal was cut', () =>
    inFolder({}, async (state) => {
      const { id, file, bytes } = await lostIn(state);
      for (const length of cuts(bytes, bytes.length)) {
        await truncate(file, length);
        const before = bytes.subarray(0, length).toString('latin1').split('\n').length - 1;
        // The line break alone may be missing: the line is whole.
        const complete = bytes[length] === 0x0a ? before + 1 : before;
        expect(await readable(state, id), `cut after ${length} bytes`).to.deep.equal(STAGES[complete]);
      }
    }));

  it('is resumed from the last complete record, wherever it was cut', () =>
    inFolder({}, async (state) => {
      const { id, file, confirmed, bytes } = await lostIn(state);
      const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a);
      for (const end of ends) {
        for (const length of [end - 5, end, end + 1, end + 2]) {
          await writeFile(file, bytes.subarray(0, length));
          await truncate(confirmed);
          const kept = await readKept(state, id, (run) => run);
          const journal = await continueRun(state, kept, ownIdentity(), new Secrets());
          journal.keep(masked(aWarning('going on')));
          const write = await journal.intend(anIntent({ place: '0:2' }));
          await journal.close();
          const expected = kept.writes().length;
          expect(write).to.equal(expected + 1);
          const text = await readFile(file, 'utf8');
          expect(text.split('\n').slice(0, -1).every(isJson), text).to.be.true;
          expect(await readKept(state, id, ({ writes }) => writes().length)).to.equal(expected + 1);
        }
      }
    }));

  for (const [what, line, problem] of [
    ['garbage', Buffer.from('garbage\n'), 'it is not JSON'],
    ['text that is not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), 'it is not UTF-8 text'],
    ['JSON that is no record', Buffer.from('[1]\n'), 'it is not a record'],
    [
      'a record without what it must have',
      Buffer.from('{"type":"step-settled","controller":"lb1"}\n'),
      '"place" of step-settled is invalid',
    ],
    [
      'a record with a list of something else',
      Buffer.from('{"type":"batch-ended","play":0,"batch":1,"how":"halted","underWay":[{"controller":"lb1"}]}\n'),
      '"underWay" of batch-ended is invalid',
    ],
    [
      'an event with a list of something else',
      Buffer.from('{"type":"play-started","time":"","run":"","play":"","controllers":["lb1",2]}\n'),
      '"controllers" of play-started is invalid',
    ],
  ] as const) {
    it(`names the line with ${what}, unless it may be left out`, () =>
      inFolder({}, async (state) => {
        const { id, file, bytes } = await lostIn(state);
        const first = bytes.indexOf(0x0a) + 1;
        await writeFile(file, Buffer.concat([bytes.subarray(0, first), line, bytes.subarray(first)]));
        const refused = await readKept(state, id, () => undefined).catch((error: unknown) => error);
        expect(refused).to.have.property('message', `${file}:2: ${problem}`);
        const problems: string[] = [];
        const writes = await readKept(state, id, (run) => run.writes().length, {
          onBroken: (problem) => problems.push(problem),
        });
        expect([writes, problems]).to.deep.equal([1, [`${file}:2: ${problem}: it was left out`]]);
      }));
  }

  it('treats __proto__ as an ordinary key', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const seen = JSON.parse('{"__proto__": {"polluted": true}, "name": "edge"}') as { name: string };
      await journal.intend(anIntent());
      journal.record({ type: 'write-verified', write: 1, controller: 'lb1', seen });
      await journal.close();
      const file = journalFile(runFolder(state, journal.id));
      await writeFile(file, `${await readFile(file, 'utf8')}{"type":"__proto__"}\n{"type":"constructor"}\n`);
      const [write] = await readKept(state, journal.id, ({ writes }) => writes());
      expect(Object.keys(write?.seen ?? {})).to.deep.equal(['__proto__', 'name']);
      expect(Object.getPrototypeOf(write?.seen)).to.equal(Object.prototype);
      expect(Reflect.get({}, 'polluted')).to.be.undefined;
    }));

  it('ignores types of records that a later version has added', () =>
    inFolder({}, async (state) => {
      const { id, file, bytes } = await lostIn(state);
      await writeFile(file, Buffer.concat([Buffer.from('{"type":"plan-made"}\n'), bytes]));
      expect(await readable(state, id)).to.deep.equal(STAGES.at(-1));
    }));
});

describe('a journal that differs from what its run wrote', () => {
  const message = (error: unknown): string => (error instanceof JournalError ? error.message : 'it was read');

  async function refusal(state: string, id: string): Promise<string> {
    return readKept(state, id, () => undefined).then(() => 'it was read', message);
  }

  it('is refused, wherever it was cut', () =>
    inFolder({}, async (state) => {
      const { id, file, bytes } = await keptIn(state);
      expect(await refusal(state, id)).to.equal('it was read');
      for (const length of cuts(bytes, bytes.length - 1)) {
        await truncate(file, length);
        const refused = await refusal(state, id);
        expect(refused).to.match(/: only \d+ of the \d+ bytes that the run wrote are left$/);
        expect(refused.startsWith(`${file}: only `)).to.be.true;
      }
    }));

  it('is refused if any line is missing, or a single digit was changed', () =>
    inFolder({}, async (state) => {
      const { id, file, bytes } = await keptIn(state);
      const lines = bytes.toString().split(/(?<=\n)/);
      const changes = lines.flatMap((line, at) => [
        lines.toSpliced(at, 1),
        lines.with(at, line.replace(/"time":"2\d/, '"time":"19')),
        lines.toSpliced(at, 0, line),
      ]);
      const texts = changes.map((changed) => changed.join('')).filter((text) => !text.startsWith(bytes.toString()));
      expect(texts).to.have.length(3 * lines.length - 1);
      for (const text of texts) {
        await writeFile(file, text);
        expect(await refusal(state, id)).to.match(
          /: (?:only \d+ of the \d+ bytes that the run wrote are left|its first \d+ bytes differ from what the run wrote)$/,
        );
      }
      await writeFile(file, bytes);
      expect(await refusal(state, id)).to.equal('it was read');
    }));

  it('is shown with a warning by commands that only read', () =>
    inFolder({}, async (state) => {
      const { id, file, bytes } = await keptIn(state);
      await truncate(file, 0);
      const problems: string[] = [];
      await readKept(state, id, () => undefined, { onBroken: (problem) => problems.push(problem) });
      expect(problems).to.deep.equal([`${file}: only 0 of the ${bytes.length} bytes that the run wrote are left`]);
    }));

  it('may be longer than what is confirmed, and a resume confirms all of it', () =>
    inFolder({}, async (state) => {
      const { id, file, bytes } = await keptIn(state);
      // Its line break is missing, and the resume writes it.
      await writeFile(file, Buffer.concat([bytes, Buffer.from('{"type":"later"}')]));
      const kept = await readKept(state, id, (run) => run);
      const journal = await continueRun(state, kept, ownIdentity(), new Secrets());
      journal.flush();
      await journal.intend(anIntent({ place: '0:2' }));
      await journal.close();
      expect(await refusal(state, id)).to.equal('it was read');
      const all = await readFile(file);
      for (const length of [all.length - 1, bytes.length, bytes.length - 1]) {
        await truncate(file, length);
        expect(await refusal(state, id)).to.match(/ of the \d+ bytes that the run wrote are left$/);
      }
    }));

  it('is confirmed during the run, up to the last write', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await journal.intend(anIntent());
      expect(await refusal(state, journal.id)).to.equal('it was read');
      await truncate(journalFile(runFolder(state, journal.id)), 10);
      expect(await refusal(state, journal.id)).to.match(/: only 0 of the \d+ bytes that the run wrote are left$/);
      await journal.close();
    }));

  it('is refused if its confirmation is damaged, and read if a power failure lost the confirmation', () =>
    inFolder({}, async (state) => {
      const { id, confirmed } = await keptIn(state);
      await writeFile(confirmed, 'nonsense');
      expect(await refusal(state, id)).to.equal(`${confirmed} is damaged`);
      for (const left of ['', '\0'.repeat(82)]) {
        await writeFile(confirmed, left);
        expect(await refusal(state, id)).to.equal('it was read');
      }
    }));
});

function isJson(line: string): boolean {
  JSON.parse(line);
  return true;
}
