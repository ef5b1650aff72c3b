import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FREE } from '../../src/app/lock/lock_controllers.js';
import { execute } from '../../src/app/run/execute.js';
import { loadRun } from '../../src/app/load/load_run.js';
import { Diagnostics } from '../../src/model/source/diagnostic.js';
import type { Event, RunFinished, TaskFinished } from '../../src/model/run/event.js';
import { Secrets } from '../../src/secrets/secrets.js';
import type { Mapping } from '../../src/model/values/value.js';
import type { Fleet } from './simulated.js';

export interface EngineOptions {
  readonly check?: boolean;
  readonly verbosity?: number;
}

export interface EngineRun {
  /** As every output gets them: secrets masked. */
  readonly events: readonly Event[];
  readonly finished: RunFinished;
  /** The result of each task on each controller. */
  readonly results: readonly TaskFinished[];
}

/** Runs tasks over all controllers of a fleet, as `evenkeel run` does. */
export async function runTasks(
  fleet: Fleet,
  tasks: readonly Mapping[],
  options: EngineOptions = {},
): Promise<EngineRun> {
  const diagnostics = new Diagnostics();
  const file = path.join(fleet.directory, 'tasks.yml');
  await writeFile(file, JSON.stringify([{ hosts: 'all', tasks }]));
  const cwd = fleet.directory;
  const target = { inventory: [fleet.inventoryFile] };
  const loaded = await loadRun({ type: 'files', files: [file] }, target, { cwd, env: {} }, diagnostics);
  const wrong = diagnostics.list.find(({ severity }) => severity === 'error');
  if (loaded === undefined || wrong !== undefined) throw new Error(wrong?.message ?? 'nothing was loaded');
  const secrets = new Secrets();
  const events: Event[] = [];
  const finished = await execute({
    id: `run-${randomUUID()}`,
    permit: FREE,
    loaded,
    cwd,
    version: '0.0.0',
    tags: [],
    skipTags: [],
    forks: 10,
    maxRegistered: 16 * 2 ** 20,
    strategy: undefined,
    check: options.check === true,
    diff: true,
    verbosity: options.verbosity ?? 0,
    simulate: false,
    credentials: undefined,
    secrets,
    env: {},
    keeping: { command: 'run', argv: [], playbooks: [file] },
    emit: (event) => events.push(event),
    drain: new AbortController().signal,
    abort: new AbortController().signal,
  });
  return { events, finished, results: events.filter((event) => event.type === 'task-finished') };
}
