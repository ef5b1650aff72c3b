import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Event, RunFinished, TaskFinished } from '../../src/core/model/run/event.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { loadRun } from '../../src/launch/load/load_run.js';
import { selectPlays } from '../../src/launch/load/prepared_run.js';
import { NO_LOCK } from '../../src/launch/lock/lock_controllers.js';
import { runRecorded } from '../../src/launch/start/start_run.js';
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
  const events: Event[] = [];
  const command = { type: 'run', playbooks: [file] } as const;
  const { check = false, verbosity = 0 } = options;
  const request = { command, forks: 10, maxRegistered: 16 * 2 ** 20, check, verbosity, diff: 'host' } as const;
  const { signal } = new AbortController();
  const finished = await runRecorded(
    { request, loaded, selected: selectPlays(loaded, {}, diagnostics), label: file, journalOptions: {} },
    { id: `run-${randomUUID()}`, lock: NO_LOCK, credentials: {}, owners: new Map() },
    {
      cwd,
      env: {},
      version: '0.0.0',
      caller: { name: 'test', command: 'run', argv: () => [] },
      signals: { drain: signal, abort: signal },
      report: { notice: () => undefined },
      emit: (event) => events.push(event),
    },
  );
  return { events, finished, results: events.filter((event) => event.type === 'task-finished') };
}
