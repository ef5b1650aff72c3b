import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { LoadError } from '../../../../src/core/model/source/diagnostic.js';
import { storing, StoredValue } from '../../../../src/core/model/values/stored.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import type { KeptRecord } from '../../../../src/record/journal/read/entry.js';
import { openUnsealer, WholeRecords } from '../../../../src/record/journal/read/whole_record.js';
import { continueRun } from '../../../../src/record/journal/write/continue_run.js';
import { ownIdentity } from '../../../../src/record/locks/process_identity.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, aStep, beginRun, readKept } from '../../../rig/kept.js';

type Shown = KeptRecord['shown'];

const opened: string[] = [];
/** Everything that is sealed holds that. */
const holding = (content: Shown): WholeRecords =>
  new WholeRecords({
    sealer: () => ({ digest: (value) => `digest of ${JSON.stringify(value)}` }),
    open: (sealed, what) => {
      opened.push(`${sealed}: ${what}`);
      return content;
    },
  });

const record = (type: KeptRecord['type'], shown: object, sealed?: string): KeptRecord => ({
  type,
  shown: JSON.parse(JSON.stringify({ type, ...shown })) as Shown,
  sealed,
});

const { type: _, ...STEP } = aStep();
const { type: __, ...INTENT } = anIntent();

describe('a whole record of a journal', () => {
  beforeEach(() => opened.splice(0));

  it('has its sealed fields beside the readable ones', () => {
    const whole = holding({ left: { values: { a: 1 } } });
    expect(whole.finishedStep(record('step-settled', STEP, 'S1'))).to.deep.equal({
      ...aStep(),
      left: { values: { a: 1 } },
    });
    expect(whole.finishedStep(record('step-settled', STEP))).to.deep.equal(aStep());
    expect(opened).to.deep.equal(['S1: what "Say" left on lb1']);
    expect(whole.digest({ a: 1 })).to.equal('digest of {"a":1}');
  });

  it('of a write has the body that was sent, which can be that of the change', () => {
    const intent = record('write-intended', { ...INTENT, write: 7 }, 'S2');
    expect(holding({}).intended(intent)).to.deep.equal({ ...anIntent(), write: 7 });
    const { body, ...rest } = INTENT;
    const short = record('write-intended', { ...rest, write: 7 });
    expect(holding({}).intended(short).body).to.deep.equal(body);
    expect(holding({ body: { own: true } }).intended({ ...short, sealed: 'S3' }).body).to.deep.equal({ own: true });
    expect(opened).to.deep.equal(['S2', 'S3'].map((sealed) => `${sealed}: what "Cloud exists" wrote to lb1`));
  });

  it('of a write with large values reads each when it is needed', () => {
    const stored = new StoredValue('a1', 70_000, () => {
      throw new LoadError('its file is lost');
    });
    const intent = record('write-intended', { ...INTENT, write: 7 }, 'S4');
    const opened = holding(storing(Object.entries({ body: stored }))).intended(intent);
    expect(() => opened.body).to.throw('its file is lost');
  });

  it('of the end of a write has its answer, if it was recorded', () => {
    const shown = { write: 1, controller: 'lb1', outcome: 'applied' };
    const answer = { status: 200, body: { a: 1 }, says: 'done', denied: false };
    expect(holding({ answer }).answer(record('write-finished', shown))).to.equal(undefined);
    expect(holding({}).answer(record('write-finished', { ...shown, answer }))).to.deep.equal(answer);
    expect(holding({ answer }).answer(record('write-finished', shown, 'S4'))).to.deep.equal(answer);
    expect(opened).to.deep.equal(['S4: what lb1 answered']);
  });

  it('is refused with the first field that is wrong', () => {
    const whole = holding({});
    const write = { write: 1, controller: 'lb1' };
    const batch = { play: 0, batch: 1, how: 'halted', underWay: [] };
    for (const [read, what, field] of [
      [() => whole.finishedStep(record('step-settled', { ...STEP, place: 1 })), 'what "Say" left on lb1', 'place'],
      [() => whole.finishedStep(record('step-settled', { ...STEP, left: 1 })), 'what "Say" left on lb1', 'left'],
      [() => whole.ended(record('batch-ended', { ...batch, reason: 1 })), 'why a batch ended', 'reason'],
      [() => whole.ended(record('batch-ended', { ...batch, underWay: [{}] })), 'why a batch ended', 'underWay'],
      [
        () => whole.intended(record('write-intended', { ...INTENT, write: 1, change: { kind: 'create' } })),
        'what "Cloud exists" wrote to lb1',
        'change',
      ],
      [
        () => whole.intended(record('write-intended', { ...INTENT, write: 1, connection: 1 })),
        'what "Cloud exists" wrote to lb1',
        'connection',
      ],
      [
        () => whole.answer(record('write-finished', { ...write, outcome: 'applied', answer: {} })),
        'what lb1 answered',
        'answer',
      ],
      [() => whole.verified(record('write-verified', write)), 'what lb1 showed after a write', 'seen'],
    ] as const)
      expect(read).to.throw(`cannot restore ${what}: "${field}" of its record is invalid`);
    const seen = { name: 'a' };
    expect(whole.verified(record('write-verified', { ...write, seen })).seen).to.deep.equal(seen);
  });

  it('cannot be opened if the sealed data or the key has changed', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await journal.intend(anIntent());
      await journal.close();
      const [kept, header] = await readKept(state, journal.id, (run) => [run, run.header] as const);
      const unsealer = await openUnsealer(state, header);
      const sealer = kept.tail.sealer();
      const sealed = sealer.seal('{"a":1}');
      expect(unsealer.open(sealed, 'it')).to.deep.equal({ a: 1 });
      for (const wrong of [`A${sealed}`, sealer.seal('[1]'), sealer.seal('{')])
        expect(() => unsealer.open(wrong, 'it')).to.throw(
          `run ${journal.id}: cannot restore it: the sealed data was changed since`,
        );
      await rm(`${state}/key`);
      const without = await openUnsealer(state, header);
      const gone = `the key ${state}/key is gone`;
      expect(() => without.sealer()).to.throw(`run ${journal.id}: cannot restore what is sealed: ${gone}`);
      expect(() => without.open(sealed, 'it')).to.throw(`run ${journal.id}: cannot restore it: ${gone}`);
      // A resume needs a journal that it can append to.
      await rm(`${state}/runs/${journal.id}/journal.jsonl`);
      const refused = await continueRun(state, kept, ownIdentity(), new Secrets()).catch((error: unknown) => error);
      expect(refused).to.have.property(
        'message',
        `cannot append to the journal in ${state}/runs/${journal.id}: no such file or directory`,
      );
    }));
});
