import { expect } from 'chai';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { recordingWriter, WriteRecorder } from '../../../src/engine/journal/write_recorder.js';
import type { Plan, Writer } from '../../../src/module/contract.js';
import { anIntent } from '../../rig/kept.js';
import { Recorder } from '../../rig/recorder.js';

const REF = { controller: 'lb1', place: '0:1' };
const BEFORE = { name: 'a', size: 1 };
const AFTER = { name: 'a', size: 2 };

interface Recording {
  readonly recorder: WriteRecorder;
  readonly journal: Recorder;
  readonly unconfirmed: (string | undefined)[];
}

function record(more: object = {}): Recording {
  const { target, reached, play, task, module, source } = anIntent();
  const [journal, unconfirmed] = [new Recorder(), new Array<string | undefined>()];
  const about = { target, reached, play, task, module, source, ...more };
  const recorder = new WriteRecorder(journal, REF, about, (change, outcome) =>
    unconfirmed.push(outcome === 'unknown' ? change.kind : undefined),
  );
  return { recorder, journal, unconfirmed };
}

/** Writes all three ways, and returns what was recorded and what was sent. */
async function writeAll(plan: Plan, seen: Mapping | undefined) {
  const { recorder, journal } = record();
  const sent: unknown[] = [];
  const send = (...all: readonly unknown[]): Promise<undefined> => {
    sent.push(all);
    return Promise.resolve(undefined);
  };
  const writer = {
    create: (...all: readonly unknown[]) => send('create', ...all),
    replace: (...all: readonly unknown[]) => send('replace', ...all),
    remove: (...all: readonly unknown[]) => send('remove', ...all),
  } as unknown as Writer;
  const observation = { objectAt: ({ path }: { path: string }) => (path === '/api/x/1' ? seen : undefined) };
  const own = recordingWriter(recorder, writer, { object: 'x "a"', plan, observation });
  await own.create('/api/x/', 'a', AFTER);
  await own.replace('/api/x/1', AFTER);
  await own.remove('/api/x/1');
  return { intents: journal.of('write-intended'), sent };
}

