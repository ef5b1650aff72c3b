import type { Connections, ConnectionsOptions } from '../../controller/connections.js';
import { LIMITS } from '../../controller/exchange/policy.js';
import type { LoadWatch } from '../../controller/pace/slow_down.js';
import { routeFor } from '../../controller/route/environment.js';
import { settingRoute, signedInRoute } from '../../controller/settings/route.js';
import { SettingValues } from '../../controller/settings/values.js';
import { requireReachable, type Confine } from '../../controller/transport/confinement.js';
import { controllerIdentity, NO_PROXY, routeLabel, type Route, type Routes } from '../../core/model/inventory/route.js';
import type { Event } from '../../core/model/run/event.js';
import type { JournalRecord } from '../../core/model/run/journal.js';
import type { Connect, RunConnections, TypedCredentials } from '../../engine/input/run_input.js';
import type { Owner, Owners } from '../../engine/preflight/addresses.js';
import type { Library } from '../../language/library.js';
import type { EvaluationScope, RouteUrl } from '../../language/runtime/frame.js';
import { encryptedValues, type Vault } from '../../project/vault/vault.js';
import type { RollbackInputs } from '../load/load_run.js';
import type { RunPorts } from '../load/ports.js';
import { runSettings, type PreparedRun } from '../load/prepared_run.js';

interface ConnectionPorts extends Pick<RunPorts, 'env' | 'meter' | 'signals'> {
  readonly emit: (event: Event) => void;
}

/** How controllers are reached, and how that is reported. */
interface Reaching {
  /** For a simulation. */
  readonly confine: Confine | undefined;
  readonly credentials: TypedCredentials;
  readonly owners: Owners;
  readonly onCredentialsRefused: (reason: string) => void;
  /** Checks before a controller is contacted. */
  readonly guard: (connect: Connect) => Connect;
  readonly beforeWrite: RunConnections['beforeWrite'];
  readonly onReached: (record: Extract<JournalRecord, { type: 'controller-reached' }>) => void;
}

/** Connects the tasks of a run to its controllers. */
export interface EngineConnections {
  readonly connections: Omit<RunConnections, 'settingSources'>;
  /** The filters for templates, which use the same route. */
  readonly library: Library;
  close(): Promise<void>;
}

export function engineConnections(
  run: PreparedRun,
  id: string,
  ports: ConnectionPorts,
  { confine, credentials, owners, onCredentialsRefused, guard, beforeWrite, onReached }: Reaching,
): EngineConnections {
  const { target, rollback } = run.loaded;
  let load: LoadWatch | undefined;
  let opened: Promise<Connections> | undefined;
  const open = (): Promise<Connections> =>
    (opened ??= openConnections(run, id, ports, { confine, onCredentialsRefused, load }));
  const direct: Connect = async (settings) => (await open()).open(settings);
  const recording = recordingAddresses(guard(direct), onReached);
  return {
    connections: {
      // A rollback restores what was written, also through two names of one controller.
      connect:
        rollback === undefined ? atOwnAddresses(recording, owners) : atKnownAddresses(recording, rollback.addresses),
      beforeWrite,
      watchLoad: (watch) => {
        load = watch;
      },
      openTunnel: async (settings, to) => (await open()).openTunnel(settings, to),
      confine,
      credentials,
      unlock: unlocker(target.vault),
    },
    library: target.library.with({
      routeUrl: urlRouter(confine, ports.env, target.project.routes),
      meter: ports.meter,
    }),
    close: async () => {
      await (await opened)?.close();
    },
  };
}

/**
 * The lookup `url` goes the way of the requests to the controller. In a simulation it reaches only what the run may reach,
 * and no proxy, because that would lead to real servers.
 */
function urlRouter(confine: Confine | undefined, env: ConnectionPorts['env'], routes: Routes): RouteUrl {
  return (url, variables) => {
    const own = variables === undefined ? NO_PROXY : routeIn(variables, routes);
    if (confine === undefined) return { proxies: routeFor(url.href, own, env)?.proxies ?? [] };
    requireReachable(url.href, confine, routeLabel(own));
    return { proxies: [] };
  };
}

