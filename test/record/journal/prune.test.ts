import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { RunFinished } from '../../../src/core/model/run/event.js';
import type { ProcessIdentity } from '../../../src/core/model/run/process.js';
import { journalFile, listRuns, runFolder } from '../../../src/record/journal/format/run_folders.js';
import { pruneRuns, type Pruning } from '../../../src/record/journal/prune.js';
import type { RunJournal } from '../../../src/record/journal/write/run_journal.js';
import { judgeLife, ownIdentity } from '../../../src/record/locks/process_identity.js';
import { masked } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';
import { anIntent, beginRun, readKept } from '../../rig/kept.js';

const GONE: ProcessIdentity = { ...ownIdentity(), started: 'long ago' };
const ELSEWHERE: ProcessIdentity = { ...ownIdentity(), host: 'another-machine', boot: 'another' };
const OWN = { lifeOf: (process: ProcessIdentity) => judgeLife(process, ownIdentity()) };

const FINISHED: RunFinished = {
  type: 'run-finished',
  time: '2026-11-20T18:50:22.000Z',
  run: 'a-run',
  status: 'ok',
  exitCode: 0,
  seconds: 1,
  stats: {},
  unstarted: [],
};

interface ARun {
  readonly process?: ProcessIdentity;
  readonly finished?: boolean;
  readonly status?: RunFinished['status'];
  readonly writes?: boolean;
  readonly check?: boolean;
  readonly simulated?: boolean;
}

const CHECK: ARun = { check: true, writes: false };

/** Makes runs, one after the other, each as described. */
async function runsIn(state: string, ...each: readonly ARun[]): Promise<readonly RunJournal[]> {
  const journals: RunJournal[] = [];
  for (const { status = 'ok', finished = true, writes = true, ...start } of each) {
    const journal = await beginRun(state, { start: { process: ownIdentity(), ...start } });
    if (writes) await journal.intend(anIntent());
    if (finished) journal.keep(masked({ ...FINISHED, status }));
    await journal.close();
    journals.push(journal);
  }
  return journals;
}

interface Header {
  readonly end: { readonly wrote?: boolean };
}

async function rewriteHeader(state: string, id: string, change: (header: Header) => object): Promise<void> {
  const file = path.join(runFolder(state, id), 'run.json');
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as Header)));
}

function prune(state: string, pruning: Partial<Pruning> = {}): ReturnType<typeof pruneRuns> {
  return pruneRuns(state, { keep: 1, ...OWN, ...pruning });
}

