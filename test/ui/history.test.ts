import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { journalFile, listRuns, nextRunId, runFolder } from '../../src/record/journal/format/run_folders.js';
import { RunHistory } from '../../src/ui/history.js';
import { EventMaker, masked } from '../rig/events.js';
import { beginRun } from '../rig/kept.js';

describe('the history of runs', () => {
  let state: string;
  beforeEach(async () => {
    state = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
  });
  afterEach(() => rm(state, { recursive: true }));

  async function keep(events: readonly Event[]): Promise<void> {
    const journal = await beginRun(state, { id: await nextRunId(state) });
    for (const event of events) journal.keep(masked(event));
    await journal.close();
  }

  it('counts the controllers of each run by outcome, and those of a running run not yet', async () => {
    const [first, second, third] = [new EventMaker(), new EventMaker(), new EventMaker()];
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6', 'lb7', 'lb8'];
    await keep([
      first.runStarted(),
      first.playStarted(names),
      ...['lb1', 'lb2'].map((name) => first.taskFinished(name, 'failed')),
      first.taskFinished('lb3', 'unreachable'),
      ...['lb4', 'lb5'].map((name) => first.taskFinished(name, 'changed')),
      ...['lb6', 'lb7'].map((name) => first.taskFinished(name, 'ok')),
      first.runFinished({ status: 'failed', exitCode: 2, cutOff: ['lb7'], unstarted: ['lb6', 'lb8'] }),
    ]);
    await keep([
      second.runStarted(),
      second.playStarted(['lb1', 'lb2']),
      ...['lb1', 'lb2'].map((name) => second.taskFinished(name, 'ok')),
      second.runFinished(),
    ]);
    await keep([third.runStarted(), third.playStarted(['lb1']), third.taskFinished('lb1', 'ok')]);
    const history = new RunHistory(state);
    const counted = [
      undefined,
      { ok: 2 },
      { failed: 2, unreachable: 1, changed: 2, ok: 1, 'cut off': 1, 'not started': 1 },
    ];
    for (const time of ['first', 'second'])
      expect(
        (await history.runs()).map(({ outcomes }) => outcomes),
        time,
      ).to.deep.equal(counted);
  });

  it('counts a run that was resumed as it ended last', async () => {
    const make = new EventMaker();
    await keep([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.runFinished({ status: 'interrupted', exitCode: 130, unstarted: ['lb1', 'lb2'] }),
      ...['lb1', 'lb2'].map((name) => make.taskFinished(name, 'ok')),
      make.runFinished(),
    ]);
    expect((await new RunHistory(state).runs()).map(({ outcomes }) => outcomes)).to.deep.equal([{ ok: 2 }]);
  });

  it('has the tasks of a controller, up to 100 of each state that did something, and 200 lines of a diff', async () => {
    const make = new EventMaker();
    const after = { servers: Array.from({ length: 300 }, (_, at) => `server ${at}`) };
    const change = { kind: 'update', object: 'pool "web"', before: { servers: [] }, after } as const;
    await keep([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'ok'),
      make.taskFinished('lb1', 'changed', { change }),
      make.taskFinished('lb1', 'changed', { change, item: 'one' }),
      make.taskFinished('lb2', 'failed', { message: 'of another' }),
      ...Array.from({ length: 100 }, () => make.taskFinished('lb1', 'changed')),
      ...Array.from({ length: 120 }, (_, at) => make.taskFinished('lb1', 'failed', { message: `no ${at}` })),
      make.runFinished(),
    ]);
    const other = new EventMaker();
    await keep([other.runStarted(), other.playStarted(['lb2']), other.taskFinished('lb2', 'ok'), other.runFinished()]);
    const history = new RunHistory(state);
    const {
      read,
      runs: [run, ...others],
    } = await history.controller('lb1');
    expect([read, others]).to.deep.equal([2, []]);
    expect(run?.counts).to.deep.equal({ ok: 1, changed: 101, failed: 120 });
    expect(run?.results).to.have.lengthOf(200);
    expect(run?.left).to.equal(21);
    expect(run?.results[0]?.diff).to.have.lengthOf(200);
    expect(run?.results[0]?.diff?.at(-1)).to.include('server 19');
    expect(run?.results[199]?.message).to.equal('no 99');
    const { runs } = await history.controller('lb2');
    expect(runs.map(({ counts }) => counts)).to.deep.equal([{ ok: 1 }, { failed: 1 }]);
    expect(await history.controller('lb3')).to.deep.equal({ read: 2, runs: [], problems: [] });
  });

  it('says of each result what it did, cut where it is long, and nothing of checks of a gate', async () => {
    const make = new EventMaker();
    const change = {
      kind: 'update',
      object: 'pool "web"',
      before: { a: 1 },
      after: { a: 'x'.repeat(600), b: 2 },
    } as const;
    await keep([
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'skipped'),
      make.taskFinished('lb1', 'failed', { round: 1 }),
      make.taskFinished('lb1', 'changed', { task: 'One\u0007', change }),
      make.taskFinished('lb1', 'failed', { task: 'Two', message: `POST /api/x: answered 400: ${'y'.repeat(4000)}` }),
      make.taskFinished('lb1', 'unreachable', { task: 'Three', message: 'no\u0007 way' }),
      make.taskFinished('lb1', 'failed', { task: 'Four', message: 'no', ignored: true }),
      make.taskFinished('lb1', 'failed', { task: 'Five', message: 'no', rescued: true }),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    const cut = '… (cut here)';
    const [found] = (await new RunHistory(state).controller('lb1')).runs;
    expect(found?.counts).to.deep.equal({ skipped: 1, changed: 1, failed: 1, unreachable: 1, ignored: 1, rescued: 1 });
    expect(found?.results).to.deep.equal([
      {
        task: 'One',
        status: 'changed',
        message: undefined,
        words: 'updated pool "web": a, b',
        diff: ['- a: 1', `+ a: ${'x'.repeat(495)}${cut}`, '+ b: 2'],
      },
      { task: 'Two', status: 'failed', message: `400 ${'y'.repeat(3996)}${cut}` },
      { task: 'Three', status: 'unreachable', message: 'no way' },
      { task: 'Four', status: 'ignored', message: 'no' },
      { task: 'Five', status: 'rescued', message: 'no' },
    ]);
    const { time, ...run } = found?.run ?? { time: '' };
    expect(Date.parse(time)).to.be.above(0);
    expect(run).to.deep.include({ what: 'run site.yml', status: 'failed', exitCode: 2, argv: ['run', 'site.yml'] });
  });

  it('says of a controller once which runs of earlier versions cannot be read', async () => {
    const make = new EventMaker();
    for (let kept = 0; kept < 3; kept++) await keep([make.runStarted(), make.runFinished()]);
    const [newest = '', ...older] = await listRuns(state);
    for (const id of [newest, ...older])
      await writeFile(path.join(runFolder(state, id), 'run.json'), '{"schemaVersion":1}');
    const { problems } = await new RunHistory(state).controller('lb1');
    expect(problems).to.have.lengthOf(1);
    expect(problems[0]).to.match(
      new RegExp(`^run ${newest} was made by an earlier version .*, and 2 more for the same reason$`),
    );
  });

  it('finds the end of a run before a long remainder of its journal, and says which runs cannot be read', async () => {
    const make = new EventMaker();
    const warnings = Array.from({ length: 60 }, (_, at) => make.warning(`${at} ${'z'.repeat(5000)}`));
    const end = make.runFinished({ unstarted: ['lb1', 'lb2'] });
    await keep([make.runStarted(), make.playStarted(['lb1', 'lb2']), end, ...warnings]);
    await keep([make.runStarted(), make.runFinished()]);
    const [damaged = '', whole = ''] = await listRuns(state);
    const header = path.join(runFolder(state, damaged), 'run.json');
    const journal = journalFile(runFolder(state, whole));
    await writeFile(header, 'damaged');
    const history = new RunHistory(state);
    const [first, second] = await history.runs();
    expect(first).to.include({ run: damaged, status: 'unreadable', what: `${header} is not the header of a run` });
    expect(`${first?.time.replaceAll(/[-:]/g, '')}`).to.equal(damaged.split('-', 1)[0]);
    expect(second?.outcomes).to.deep.equal({ 'not started': 2 });
    await writeFile(journal, '{"controller":"lb1"\n["lb1"]\n');
    expect((await history.controller('lb1')).problems).to.deep.equal([
      `${header} is not the header of a run`,
      `${journal}:1: it is not JSON: it was left out`,
    ]);
    await writeFile(header, '{"schemaVersion":1e9}');
    const later = `${header} was written by a later version of evenkeel: use that version to read it`;
    expect((await history.runs())[0]?.what).to.equal(later);
    // As of a run that is pruned after its name was read.
    await symlink('gone', runFolder(state, await nextRunId(state)));
    expect(await history.runs()).to.have.lengthOf(2);
    await rm(journal);
    expect(await history.controller('lb1')).to.deep.equal({
      read: 1,
      runs: [],
      problems: [later, `cannot read ${journal}: no such file or directory`],
    });
  });
});
