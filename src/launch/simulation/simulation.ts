import {
  NetworkRefusal,
  parseHostAndPort,
  type Confine,
  type HostAndPort,
} from '../../controller/transport/confinement.js';
import { EXIT } from '../../core/model/exit_code.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity, NO_PROXY, routeLabel } from '../../core/model/inventory/route.js';
import type { Event, RunFinished } from '../../core/model/run/event.js';
import { appendTo, getOrAdd, lazily } from '../../core/model/values/groups.js';
import type { Value } from '../../core/model/values/value.js';
import type { Connect, DeclaredBy, TypedCredentials } from '../../engine/input/run_input.js';
import type { LoadKinds } from '../../kinds/kind_table.js';
import { JournalError } from '../../record/journal/format/run_folders.js';
import type { Behaviour } from '../../simulator/behaviour/behaviour.js';
import { behaviourParser } from '../../simulator/behaviour/parse_behaviour.js';
import { identityInFiles } from '../load/addresses_in_files.js';
import type { LoadedTarget } from '../load/target.js';
import { ProjectSimulator } from './project_simulator.js';
import { inventoryText } from './simulated_controller.js';

/**
 * For controllers without a user name: a simulation needs no real password. It must not be a word of Evenkeel's
 * output, because it is masked.
 */
export const SIMULATED_CREDENTIALS: TypedCredentials = { username: 'simulated', password: 'simulated-password' };

export interface Simulation {
  /** Connects to the simulated controllers, and to nothing else. */
  readonly confine: Confine;
  readonly credentials: TypedCredentials;
  /** Connects to the simulated controller of the given name. */
  wrap(connect: Connect): Connect;
  /** Claims the controller for a run that did not say that it writes. */
  beforeWrite(to: ConnectionSettings, declaredBy: DeclaredBy): Promise<void>;
  /** Emits events, but the last one only when the state is stored: nothing comes after it. */
  emitter(emit: (event: Event) => void): (event: Event) => void;
  /**
   * Writes the state of the simulated controllers to the state folder. If that fails, it rejects with a `JournalError`
   * after a run that was fine. After another it warns, because what went wrong in the run says more.
   */
  close(): Promise<void>;
}

interface SimulationOptions {
  /** Absent: the simulated controllers keep no state. */
  readonly stateDirectory: string | undefined;
  /** `--api-version`; absent: each controller supports the version of the inventory. */
  readonly apiVersions: readonly string[] | undefined;
  readonly target: Pick<LoadedTarget, 'inventory' | 'library' | 'extraVars' | 'project'>;
  /** The kinds that simulated controllers know. */
  readonly kinds: LoadKinds;
  /** Those that the run selects. Others can follow. Absent: it only reads, as far as its modules say, beside other simulations. */
  readonly controllers: Iterable<string> | undefined;
}

/**
 * Simulates every controller of the inventory in this process, over real HTTPS on loopback.
 *
 * @throws JournalError if the state folder cannot be used, or another process simulates one of the controllers
 */
