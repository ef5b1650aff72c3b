import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { findRun, isRunId, listRuns, newRunId, nextRunId } from '../../../../src/record/journal/format/run_folders.js';
import { inFolder } from '../../../rig/folder.js';
import { beginRun } from '../../../rig/kept.js';

const IDS = ['20261120T185022Z-0000a1', '20261120T185022Z-0000b2', '20261121T070000Z-000001'];

function withRuns<T>(ids: readonly string[], use: (state: string) => Promise<T>): Promise<T> {
  return inFolder({}, async (state) => {
    for (const id of ids) await mkdir(path.join(state, 'runs', id), { recursive: true });
    return use(state);
  });
}

async function refused(state: string, name: string): Promise<{ message: string; hint: unknown }> {
  const error: unknown = await findRun(state, name).catch((reason: unknown) => reason);
  if (!(error instanceof Error)) throw new Error(`${name} was found`);
  return { message: error.message, hint: Reflect.get(error, 'hint') };
}

describe('the ids of runs', () => {
  it('show when the run started', () => {
    for (const after of [undefined, '20250101T000000Z-0000a1'])
      expect(newRunId(new Date('2026-11-20T18:50:22.734Z'), after)).to.match(/^20261120T185022Z-[\da-f]{6}$/);
  });

  it('sort after all earlier ones, whatever the clock shows', () => {
    const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, time, (before, now) => {
        const first = newRunId(before);
        const second = newRunId(now, first);
        expect(isRunId(second)).to.be.true;
        expect(second > first, `${second} after ${first}`).to.be.true;
      }),
    );
  });

  it('stay in order when many runs start in one second', () => {
    const now = new Date('2026-11-20T18:50:22Z');
    const ids = [newRunId(now)];
    for (let index = 0; index < 10_000; index++) ids.push(newRunId(now, ids.at(-1)));
    expect(ids[1], ids[0]).to.match(/^20261120T185022Z-/);
    expect(ids.toSorted()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('are always valid dates', () => {
    const last = '99991231T235959Z-ffffff';
    expect(isRunId(newRunId(new Date(), last))).to.be.true;
    expect(isRunId(newRunId(new Date(), '20261399T999999Z-ffffff'))).to.be.true;
  });

  it('sort after existing runs, even if the clock was set back', () =>
    withRuns(['20991120T185022Z-0000a1'], async (state) => {
      const id = await nextRunId(state);
      expect(id > '20991120T185022Z-0000a1', id).to.be.true;
      const journal = await beginRun(state);
      await journal.close();
      expect(await findRun(state, 'last')).to.equal(journal.id);
    }));
});

describe('the list of runs', () => {
  it('are listed newest first, without other files of the folder', () =>
    withRuns([...IDS, '.new-20261121T080000Z-000001', 'notes'], async (state) => {
      expect(await listRuns(state)).to.deep.equal(IDS.toReversed());
    }));

  it('are found by id, by the beginning of one, and as the last', () =>
    withRuns(IDS, async (state) => {
      const names = [IDS[0]!, '20261120T185022Z-0000b', '20261121', 'last'];
      expect(await Promise.all(names.map((name) => findRun(state, name)))).to.deep.equal([
        IDS[0],
        IDS[1],
        IDS[2],
        IDS[2],
      ]);
    }));

  it('are reported if a prefix matches several or none', () =>
    withRuns(IDS, async (state) => {
      expect(await refused(state, '20261120')).to.deep.equal({
        message: '"20261120" is ambiguous: 2 runs begin with it',
        hint: 'they are 20261120T185022Z-0000b2, 20261120T185022Z-0000a1',
      });
      expect(await refused(state, '20261120T185022Z-0000a2')).to.deep.equal({
        message: `there is no run "20261120T185022Z-0000a2" in ${state}/runs`,
        hint: 'did you mean "20261120T185022Z-0000b2"? evenkeel runs lists them',
      });
      expect(await refused(state, '../../etc')).to.deep.equal({
        message: `there is no run "../../etc" in ${state}/runs`,
        hint: 'the newest is 20261121T070000Z-000001; evenkeel runs lists them',
      });
      expect((await refused(state, 'lats')).hint).to.equal('did you mean "last"? evenkeel runs lists them');
      expect(await refused(state, '')).to.deep.equal({
        message: 'no run is named',
        hint: 'write last or the beginning of an id; evenkeel runs lists them',
      });
    }));

  it('are named up to three if a prefix matches more', () =>
    withRuns(
      [1, 2, 3, 4, 5].map((at) => `20261122T00000${at}Z-000001`),
      async (state) => {
        expect(await refused(state, '2026')).to.deep.equal({
          message: '"2026" is ambiguous: 5 runs begin with it',
          hint: 'they are 20261122T000005Z-000001, 20261122T000004Z-000001, 20261122T000003Z-000001 and 2 more',
        });
      },
    ));

  it('are all named if a prefix matches three', () =>
    withRuns(
      [1, 2, 3].map((at) => `20261122T00000${at}Z-000001`),
      async (state) => {
        expect((await refused(state, '2026')).hint).to.equal(
          'they are 20261122T000003Z-000001, 20261122T000002Z-000001, 20261122T000001Z-000001',
        );
      },
    ));

  it('are empty if there is no folder', () =>
    inFolder({}, async (state) => {
      expect(await listRuns(state)).to.deep.equal([]);
      expect(await refused(state, 'last')).to.deep.equal({
        message: `there are no runs in ${state}/runs yet`,
        hint: undefined,
      });
      expect(await readdir(state)).to.deep.equal([]);
    }));
});
