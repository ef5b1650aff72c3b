import type { Connections, ConnectionsOptions } from '../../controller/connections.js';
import { requireRoute, type Route } from '../../controller/transport/route.js';
import { LIMITS } from '../../controller/exchange/policy.js';
import { proxyFor } from '../../controller/transport/proxy.js';
import { encryptedValues } from '../../load/vault/open_vault.js';
import type { Vault } from '../../load/vault/vault.js';
import type { Event, RunFinished, Warning } from '../../model/run/event.js';
import { openSecretDigests } from '../../journal/disk/secret_digests.js';
import type { Journal } from '../../model/run/journal.js';
import type { Connect, Credentials, RunConnections, RunUser } from '../../run/input/run_input.js';
import { run as runPlays } from '../../run/run.js';
import type { Reach } from '../../template/runtime/frame.js';
import type { LoadedRun } from '../load/load_run.js';
import { batchRollback } from '../rollback/batch_rollback.js';
import { sharedInput } from './run_input.js';
import { openRecord, type RunRecord } from './run_record.js';
import type { RunPorts } from '../load/ports.js';
import type { RunLock } from '../lock/lock_controllers.js';
import { runSettings, stateFolderOf, type PreparedRun } from '../load/prepared_run.js';
import type { Simulation } from '../simulation/simulation.js';

/** What a run must obtain before it starts. */
export interface Permission {
  readonly id: string;
  /** Released by its owner. */
  readonly lock: RunLock;
  readonly credentials: Credentials;
}

/** Of the ports, what is needed once the run may begin. */
export interface ExecutePorts
  extends Pick<RunPorts, 'cwd' | 'env' | 'version' | 'caller' | 'signals' | 'meter'>, RunUser {
  /** Each event as it happens, secrets masked. */
  readonly emit: (event: Event) => void;
}

/**
 * Connects what was loaded with the engine, the controllers (or simulated ones), the journal and the reporter.
 *
 * @throws JournalError if a run that may write cannot be kept: nothing was contacted
 */
export async function execute(run: PreparedRun, permission: Permission, ports: ExecutePorts): Promise<RunFinished> {
  const record = await openRecord(run, permission.id, ports);
  try {
    return await runEngine(run, permission, { ...ports, emit: record.emit }, record);
  } finally {
    await record.close();
  }
}

async function runEngine(
  run: PreparedRun,
  { id, lock, credentials }: Permission,
  ports: ExecutePorts,
  { journal }: RunRecord,
): Promise<RunFinished> {
  const { loaded, request, journalOptions } = run;
  const { cwd, env, emit, signals, meter } = ports;
  const { target } = loaded;
  const { project } = target;
  const state = stateFolderOf(run);
  const refused = new AbortController();
  const simulation = request.simulate === true ? await simulationOf(run) : undefined;
  const connections = once(() =>
    openConnections(run, id, ports, {
      route: simulation?.route,
      onCredentialsRefused: () => {
        refused.abort();
      },
    }),
  );
  const direct: Connect = async (settings) => (await connections.get()).open(settings);
  const explained = explainInterrupts(run, id, ports);
  try {
    const shared = sharedInput(run, ports);
    return await runPlays({
      ...shared,
      identity: { ...shared.identity, id, simulated: request.simulate === true },
      sources: { ...shared.sources, library: target.library.with({ reach: reachOf(simulation?.route, env), meter }) },
      connections: {
        ...shared.connections,
        connect: atKnownAddresses(
          recordingAddresses(simulation?.wrap(direct) ?? lock.guard(direct), journal),
          loaded.addresses,
        ),
        route: simulation?.route,
        credentials: { ...simulation?.credentials, ...credentials },
        unlock: unlocker(target.vault),
      },
      record: {
        emit,
        journal,
        writtenSecrets: state === undefined ? undefined : openSecretDigests(state, request.simulate === true),
        planRollback: journal && batchRollback({ stateDirectory: project.stateDirectory, cwd, journal }),
        onResult: run.onResult,
        past: journalOptions.kept?.past,
        plan: loaded.plan,
      },
      user: { ask: ports.ask, confirmTask: ports.confirmTask },
      stops: { signal: signals.drain, abort: signals.abort, credentialsRefused: refused.signal },
    });
  } finally {
    explained();
    await (await connections.made())?.close();
    await simulation?.close();
  }
}

/** In a simulation, the lookup `url` reaches what the route allows, and no proxy: that would lead out of it. */
function reachOf(route: Route | undefined, env: ExecutePorts['env']): Reach {
  return (url) => {
    if (route === undefined) return { proxy: proxyFor(url, undefined, env) };
    requireRoute(url.href, route);
    return { proxy: undefined };
  };
}

