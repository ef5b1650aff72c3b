import path from 'node:path';
import { caReader } from '../../controller/settings/ca_files.js';
import type { Connections, ConnectionsOptions } from '../../controller/connections.js';
import { requireRoute, type Route } from '../../controller/transport/route.js';
import { LIMITS } from '../../controller/exchange/policy.js';
import { proxyFor } from '../../controller/transport/proxy.js';
import type { FileServices } from '../../load/document/file_services.js';
import { readVariables } from '../../load/variables/variables_file.js';
import { encryptedValues } from '../../load/vault/encrypted_values.js';
import type { Vault } from '../../load/vault/vault.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { LoadError } from '../../model/source/load_error.js';
import type { RunFinished } from '../../model/run/event.js';
import type { Journal } from '../../model/run/journal.js';
import type { Connect, Credentials, ReadVariables, RunInput } from '../../run/input/run_input.js';
import { run } from '../../run/run.js';
import type { Reach } from '../../template/runtime/frame.js';
import type { Permit } from '../lock/lock_controllers.js';
import type { LoadedRun } from '../load/load_run.js';
import { batchRollback } from '../rollback/batch_rollback.js';
import { openRecord, type Recording, type RunRecord } from './run_record.js';
import type { Simulation, startSimulation } from '../simulation/simulation.js';

type Optional = Pick<RunInput, 'forceHandlers' | 'startAtTask' | 'confirmTask' | 'answers' | 'ask'>;

export interface Execution extends Optional, Recording {
  /** The holder releases it. */
  readonly permit: Permit;
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
  readonly forks: number;
  readonly maxRegistered: number;
  readonly strategy: 'host_pinned' | 'linear' | undefined;
  readonly diff: boolean;
  readonly verbosity: number;
  readonly credentials: Credentials | undefined;
  /** What simulated controllers speak; absent: the versions of the inventory. */
  readonly apiVersions?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly drain: AbortSignal;
  readonly abort: AbortSignal;
}

/**
 * Connects what was loaded with the engine, the real or simulated controllers, the journal and the listeners of events.
 *
 * @throws JournalError if the run may write but its journal cannot be written; nothing was contacted
 */
export async function execute(execution: Execution): Promise<RunFinished> {
  const record = await openRecord(execution);
  try {
    return await carryOut({ ...execution, emit: record.emit }, record);
  } finally {
    await record.close();
  }
}

async function carryOut(execution: Execution, { journal }: RunRecord): Promise<RunFinished> {
  const { id, loaded, permit, simulate, drain, keeping } = execution;
  const { project, inventory, inventorySources, extraVars, limit, limitPattern, environment, library } = loaded.target;
  const refused = new AbortController();
  const simulation = simulate
    ? await simulationIn({
        stateDirectory: project.stateDirectory,
        apiVersions: execution.apiVersions,
        target: loaded.target,
      })
    : undefined;
  const connections = once(() =>
    openConnections(execution, id, {
      route: simulation?.route,
      onCredentialsRefused: () => {
        refused.abort();
      },
    }),
  );
  const direct: Connect = async (settings) => (await connections.get()).open(settings);
  const explained = explainInterrupts(execution, id);
  try {
    return await run({
      ...execution,
      playbooks: loaded.playbooks,
      inventory,
      inventorySources,
      extraVars,
      catalogue: loaded.catalogue,
      library: library.with({ reach: reachOf(simulation?.route, execution.env) }),
      limit,
      limitPattern,
      environment: environment?.name,
      projectFile: project.file && path.resolve(execution.cwd, project.file),
      simulated: simulate,
      route: simulation?.route,
      connect: staying(noting(simulation?.wrap(direct) ?? permit.guard(direct), journal), loaded.places),
      credentials: { ...simulation?.credentials, ...execution.credentials },
      readVariables: variablesReader(execution.cwd, loaded.target),
      unlock: unlocker(loaded.target.vault),
      readCa: caReader(execution.cwd),
      journal,
      planRollback: journal && batchRollback({ stateDirectory: project.stateDirectory, cwd: execution.cwd, journal }),
      past: keeping.kept?.past,
      signal: drain,
      credentialsRefused: refused.signal,
    });
  } finally {
    explained();
    await (await connections.made())?.close();
    await simulation?.close();
  }
}

/** In a rehearsal, the lookup `url` reaches what the route allows, and no proxy: that would be a way out. */
function reachOf(route: Route | undefined, env: Execution['env']): Reach {
  return (url) => {
    if (route === undefined) return { proxy: proxyFor(url, undefined, env) };
    requireRoute(url.href, route);
    return { proxy: undefined };
  };
}