describe('the writes of a plan', () => {
  it('did not take effect if the object was there already', async () => {
    const { recorder, journal } = record();
    const writer = { create: () => Promise.resolve('adopted') } as unknown as Writer;
    const change: Change = { kind: 'create', object: 'x "a"', before: null, after: AFTER };
    const observation = { objectAt: () => undefined };
    await recordingWriter(recorder, writer, { object: 'x "a"', plan: { change }, observation }).create(
      '/x/',
      'a',
      AFTER,
    );
    expect(journal.of('write-finished').map(({ outcome }) => outcome)).to.deep.equal(['refused']);
  });

  it('have bodies of data, where they are not the planned one', async () => {
    const { recorder, journal } = record();
    const sent: unknown[] = [];
    const send = (...all: readonly unknown[]): Promise<undefined> => {
      sent.push(all.at(-1));
      return Promise.resolve(undefined);
    };
    const writer = {
      create: (_path: string, _name: string, body: Mapping) => send(body),
      replace: send,
    } as unknown as Writer;
    const odd = { a: { b: undefined } } as unknown as Mapping;
    const planned: Change = { kind: 'update', object: 'x "a"', before: BEFORE, after: AFTER };
    for (const change of [planned, { kind: 'none' }, { ...planned, after: odd }] as const) {
      const own = recordingWriter(recorder, writer, {
        object: 'x "a"',
        plan: { change },
        observation: { objectAt: () => undefined },
      });
      for (const write of [() => own.create('/x/', 'a', odd), () => own.replace('/x/1', odd)]) {
        const failure: unknown = await write().catch((error: unknown) => error);
        if ('after' in change && change.after === odd) expect(failure).to.equal(undefined);
        else
          expect(failure).to.include({
            message: 'not sent: the body has undefined in "a.b"',
            hint: 'a body contains text, numbers, true, false, null, and lists and mappings of them',
          });
      }
      await own.replace('/x/1', AFTER);
    }
    expect(sent).to.deep.equal([AFTER, AFTER, odd, odd, AFTER]);
    expect(journal.of('write-intended')).to.have.length(5);
  });

  const update: Change = { kind: 'update', object: 'x "a"', before: BEFORE, after: AFTER };

  it('are recorded with what was seen before, else what was planned, and sent as they are', async () => {
    const { intents, sent } = await writeAll({ change: update }, BEFORE);
    expect(sent).to.deep.equal([
      ['create', '/api/x/', 'a', AFTER, undefined],
      ['replace', '/api/x/1', AFTER],
      ['remove', '/api/x/1'],
    ]);
    expect(
      intents.map(({ write, controller, method, path, name, body, change, uncomparable }) => [
        [write, controller, method, path, name, body, uncomparable],
        change,
      ]),
    ).to.deep.equal([
      [
        [1, 'lb1', 'POST', '/api/x/', 'a', AFTER, undefined],
        { kind: 'create', object: 'x "a"', before: null, after: AFTER },
      ],
      [[2, 'lb1', 'PUT', '/api/x/1', undefined, AFTER, undefined], update],
      [
        [3, 'lb1', 'DELETE', '/api/x/1', undefined, null, undefined],
        { kind: 'delete', object: 'x "a"', before: BEFORE, after: null },
      ],
    ]);
    const { target, reached, play, task, module, source } = anIntent();
    expect(intents[1]).to.deep.equal({
      type: 'write-intended',
      write: 2,
      controller: 'lb1',
      place: '0:1',
      target,
      reached,
      play,
      task,
      module,
      source,
      object: 'x "a"',
      method: 'PUT',
      path: '/api/x/1',
      body: AFTER,
      change: update,
    });
    // The planned change itself, whose text is made once.
    expect(intents[1]?.change).to.equal(update);
    const unseen = await writeAll({ change: update, uncomparable: true }, undefined);
    expect(unseen.intents.map(({ uncomparable }) => uncomparable)).to.deep.equal([true, true, true]);
    expect(unseen.intents.map(({ change }) => 'before' in change && change.before)).to.deep.equal([
      null,
      BEFORE,
      BEFORE,
    ]);
    const nothing = await writeAll({ change: { kind: 'none' } }, undefined);
    expect(nothing.intents.map(({ change }) => 'before' in change && change.before)).to.deep.equal([null, null, {}]);
    const other = await writeAll({ change: update }, { name: 'a', size: 0 });
    const [, replaced, removed] = other.intents.map(({ change }) => change);
    const seen = { object: 'x "a"', before: { name: 'a', size: 0 } };
    expect([replaced, removed]).to.deep.equal([
      { kind: 'update', ...seen, after: AFTER },
      { kind: 'delete', ...seen, after: null },
    ]);
  });

  it('end as their answers say, and the last one is confirmed and verified', async () => {
    const { recorder, journal, unconfirmed } = record({ hidden: true });
    recorder.confirm();
    recorder.verified(() => AFTER);
    expect(journal.entries).to.deep.equal([]);
    const intent = (path: string, change: Change) => ({ object: 'x', method: 'PUT', path, change, body: null });
    const named = { ...intent('/1', update), name: 'n' };
    expect(await recorder.write(named, () => Promise.resolve('answer'))).to.equal('answer');
    const last: unknown[] = [];
    recorder.verified((write) => void last.push(write));
    expect(last).to.deep.equal([{ write: 1, path: '/1', name: 'n', change: update }]);
    const failed = new Error('lost');
    const lost = recorder.write(intent('/2', update), () => Promise.reject(failed));
    expect(await lost.catch((error: unknown) => error)).to.equal(failed);
    expect(unconfirmed).to.deep.equal([undefined, 'update']);
    recorder.verified(({ path }) => (path === '/1' ? BEFORE : undefined));
    recorder.confirm();
    recorder.verified(({ path }) => (path === '/2' ? AFTER : undefined));
    const refused = recorder.write(
      intent('/3', update),
      () => Promise.resolve(5),
      (answer) => ({ outcome: 'refused', answer: { status: answer, body: null } }),
    );
    expect(await refused).to.equal(5);
    recorder.continueWrite({ write: 9, path: '/9', name: 'n', change: update });
    recorder.verified(({ path, name }) => (path === '/9' && name === 'n' ? BEFORE : undefined));
    expect(unconfirmed).to.deep.equal([undefined, 'update', undefined, undefined]);
    expect(journal.entries.filter(({ type }) => type !== 'write-intended')).to.deep.equal([
      { type: 'write-finished', write: 1, controller: 'lb1', outcome: 'applied' },
      { type: 'write-finished', write: 2, controller: 'lb1', outcome: 'unknown' },
      { type: 'write-finished', write: 2, controller: 'lb1', outcome: 'applied' },
      { type: 'write-verified', write: 2, controller: 'lb1', seen: AFTER, hidden: true },
      { type: 'write-finished', write: 3, controller: 'lb1', outcome: 'refused', answer: { status: 5, body: null } },
      { type: 'write-verified', write: 9, controller: 'lb1', seen: BEFORE, hidden: true },
    ]);
  });

  it('are not sent if they cannot be recorded', async () => {
    const { recorder, journal } = record();
    journal.break('the disk is full');
    let sent = 0;
    const intent = { object: 'x', method: 'PUT', path: '/1', change: update, body: null };
    const error: unknown = await recorder
      .write(intent, () => Promise.resolve(void (sent += 1)))
      .catch((one: unknown) => one);
    expect(error).to.deep.include({
      message: 'nothing was written: the disk is full',
      hint: 'free disk space, or restore the state folder, then resume the run',
    });
    expect(sent).to.equal(0);
  });
});