describe('pruning', () => {
  it('removes the oldest runs, and keeps the given number', () =>
    inFolder({}, async (state) => {
      const runs = await runsIn(state, {}, {}, {}, {});
      expect(await prune(state, { keep: 2 })).to.deep.equal({ removed: [runs[0]!.id, runs[1]!.id], inUse: [] });
      expect(await readdir(path.join(state, 'runs'))).to.have.members([runs[2]!.id, runs[3]!.id]);
    }));

  it('counts runs that wrote apart from checks, simulated runs and runs that wrote nothing', () =>
    inFolder({}, async (state) => {
      const [written, check] = await runsIn(state, {}, CHECK, { simulated: true }, { writes: false }, CHECK);
      expect((await prune(state, { keep: 3 })).removed).to.deep.equal([check!.id]);
      expect((await prune(state, { keep: 3 })).removed).to.deep.equal([]);
      expect(await listRuns(state))
        .to.have.length(4)
        .and.include(written!.id);
    }));

  it('ends if one kind has fewer runs than its limit', () =>
    inFolder({}, async (state) => {
      const [check, first, second, other, ...newest] = await runsIn(state, CHECK, {}, {}, CHECK, {}, {});
      expect(await prune(state, { keep: 2, check: true })).to.deep.equal({
        removed: [first!.id, second!.id],
        inUse: [],
      });
      expect(await prune(state, { keep: 3, most: 1 })).to.deep.equal({ removed: [first!.id], inUse: [] });
      const kept = [check, second, other, ...newest].map((run) => run!.id);
      expect(await readdir(path.join(state, 'runs'))).to.have.members(kept);
    }));

  it('counts resumable runs, and checks that wrote, as runs that wrote', () =>
    inFolder({}, async (state) => {
      const [cutOff, interrupted, writing] = await runsIn(
        state,
        { process: GONE, finished: false, writes: false },
        { status: 'interrupted', writes: false },
        { check: true },
        CHECK,
        { ...CHECK, process: GONE, finished: false },
        { ...CHECK, status: 'interrupted' },
      );
      expect((await prune(state, { keep: 3 })).removed).to.deep.equal([]);
      await runsIn(state, {}, {}, {});
      const removed = [cutOff!.id, interrupted!.id, writing!.id];
      expect((await prune(state, { keep: 3 })).removed).to.deep.equal(removed);
    }));

  it('counts a run that may have written as one that did', () =>
    inFolder({}, async (state) => {
      const [old, unreadable] = await runsIn(state, { writes: false }, { writes: false });
      await rewriteHeader(state, old!.id, ({ end, ...header }) => ({ ...header, end: { ...end, wrote: undefined } }));
      await rewriteHeader(state, unreadable!.id, () => ({}));
      await runsIn(state, CHECK, CHECK);
      expect((await prune(state, { keep: 2 })).removed).to.deep.equal([]);
    }));

  it('removes interrupted runs like any other, but none that a process is using', () =>
    inFolder({}, async (state) => {
      const [cutOff, running, elsewhere] = await runsIn(
        state,
        { process: GONE, finished: false },
        { finished: false },
        { process: ELSEWHERE, finished: false },
        {},
      );
      expect(await prune(state)).to.deep.equal({ removed: [cutOff!.id], inUse: [running!.id, elsewhere!.id] });
    }));

  it('treats a run of another machine that has not written for a week as interrupted', () =>
    inFolder({}, async (state) => {
      const [elsewhere] = await runsIn(state, { process: ELSEWHERE, finished: false }, {});
      const before = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
      await utimes(journalFile(runFolder(state, elsewhere!.id)), before, before);
      expect((await prune(state)).removed).to.deep.equal([elsewhere!.id]);
    }));

  it('removes nothing that is being read', () =>
    inFolder({}, async (state) => {
      const [old] = await runsIn(state, {}, {});
      const during = await readKept(state, old!.id, () => prune(state));
      expect(during).to.deep.equal({ removed: [], inUse: [old!.id] });
      expect(await prune(state)).to.deep.equal({ removed: [old!.id], inUse: [] });
    }));

  it('does not wait for a reader that was killed', () =>
    inFolder({}, async (state) => {
      const [old] = await runsIn(state, {}, {});
      await writeFile(path.join(runFolder(state, old!.id), 'reader-1-aa.json'), JSON.stringify(GONE));
      expect((await prune(state)).removed).to.deep.equal([old!.id]);
    }));

  it('reads a limited number of runs, so that a long history does not delay runs', () =>
    inFolder({}, async (state) => {
      await runsIn(state, {}, {}, {}, {}, {});
      expect((await prune(state, { most: 2 })).removed).to.have.length(2);
      expect(await listRuns(state)).to.have.length(3);
    }));

  it('only lists what it would remove', () =>
    inFolder({}, async (state) => {
      const [old] = await runsIn(state, {}, {});
      expect((await prune(state, { check: true })).removed).to.deep.equal([old!.id]);
      expect(await listRuns(state)).to.have.length(2);
    }));

  it('removes what a crash left of partly removed runs', () =>
    inFolder({}, async (state) => {
      const [only] = await runsIn(state, {});
      await mkdir(path.join(state, 'runs', '.old-20261120T185022Z-0000a1'));
      await mkdir(path.join(state, 'runs', '.new-20261120T185022Z-0000a2'));
      await prune(state);
      expect(await readdir(path.join(state, 'runs'))).to.have.members([only!.id, '.new-20261120T185022Z-0000a2']);
    }));

  it('removes all if none is to be kept, and what a crash left only for good', () =>
    inFolder({}, async (state) => {
      const runs = await runsIn(state, {}, CHECK, {});
      const left = (name: string): string => path.join(state, 'runs', name);
      const days = (count: number): Date => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
      const [old, fresh, made] = ['.old-1', '.new-2', '.new-3'].map(left);
      if (old === undefined || fresh === undefined || made === undefined) throw new Error('three are expected');
      for (const folder of [old, fresh, made]) await mkdir(folder);
      await utimes(fresh, days(6.9), days(6.9));
      await utimes(made, days(7.1), days(7.1));
      const removed = runs.map(({ id }) => id);
      expect(await prune(state, { keep: 0, check: true })).to.deep.equal({ removed, inUse: [] });
      expect(await readdir(path.join(state, 'runs'))).to.have.length(6);
      expect(await prune(state, { keep: 0 })).to.deep.equal({ removed, inUse: [] });
      expect(await readdir(path.join(state, 'runs'))).to.deep.equal(['.new-2']);
    }));

  it('counts runs of earlier versions as others', () =>
    inFolder({}, async (state) => {
      const [old, running, check] = await runsIn(state, {}, { finished: false }, CHECK, CHECK, {});
      for (const { id } of [old!, running!, check!])
        await rewriteHeader(state, id, (header) => ({ ...header, schemaVersion: 2 }));
      expect(await prune(state)).to.deep.equal({ removed: [old!.id, check!.id], inUse: [running!.id] });
    }));

  it('keeps a run of another machine until it has not written for a week, also if its header is damaged', () =>
    inFolder({}, async (state) => {
      const [first, second, damaged] = await runsIn(
        state,
        { process: ELSEWHERE, finished: false },
        { process: ELSEWHERE, finished: false },
        {},
        {},
      );
      await rewriteHeader(state, damaged!.id, () => ({}));
      for (const [run, days] of [
        [first!, 6.9],
        [second!, 7.1],
      ] as const) {
        const before = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
        await utimes(journalFile(runFolder(state, run.id)), before, before);
      }
      expect(await prune(state)).to.deep.equal({ removed: [second!.id], inUse: [first!.id, damaged!.id] });
    }));
});