/** Records each controller's address before anything is sent to it. An address from a task's variables is recorded with its writes. */
function recordingAddresses(connect: Connect, journal: Pick<Journal, 'record'> | undefined): Connect {
  const recorded = new Set<string>();
  return (settings, variables) => {
    const { controller, url } = settings;
    if (url === variables.home) {
      if (!recorded.has(controller)) journal?.record({ type: 'controller-reached', controller, url });
      recorded.add(controller);
    }
    return connect(settings, variables);
  };
}

/** Refuses a controller at another address than the one that the run was planned for. */
function atKnownAddresses(connect: Connect, addresses: LoadedRun['addresses']): Connect {
  return (settings, variables) => {
    const { controller, url } = settings;
    const known = addresses?.get(controller);
    if (known === undefined || known === url || url !== variables.home) return connect(settings, variables);
    throw new Error(
      `${controller} was at ${known} and is now at ${url}: it may be another controller, so it was not contacted`,
    );
  };
}

/** Loaded when the first task needs a controller: HTTP is half of the code that a short command would load. */
async function openConnections(
  run: PreparedRun,
  id: string,
  { env, emit, meter, signals: { abort, drain } }: ExecutePorts,
  port: Pick<ConnectionsOptions, 'route' | 'onCredentialsRefused'>,
): Promise<Connections> {
  const { Connections } = await import('../../controller/connections.js');
  const { verbosity, maxRegistered } = runSettings(run);
  const stamp = () => ({ time: new Date().toISOString(), run: id });
  return new Connections({
    signal: abort,
    drain,
    env,
    bodies: verbosity >= 4,
    secrets: run.loaded.target.secrets,
    collectionOf: async (field, object) => (await run.loaded.kinds()).collectionOf(field, object),
    // An answer may be as large as what is registered of it.
    limits: { responseBytes: Math.max(LIMITS.responseBytes, maxRegistered) },
    ...((verbosity >= 3 || meter !== undefined) && {
      onRequest: (exchange) => {
        meter?.request(exchange);
        if (verbosity >= 3) emit({ type: 'request-finished', ...stamp(), ...exchange });
      },
    }),
    onRetry: (retry) => {
      emit({ type: 'request-retried', ...stamp(), ...retry });
    },
    onThrottled: (throttling) => {
      emit({ type: 'controller-throttled', ...stamp(), ...throttling });
    },
    onWarning: (message, controller) => {
      emit({ type: 'warning', ...stamp(), message, controller });
    },
    ...port,
  });
}

/** Loaded for simulations only: the simulator brings a server and a certificate maker. */
async function simulationOf(run: PreparedRun): Promise<Simulation> {
  const { startSimulation } = await import('../simulation/simulation.js');
  const { apiVersion: apiVersions } = run.request;
  const { target, kinds } = run.loaded;
  return startSimulation({ stateDirectory: stateFolderOf(run), apiVersions, target, kinds });
}

/** Explains what each Ctrl-C does, and what the next one would do; returns how to stop that. */
function explainInterrupts(
  { request }: PreparedRun,
  run: string,
  { signals: { drain, abort }, emit }: ExecutePorts,
): () => void {
  const warnOf =
    (message: string, more: Pick<Warning, 'givesUp'> = {}) =>
    (): void => {
      emit({ type: 'warning', time: new Date().toISOString(), run, message, ...more });
    };
  const first = warnOf('interrupted: finishing running writes, starting nothing new (Ctrl-C again to give them up)');
  // A third Ctrl-C ends the process, which explains nothing more.
  const isCheck = request.check === true;
  const hint = isCheck ? '' : `; then continue with: evenkeel resume ${run}`;
  const writes = isCheck ? '' : ', without knowing whether writes took effect: a resume finds out';
  const second = warnOf(
    `interrupted again: giving up running requests${writes} (Ctrl-C again to exit at once${hint})`,
    { givesUp: true },
  );
  drain.addEventListener('abort', first);
  abort.addEventListener('abort', second);
  return () => {
    drain.removeEventListener('abort', first);
    abort.removeEventListener('abort', second);
  };
}

/** Made on first use, and only once. */
function once<T>(make: () => Promise<T>): { get(): Promise<T>; made(): Promise<T | undefined> } {
  let made: Promise<T> | undefined;
  return { get: () => (made ??= make()), made: async () => made };
}

/** Undefined if no value is encrypted. */
function unlocker(vault: Vault): RunConnections['unlock'] {
  if (!vault.hasValues) return undefined;
  return async (layers) => {
    await vault.unlock(encryptedValues(layers));
  };
}
