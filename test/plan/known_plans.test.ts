import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { keepCopy } from '../../src/launch/planned/plan_copies.js';
import { knownPlans } from '../../src/plan/known_plans.js';
import { journalFile, runFolder } from '../../src/record/journal/format/run_folders.js';
import { PlanWriter } from '../../src/record/plan/plan_writer.js';
import { inFolder } from '../rig/folder.js';
import { beginRun } from '../rig/kept.js';

const KEY = Buffer.from('a key of 32 bytes for the tests.');
const INPUTS = { invocation: {}, playbooks: [], answers: {}, written: {}, secrets: [], code: {} };

async function writePlan(file: string, day: number): Promise<string> {
  const id = `2026010${day}T000000Z-00000${day}`;
  const created = `2026-01-0${day}T00:00:00.000Z`;
  const writer = await PlanWriter.create(file, KEY, { id, created, version: '1.0.0' });
  await writer.finish(INPUTS, { controllers: [], unplanned: {}, connections: {} });
  return id;
}

describe('the saved plans of a project', () => {
  it('are those of kept runs, of its folder, and copies of applied ones: each once, newest first, with its command', () =>
    inFolder({}, async (folder) => {
      const [state, project, elsewhere] = ['state', 'project', 'elsewhere'].map((name) => path.join(folder, name));
      for (const one of [state, project, elsewhere]) await mkdir(one ?? '');
      if (state === undefined || project === undefined || elsewhere === undefined) throw new Error('no folders');
      const made = async (command: 'plan' | 'run', ...argv: readonly string[]): Promise<string> => {
        const journal = await beginRun(state, { start: { command: command, argv, cwd: elsewhere } });
        await journal.close();
        return journal.id;
      };
      const at = (name: string): string => path.join(elsewhere, name);
      await writePlan(at('a'), 1);
      await writePlan(at('b'), 2);
      const applied = await writePlan(path.join(project, 'own.plan'), 3);
      await writePlan(path.join(project, 'no_plan.txt'), 4);
      const moved = await writePlan(at('moved'), 5);
      await keepCopy(at('moved'), state, moved);
      await rm(at('moved'));
      await keepCopy(path.join(project, 'own.plan'), state, applied);
      await appendFile(
        path.join(state, 'plans', `${applied}.plan.applied`),
        '["lb1","r1"]\n["lb2","r1"]\n["lb3","r2"]\n',
      );
      await writeFile(path.join(project, 'broken.plan'), 'this is no plan');
      await made('plan', 'plan', 'a.yml', '--out=x', '--out=a');
      await made('plan', 'plan', 'saved_nothing.yml', '--out=a');
      await made('plan', 'plan', 'shown.yml');
      await made('plan', 'plan', 'gone.yml', '--out', 'gone');
      await made('run', 'run', '--out', 'no_plan');
      const damaged = await made('plan', 'plan', 'damaged.yml', '--out', 'a');
      await writeFile(path.join(path.dirname(journalFile(runFolder(state, damaged))), 'run.json'), '{');
      // The newest run counts, too.
      await made('plan', 'plan', 'b.yml', '--out', 'b', '--check');
      const found = await knownPlans(state, project);
      expect(found.map(({ id, ...rest }) => [id.slice(7, 8), rest])).to.deep.equal([
        [
          '5',
          {
            file: path.join(state, 'plans', `${moved}.plan`),
            created: '2026-01-05T00:00:00.000Z',
            argv: undefined,
            applied: [],
          },
        ],
        [
          '3',
          {
            file: path.join(project, 'own.plan'),
            created: '2026-01-03T00:00:00.000Z',
            argv: undefined,
            applied: [
              { run: 'r1', controllers: 2 },
              { run: 'r2', controllers: 1 },
            ],
          },
        ],
        [
          '2',
          {
            file: at('b'),
            created: '2026-01-02T00:00:00.000Z',
            argv: ['plan', 'b.yml', '--out', 'b', '--check'],
            applied: [],
          },
        ],
        [
          '1',
          {
            file: at('a'),
            created: '2026-01-01T00:00:00.000Z',
            argv: ['plan', 'a.yml', '--out=x', '--out=a'],
            applied: [],
          },
        ],
      ]);
    }));

  it('are none where nothing is kept', () =>
    inFolder({}, async (folder) => {
      expect(await knownPlans(path.join(folder, 'none'), path.join(folder, 'none either'))).to.deep.equal([]);
    }));
});
