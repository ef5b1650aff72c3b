import { expect } from 'chai';
import type { JournalRecord, StepRef } from '../../../src/core/model/run/journal.js';
import { StepJournal } from '../../../src/engine/journal/step_journal.js';
import { anIntent, aStep } from '../../rig/kept.js';
import { pastOf, Recorder } from '../../rig/recorder.js';

const REF: StepRef = { controller: 'lb1', place: '0:1', key: 'k~1', list: 'list' };

async function journalAt(records: readonly JournalRecord[], ref: Partial<StepRef> = {}): Promise<StepJournal> {
  return new StepJournal(undefined, await pastOf(records), { ...REF, ...ref });
}

describe('the journal of a step', () => {
  it('distinguishes items by their content, and equal ones by their order; the loop knows what is secret in any', () => {
    const recorder = new Recorder();
    const step = new StepJournal(recorder, undefined, REF, 'ok');
    const items = step.items(['a', 'b', 'a']);
    expect(items.map(({ ref, statusBefore }) => [ref.item, ref.key, ref.list, statusBefore])).to.deep.equal([
      [0, 'k~1#a~1', 'list', 'ok'],
      [1, 'k~1#b~1', 'list', 'ok'],
      [2, 'k~1#a~2', 'list', 'ok'],
    ]);
    const [unkeyed] = new StepJournal(recorder, undefined, { controller: 'lb1', place: '0:1' }).items(['a']);
    expect(unkeyed?.ref).to.deep.equal({ controller: 'lb1', place: '0:1', item: 0 });
    items[1]?.addSecrets(['hidden']);
    items[2]?.addSecrets(['hidden', 'veiled']);
    expect([step, ...items].map(({ knownSecrets }) => knownSecrets)).to.deep.equal([
      ['hidden', 'veiled'],
      [],
      ['hidden'],
      ['hidden', 'veiled'],
    ]);
    items[2]?.recordFinished({ module: 'debug', title: 'Say', end: 'completed', counted: { status: 'ok' } });
    step.decline();
    expect(recorder.entries).to.deep.equal([
      { ...aStep(), ...REF, item: 2, key: 'k~1#a~2' },
      { type: 'step-declined', ...REF },
    ]);
  });

  it('knows its end from before, unless its list is another now, and whether it was declined', async () => {
    const settled = aStep({ key: 'k~1', list: 'list' });
    const item = aStep({ key: 'k~1#a~1', list: 'list', item: 0 });
    const ended = async (records: readonly JournalRecord[], ref: Partial<StepRef>): Promise<string | undefined> =>
      (await journalAt(records, ref)).finishedBefore()?.end;
    expect(await ended([settled], {})).to.equal('completed');
    expect(await ended([settled], { list: 'other' })).to.equal(undefined);
    expect(await ended([item], { key: 'k~1#a~1', item: 3, list: 'other' })).to.equal('completed');
    expect(await ended([aStep()], { key: undefined, list: 'other' })).to.equal('completed');
    const step = await journalAt([settled, { type: 'step-declined', ...REF }]);
    expect([step.wasDeclined, step.wasCleanedUp, step.isAmbiguous]).to.deep.equal([true, false, false]);
    const blank = new StepJournal(undefined, undefined, REF);
    expect([
      blank.finishedBefore(),
      blank.wasDeclined,
      blank.wasCleanedUp,
      blank.isAmbiguous,
      blank.openWrites,
    ]).to.deep.equal([undefined, false, false, false, []]);
    expect([step.withoutPast().finishedBefore(), step.withoutPast().ref]).to.deep.equal([undefined, REF]);
    const repeated = step.repeating('changed');
    expect([repeated.statusBefore, repeated.journal, repeated.finishedBefore()?.end]).to.deep.equal([
      'changed',
      undefined,
      'completed',
    ]);
  });

  it('is ambiguous if the number of equal steps, or the list of one of them, has changed', async () => {
    const ambiguous = async (then: object, now: Partial<StepRef>): Promise<boolean> =>
      (await journalAt([aStep({ key: 'k~1', ...then })], now)).isAmbiguous;
    expect(await ambiguous({ alike: 2, list: 'l' }, { alike: 2, list: 'l' })).to.equal(false);
    expect(await ambiguous({ alike: 2, list: 'l' }, { alike: 3, list: 'l' })).to.equal(true);
    expect(await ambiguous({ alike: 2, list: 'l' }, { alike: 2, list: 'm' })).to.equal(true);
    expect(await ambiguous({ alike: 2 }, { alike: undefined })).to.equal(true);
    expect(await ambiguous({ list: 'l' }, { list: 'm' })).to.equal(false);
    expect(await ambiguous({ alike: 2 }, { key: 'z~1', alike: 3 })).to.equal(false);
  });

  it('has the writes from before that are not handled yet', async () => {
    const intents = [1, 2].map((write) => ({ write, ...anIntent({ place: '0:1', key: 'k~1' }) }));
    const step = await journalAt(intents);
    const numbers = (): readonly number[] => step.openWrites.map(({ intent }) => intent.write);
    expect(numbers()).to.deep.equal([1, 2]);
    step.closeWrites(step.openWrites.slice(0, 1));
    expect(numbers()).to.deep.equal([2]);
    step.closeWrites(step.openWrites);
    expect(numbers()).to.deep.equal([]);
  });
});