/** Keeps where each controller was, before anything is sent to it. Where a task's variables lead is kept with what it writes. */
function noting(connect: Connect, journal: Pick<Journal, 'record'> | undefined): Connect {
  const noted = new Set<string>();
  return (settings, variables) => {
    const { controller, url } = settings;
    if (url === variables.home) {
      if (!noted.has(controller)) journal?.record({ type: 'controller-reached', controller, url });
      noted.add(controller);
    }
    return connect(settings, variables);
  };
}

/** Contacts no controller whose address differs from the planned one. */
function staying(connect: Connect, places: LoadedRun['places']): Connect {
  return (settings, variables) => {
    const { controller, url } = settings;
    const place = places?.get(controller);
    if (place === undefined || place === url || url !== variables.home) return connect(settings, variables);
    throw new Error(`${controller} was at ${place}, and is at ${url} now: it may be another one, and is left alone`);
  };
}

/** Loaded when the first task contacts a controller: the HTTP client is half of the code of a short command. */
async function openConnections(
  { verbosity, env, emit, abort, drain, secrets, maxRegistered }: Execution,
  run: string,
  port: Pick<ConnectionsOptions, 'route' | 'onCredentialsRefused'>,
): Promise<Connections> {
  const { Connections } = await import('../../controller/connections.js');
  const stamp = () => ({ time: new Date().toISOString(), run });
  return new Connections({
    signal: abort,
    drain,
    env,
    bodies: verbosity >= 4,
    secrets,
    // An answer may be as large as what is registered of it.
    limits: { responseBytes: Math.max(LIMITS.responseBytes, maxRegistered) },
    ...(verbosity >= 3 && {
      onRequest: (exchange) => {
        emit({ type: 'request-finished', ...stamp(), ...exchange });
      },
    }),
    onThrottled: (throttling) => {
      emit({ type: 'controller-throttled', ...stamp(), ...throttling });
    },
    onWarning: (message, controller) => {
      emit({ type: 'warning', ...stamp(), message, controller });
    },
    ...port,
  });
}

/** Loaded only for a rehearsal: the simulator brings a server and a certificate maker. */
async function simulationIn(rehearsal: Parameters<typeof startSimulation>[0]): Promise<Simulation> {
  const { startSimulation: start } = await import('../simulation/simulation.js');
  return start(rehearsal);
}

/** Prints what each Ctrl-C does, and what the next one would do. Returns a function that removes the listener. */
function explainInterrupts({ drain, abort, check, emit }: Execution, run: string): () => void {
  const telling = (message: string) => (): void => {
    emit({ type: 'warning', time: new Date().toISOString(), run, message });
  };
  const first = telling('interrupted: finishing running writes, starting nothing new (Ctrl-C again to abandon them)');
  // The third signal ends the process at once, so nothing more is printed.
  const way = check ? '' : `; then continue with: evenkeel resume ${run}`;
  const second = telling(`interrupted again: abandoning running requests (Ctrl-C again to exit at once${way})`);
  drain.addEventListener('abort', first);
  abort.addEventListener('abort', second);
  return () => {
    drain.removeEventListener('abort', first);
    abort.removeEventListener('abort', second);
  };
}

/** Made when it is first asked for, and never twice. */
function once<T>(make: () => Promise<T>): { get(): Promise<T>; made(): Promise<T | undefined> } {
  let made: Promise<T> | undefined;
  return { get: () => (made ??= make()), made: async () => made };
}

/** Nothing, where no value is encrypted. */
function unlocker(vault: Vault): RunInput['unlock'] {
  if (!vault.hasValues) return undefined;
  return async (layers) => {
    await vault.unlock(encryptedValues(layers));
  };
}

/** Files that only a controller's variables could name; each is read once. */
export function variablesReader(cwd: string, means: FileServices): ReadVariables {
  const read = new Map<string, ReturnType<ReadVariables>>();
  return (file) => {
    const known = read.get(file) ?? readOnce(path.normalize(file), cwd, means);
    read.set(file, known);
    return known;
  };
}

async function readOnce(file: string, cwd: string, means: FileServices): ReturnType<ReadVariables> {
  const diagnostics = new Diagnostics();
  const shown = path.relative(cwd, file);
  const layer = await readVariables(file, 'vars_files', diagnostics, shown, means);
  const wrong = diagnostics.list.find(({ severity }) => severity === 'error');
  if (wrong === undefined) return layer;
  throw new LoadError(
    wrong.source === undefined ? `${shown}: ${wrong.message}` : wrong.message,
    wrong.source,
    wrong.hint,
  );
}
