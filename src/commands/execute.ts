import path from 'node:path';
import { Connections } from '../controller/connections.js';
import { readVariablesFile } from '../load/vars_files.js';
import { Diagnostics } from '../model/diagnostic.js';
import type { Event, RunFinished } from '../model/event.js';
import { Secrets } from '../model/secrets.js';
import type { Connect, Credentials, ReadVariables } from '../run/input.js';
import { run } from '../run/run.js';
import type { LoadedRun } from './load_run.js';
import { newRunId } from './run_id.js';

export interface Execution {
  readonly loaded: LoadedRun;
  readonly version: string;
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
  readonly forks: number;
  readonly strategy: 'host_pinned' | 'linear' | undefined;
  readonly check: boolean;
  readonly diff: boolean;
  readonly verbosity: number;
  readonly simulate: boolean;
  readonly credentials: Credentials | undefined;
  readonly secrets: Secrets;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly emit: (event: Event) => void;
  readonly drain: AbortSignal;
  readonly abort: AbortSignal;
}

/** Connects what was loaded with the engine, the controllers (or their stand-ins) and whoever listens to the events. */
export async function execute(execution: Execution): Promise<RunFinished> {
  const { loaded, secrets, simulate, emit, env, drain, abort } = execution;
  const id = newRunId();
  const connections = new Connections({
    signal: abort,
    env,
    bodies: execution.verbosity >= 4,
    onRequest: (exchange) => {
      if (execution.verbosity >= 3)
        emit({ type: 'request-finished', time: new Date().toISOString(), run: id, ...exchange });
    },
    onWarning: (message, controller) => {
      emit({ type: 'warning', time: new Date().toISOString(), run: id, message, controller });
    },
  });
  const direct: Connect = (settings) => connections.open(settings);
  const { SIMULATED_CREDENTIALS, startSimulation } = await import('./simulation.js');
  const simulation = simulate ? await startSimulation(loaded.target.project.stateDirectory) : undefined;
  try {
    return await run({
      ...execution,
      id,
      playbooks: loaded.playbooks,
      inventory: loaded.target.inventory,
      extraVars: loaded.target.extraVars,
      catalogue: loaded.catalogue,
      limit: loaded.target.limit,
      environment: loaded.target.environment?.name,
      simulated: simulate,
      connect: simulation?.wrap(direct) ?? direct,
      credentials: simulate ? { ...SIMULATED_CREDENTIALS, ...execution.credentials } : execution.credentials,
      readVariables: variablesReader(),
      signal: drain,
    });
  } finally {
    await connections.close();
    await simulation?.close();
  }
}

/** Files that only a controller's variables could name; each is read once. */
function variablesReader(): ReadVariables {
  const read = new Map<string, ReturnType<ReadVariables>>();
  return (file) => {
    const known = read.get(file) ?? readOnce(path.normalize(file));
    read.set(file, known);
    return known;
  };
}

async function readOnce(file: string): ReturnType<ReadVariables> {
  const diagnostics = new Diagnostics();
  const layer = await readVariablesFile(file, diagnostics);
  const wrong = diagnostics.list.find(({ severity }) => severity === 'error');
  if (wrong === undefined) return layer;
  const place = wrong.source === undefined ? file : `${wrong.source.file}:${wrong.source.line}:${wrong.source.column}`;
  throw new Error(`${place}: ${wrong.message}`);
}