function routeIn(variables: EvaluationScope, routes: Routes): Route | undefined {
  const controller = variables.get('inventory_hostname');
  const values = new SettingValues((name) => variables.get(name), typeof controller === 'string' ? controller : '');
  const route = signedInRoute(values, settingRoute(values, routes));
  const [problem] = values.problems;
  if (problem !== undefined) throw Object.assign(new Error(problem.message), { hint: problem.hint });
  return route;
}

/**
 * Refuses a controller that turns out to be at the address of another one, or that a task's variables lead there. The
 * preflight refuses a run if all of that is known by then. A host without an address of its own is no controller, and may
 * act on any.
 *
 * @param owners those known before the run, because the run may never contact them
 */
function atOwnAddresses(connect: Connect, owners: Owners): Connect {
  const known = new Map<string, readonly Owner[]>();
  return (settings, variables) => {
    const { controller: name, shared: isShared } = settings;
    const { home, isGiven } = variables;
    if (home === undefined) return connect(settings, variables);
    const address = controllerIdentity(settings);
    const names = known.get(address) ?? owners.get(address) ?? [];
    const other = names.find((one) => one.name !== name && !(one.isShared && isShared));
    if (other !== undefined) {
      const leads = address === home ? `${name} is at` : `the variables of the task lead ${name} to`;
      throw new Error(
        `${leads} ${address}, the address of ${other.name}: it was not contacted; controller_shared: true for both allows it`,
      );
    }
    // With an address in their arguments, tasks of several hosts may act on one controller.
    const isKnown = names.some((one) => one.name === name);
    if (!isKnown && (address === home || !isGiven)) known.set(address, [...names, { name, isShared }]);
    return connect(settings, variables);
  };
}

/** Records each controller's first address before the first request to it, for a resume, which knows those that files declare. */
function recordingAddresses(connect: Connect, onReached: Reaching['onReached']): Connect {
  const recorded = new Set<string>();
  return (settings, variables) => {
    const { controller } = settings;
    if (variables.declaredBy !== undefined && !recorded.has(controller)) {
      recorded.add(controller);
      onReached({ type: 'controller-reached', controller, url: controllerIdentity(settings) });
    }
    return connect(settings, variables);
  };
}

/** Refuses a controller whose address differs from the planned one. */
function atKnownAddresses(connect: Connect, addresses: RollbackInputs['addresses']): Connect {
  return (settings, variables) => {
    const { controller } = settings;
    const url = controllerIdentity(settings);
    const known = addresses.get(controller);
    if (known === undefined || known === url || url !== variables.home) return connect(settings, variables);
    throw new Error(
      `${controller} was at ${known} and is now at ${url}: it may be another controller, so it was not contacted`,
    );
  };
}

/** Loaded when the first task needs a controller: HTTP is half of the code that a short command loads. */
async function openConnections(
  run: PreparedRun,
  id: string,
  { env, emit, meter, signals: { abort, drain } }: ConnectionPorts,
  port: Pick<ConnectionsOptions, 'confine' | 'onCredentialsRefused' | 'load'>,
): Promise<Connections> {
  const { Connections } = await import('../../controller/connections.js');
  const { verbosity, maxRegistered } = runSettings(run);
  const stamp = () => ({ time: new Date().toISOString(), run: id });
  return new Connections({
    abort,
    drain,
    env,
    bodies: verbosity >= 4,
    secrets: run.loaded.target.secrets,
    findCollection: async (field, object) => (await run.loaded.kinds()).referredCollection(field, object),
    // The limit of an answer is at least the limit of a registered value.
    limits: { responseBytes: Math.max(LIMITS.responseBytes, maxRegistered) },
    ...((verbosity >= 3 || meter !== undefined) && {
      onRequest: (exchange) => {
        meter?.request(exchange);
        if (verbosity >= 3) emit({ type: 'request-finished', ...stamp(), ...exchange });
      },
    }),
    onRetry: (retry) => emit({ type: 'request-retried', ...stamp(), ...retry }),
    onThrottled: (throttling) => emit({ type: 'controller-throttled', ...stamp(), ...throttling }),
    onWarning: (message, controller) => emit({ type: 'warning', ...stamp(), message, controller }),
    ...port,
  });
}

/** Undefined if no value is encrypted. */
function unlocker(vault: Vault): RunConnections['unlock'] {
  if (!vault.hasValues) return undefined;
  return async (layers) => {
    await vault.unlock(encryptedValues(layers));
  };
}
