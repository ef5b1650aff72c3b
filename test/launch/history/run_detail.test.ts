import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import type { RunFinished } from '../../../src/core/model/run/event.js';
import { runDetail } from '../../../src/launch/history/run_detail.js';
import { findRollback } from '../../../src/launch/history/run_life.js';
import { journalFile, runFolder } from '../../../src/record/journal/format/run_folders.js';
import type { RunStart } from '../../../src/record/journal/format/run_header.js';
import { ownIdentity } from '../../../src/record/locks/process_identity.js';
import { EventMaker, masked } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';
import { anIntent, beginRun } from '../../rig/kept.js';

/** Keeps a run with these events. Returns its id. */
async function kept(state: string, id: string, start: Partial<RunStart>, ...events: readonly Event[]): Promise<string> {
  const journal = await beginRun(state, { id, start });
  for (const event of events) journal.keep(masked(event));
  await journal.close();
  return id;
}

describe('the details of a run', () => {
  const make = new EventMaker();
  const end = (given: Partial<RunFinished>): Event =>
    make.runFinished({ status: 'interrupted', exitCode: 130, seconds: 7, stats: {}, ...given });
  const begun = (): readonly Event[] => [
    make.runStarted(),
    make.playStarted(['lb1', 'lb2'], { routes: { paris: [1] } }),
    make.taskFinished('lb1', 'changed'),
    make.taskFinished('lb1', 'ok'),
    make.warning('odd'),
    make.warning('slow', { controller: 'lb1' }),
  ];

  it('say which lines of the journal cannot be read, beside the warnings of the run', async () => {
    await inFolder({}, async (state) => {
      const id = await kept(state, '20260101T000000Z-000001', {}, ...begun());
      const file = journalFile(runFolder(state, id));
      const [first = '', ...lines] = (await readFile(file, 'utf8')).split('\n');
      await writeFile(file, [first, '{"damaged', ...lines].join('\n'));
      const { warnings, status } = await runDetail(state, id, () => undefined);
      expect(status).to.equal('running');
      expect(warnings.map((text) => text.replace(/\d+ bytes/, 'N bytes'))).to.deep.equal([
        'odd',
        'lb1: slow',
        `${file}:2: it is not JSON: it was left out`,
        `${file}: its first N bytes differ from what the run wrote`,
      ]);
    });
  });

  it('are those of its last end', async () => {
    await inFolder({}, async (state) => {
      const start = { command: 'run', argv: ['run', 'a.yml'], cwd: '/work', environment: 'prod', shard: '2/4' };
      const events = [...begun(), end({ reason: 'too many', unstarted: ['lb2'], cutOff: ['lb1'] })];
      const id = await kept(state, '20260101T000000Z-000001', start, ...events);
      const seen: string[] = [];
      const detail = await runDetail(state, id, ({ type }) => seen.push(type));
      expect(seen).to.deep.equal(events.map(({ type }) => type));
      const { author, ...rest } = detail;
      expect(author).to.equal(undefined);
      expect(rest).to.deep.equal({
        run: id,
        argv: ['run', 'a.yml'],
        command: 'run',
        playbooks: ['site.yml'],
        environment: 'prod',
        shard: '2/4',
        time: detail.time,
        check: false,
        simulated: false,
        status: 'interrupted',
        exitCode: 130,
        seconds: 7,
        controllers: 1,
        cwd: '/work',
        evenkeel: '0.0.0',
        journal: `${state}/runs/${id}/journal.jsonl`,
        reason: 'too many',
        stats: {},
        unstarted: ['lb2'],
        cutOff: ['lb1'],
        routes: { lb2: 'paris' },
        writes: [],
        warnings: ['odd', 'lb1: slow'],
      });
      expect(await runDetail(state, id)).to.deep.equal(detail);
    });
  });

  it('are counted from its tasks where no end is kept, also after a resume', async () => {
    await inFolder({}, async (state) => {
      for (const [id, events] of [
        ['20260101T000000Z-000001', begun()],
        [
          '20260101T000000Z-000002',
          [...begun(), end({ reason: 'no', unstarted: ['lb9'] }), make.runStarted({ resumed: true })],
        ],
      ] as const) {
        await kept(state, id, {}, ...events);
        const { stats, unstarted, cutOff, reason, warnings } = await runDetail(state, id);
        expect(Object.keys(stats)).to.deep.equal(['lb1']);
        expect(stats['lb1']).to.include({ ok: 2, changed: 1 });
        expect({ unstarted, cutOff, reason }).to.deep.equal({ unstarted: ['lb2'], cutOff: [], reason: undefined });
        expect(warnings).to.deep.equal(['odd', 'lb1: slow']);
      }
      const process = { ...ownIdentity(), started: 'long ago' };
      const killed = [
        ...begun(),
        make.playStarted(['lb3', 'lb4']),
        make.taskStarted('lb4'),
        make.taskFinished('lb3', 'ok'),
        make.controllerFinished('lb3'),
        make.controllerFinished('lb1', { cutOff: true }),
      ];
      const { status, unstarted, cutOff } = await runDetail(
        state,
        await kept(state, '20260101T000000Z-000003', { process }, ...killed),
      );
      expect([status, unstarted, cutOff]).to.deep.equal(['cut off', ['lb2'], ['lb1', 'lb4']]);
    });
  });

  it('say whether all controllers of the latest gate are stale', async () => {
    await inFolder({}, async (state) => {
      const [open, stale] = [make.gateStarted(['lb1']), make.gateStarted([])];
      const cases = [[], [open], [stale, open], [open, stale]];
      const found = cases.map(async (gates, at) => {
        const events = [...begun(), ...gates, end({ status: 'failed', exitCode: 6 })];
        return (await runDetail(state, await kept(state, `20260101T000000Z-00000${at}`, {}, ...events))).staleGate;
      });
      expect(await Promise.all(found)).to.deep.equal([undefined, undefined, undefined, true]);
    });
  });

  it('have the writes, and the newest rollback that restored something', async () => {
    await inFolder({}, async (state) => {
      const [first, second] = ['20260101T000000Z-000001', '20260101T000000Z-000002'];
      const journal = await beginRun(state, { id: first });
      for (const name of ['lb1', 'lb2']) await journal.intend(anIntent({ controller: name, target: name }));
      await journal.close();
      await kept(state, second, {});
      const rollback = (number: number, start: Partial<RunStart>) =>
        kept(state, `20260102T000000Z-00000${number}`, { undoes: first, command: 'rollback', ...start });
      const find = async (id: string, simulated = false) => findRollback(state, { id, simulated });
      expect(await find(first)).to.equal(undefined);
      await rollback(1, { check: true });
      await rollback(2, { simulated: true });
      expect(await find(first)).to.equal(undefined);
      expect(await find(first, true)).to.equal('20260102T000000Z-000002');
      const third = await rollback(3, {});
      const fourth = await rollback(4, {});
      await rollback(5, { undoes: second });
      await rollback(6, { undoes: first, check: true });
      expect(await find(first)).to.equal(fourth);
      expect(await find(third)).to.equal(undefined);
      await kept(state, '20260102T000000Z-000007', { undoes: first, command: 'rollback' }, end({ status: 'failed' }));
      expect(await find(first)).to.equal(fourth);
      const { undoneBy, writes, routes } = await runDetail(state, first);
      expect({ undoneBy, routes }).to.deep.equal({ undoneBy: fourth, routes: undefined });
      // All was as before: someone else had undone the run.
      const eighth = '20260102T000000Z-000008';
      await kept(state, eighth, { undoes: first, command: 'rollback' }, end({ status: 'ok', exitCode: 0 }));
      expect(await find(first)).to.equal(eighth);
      expect(writes.map(({ target, outcome }) => `${target} ${outcome}`)).to.deep.equal(['lb1 unknown', 'lb2 unknown']);
    });
  });
});
