import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { eventsOf } from '../rig/events_of.js';
import { evenkeel, type EndedInProcess } from '../rig/in_process.js';
import { shareOf } from '../rig/random_seed.js';
import { generatedCases } from './generated/cases.js';
import { inCaseFolder, type Prepared } from './rig/case_folder.js';
import { readCases, type Case } from './rig/cases.js';

const cases = (await readCases()).flatMap((file) => (file.waits === true ? [] : file.cases));

/** Of other cases only the check is compared. */
function isApplied({ title, arguments: options = [] }: Case, { code, stderr }: EndedInProcess): boolean {
  // A plan contains what was included, and the preflight needs what follows the last round.
  if (title === 'an include that ends itself') return false;
  const asRun = !options.some((option) => ['--check', '-C', '-v', '-vv', '-vvv'].includes(option));
  return asRun && code === 0 && !stderr.includes('not in the plan');
}

/** The results of a run, in an order that does not depend on timing. */
function tasksOf({ stdout }: EndedInProcess): readonly string[] {
  const tasks = eventsOf(stdout).flatMap((event) => {
    if (event.type !== 'task-finished') return [];
    const { play, task, controller, handler, item, status, message, values } = event;
    return [JSON.stringify({ play, task, controller, handler, item, status, message, values })];
  });
  return tasks.sort();
}

function expectEqual(one: EndedInProcess, other: EndedInProcess): void {
  expect(other.code, other.stderr).to.equal(one.code);
  expect(tasksOf(other)).to.deep.equal(tasksOf(one));
}

/** Runs commands for one case, with a state folder for each name. */
class Runs {
  constructor(
    private readonly prepared: Prepared,
    private readonly states: string,
  ) {}

  with(state: string, ...command: readonly string[]): Promise<EndedInProcess> {
    // A plan writes nothing: it does not know these.
    const given = this.prepared.arguments.filter((one) => command[0] !== 'plan' || !['--check', '-C'].includes(one));
    return evenkeel([...command, '--strategy', 'linear', '-o', 'json', ...given], this.#at(state));
  }

  apply(state: string, file: string): Promise<EndedInProcess> {
    return evenkeel(['apply', file, '-o', 'json'], this.#at(state));
  }

  #at(state: string): Parameters<typeof evenkeel>[1] {
    const { folder: cwd } = this.prepared;
    return { cwd, env: { EVENKEEL_STATE_DIR: path.join(this.states, state), EVENKEEL_LOCK_DIR: 'off' } };
  }
}

describe('the same playbook, checked, planned and applied', () => {
  for (const one of shareOf([...cases, ...generatedCases], 10)) {
    it(one.title, () =>
      inCaseFolder(one, async (prepared) => {
        const states = await mkdtemp(path.join(tmpdir(), 'evenkeel-state-'));
        try {
          const runs = new Runs(prepared, states);
          const file = path.join(states, 'case.plan');
          const planned = await runs.with('planned', 'plan', '--out', file);
          // A task with it would write.
          if (planned.stderr.includes('"check_mode: false"')) return;
          expectEqual(await runs.with('checked', 'run', '--check'), planned);
          if (isApplied(one, planned)) expectEqual(await runs.with('run', 'run'), await runs.apply('planned', file));
        } finally {
          await rm(states, { recursive: true });
        }
      }),
    );
  }
});