export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const { stateDirectory, apiVersions, target, kinds, controllers } = options;
  const byAddress = lazily(() => hostsByAddress(target));
  const claimed = controllers === undefined ? [] : simulatedNames(new Set(controllers), byAddress());
  const own = await ProjectSimulator.start(stateDirectory, { kinds, controllers: claimed, command: 'a simulated run' });
  const { simulator } = own;
  const textsInVariable = (hosts: readonly string[], variable: string): readonly string[] =>
    hosts.flatMap((name) => {
      const controller = target.inventory.controllers.get(name);
      const text = controller && inventoryText(controller, variable, target.library);
      return text === undefined ? [] : [text];
    });
  // Hosts that share a controller share a simulated one, which has the name of the first.
  const hostsAt = (settings: ConnectionSettings, declaredBy: DeclaredBy): readonly string[] => {
    const { controller, shared } = settings;
    if (declaredBy === 'inventory' && !shared) return [controller];
    const identity = controllerIdentity(settings);
    return byAddress().get(identity) ?? [identity, controller];
  };
  const parse = lazily(behaviourParser);
  const addresses = new SimulatedAddresses();
  const late = new Map<string, Promise<void>>();
  let emitted: ((event: Event) => void) | undefined;
  let last: RunFinished | undefined;
  return {
    credentials: SIMULATED_CREDENTIALS,
    confine: addresses.confine,
    wrap: (connect) => async (settings, variables) => {
      const { controller, username, password, versionHeader, dialect } = settings;
      const hosts = hostsAt(settings, variables.declaredBy);
      const [first = controller] = hosts;
      const wanted = variables.get('controller_simulation');
      const behaviour = wanted === undefined ? {} : checked(parse()(wanted), controller);
      if (controllers !== undefined) await own.claim([first]);
      const { url } = await simulator.startController(first, {
        username,
        password,
        versionHeader,
        dialect,
        apiVersions: apiVersions ?? textsInVariable(hosts, 'controller_api_version'),
        // Only tenants of the inventory exist from the start: a run must create the tenants that its tasks name.
        tenants: textsInVariable(hosts, 'controller_tenant'),
        behaviour,
      });
      addresses.add(settings, url);
      return connect(
        // A proxy would lead out of the simulation.
        { ...settings, url, ca: simulator.ca, verifyTls: true, route: NO_PROXY },
        variables,
      );
    },
    beforeWrite: async (settings, declaredBy) => {
      if (controllers !== undefined) return;
      const [first = settings.controller] = hostsAt(settings, declaredBy);
      const claimedLate = getOrAdd(late, first, () => own.claimLate(first));
      // The next attempt may find it free.
      claimedLate.catch(() => late.delete(first));
      await claimedLate;
    },
    emitter: (emit) => {
      emitted = emit;
      return (event) => {
        if (event.type === 'run-finished') last = event;
        else emit(event);
      };
    },
    close: () =>
      own
        .close()
        .catch((error: unknown) => {
          if (last?.exitCode === EXIT.ok || !(error instanceof JournalError)) throw error;
          const { message } = error;
          if (last !== undefined) emitted?.({ type: 'warning', time: last.time, run: last.run, message });
        })
        .finally(() => {
          if (last !== undefined) emitted?.(last);
        }),
  };
}

/** What hosts are simulated as. Those without an address, such as `localhost`, are not, unless a play or task gives them one. */
function simulatedNames(
  hosts: ReadonlySet<string>,
  byAddress: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...byAddress.values()].flatMap((names) => (names.some((name) => hosts.has(name)) ? names.slice(0, 1) : []));
}

/** The hosts of the inventory at each address that its files show. */
export function hostsByAddress(target: SimulationOptions['target']): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const controller of target.inventory.controllers.values()) {
    const address = identityInFiles(controller, controller.layers, '', target);
    if (address !== undefined) appendTo(hosts, address, controller.name);
  }
  return hosts;
}

/** Where simulated controllers listen, and which addresses they replace. */
class SimulatedAddresses {
  readonly #byAddress = new Map<string, HostAndPort>();

  add({ url: real, route }: Pick<ConnectionSettings, 'url' | 'route'>, url: string): void {
    const own = parseHostAndPort(url);
    this.#byAddress.set(addressKey(own, undefined), own);
    this.#byAddress.set(addressKey(parseHostAndPort(real), routeLabel(route)), own);
  }

  readonly confine: Confine = (to, route) => {
    const own = this.#byAddress.get(addressKey(to, route));
    if (own !== undefined) return own;
    const message = `${to.host}:${to.port} cannot be reached: with --simulate, only simulated controllers can`;
    throw new NetworkRefusal(
      message,
      'a controller is simulated at host and port of its controller_url; delegate_to names another controller',
    );
  };
}

/** @param route the label of the route to it */
function addressKey({ host, port }: HostAndPort, route: string | undefined): string {
  return `${host.toLowerCase().replace(/\.$/, '')} ${port} ${route ?? ''}`;
}

/** The errors in a `controller_simulation`. */
export function simulationExaminer(): (value: Value) => readonly string[] {
  const parse = lazily(behaviourParser);
  return (value) => {
    const parsed = parse()(value);
    return parsed.status === 'ok' ? [] : parsed.problems;
  };
}

function checked(parsed: ReturnType<ReturnType<typeof behaviourParser>>, controller: string): Behaviour {
  if (parsed.status === 'ok') return parsed.behaviour;
  throw new Error(`controller_simulation of ${controller}: ${parsed.problems.join('; ')}`);
}
