import {
  NetworkRefusal,
  parseHostAndPort,
  type Confine,
  type HostAndPort,
} from '../../controller/transport/confinement.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection.js';
import { controllerIdentity, NO_PROXY, routeLabel } from '../../core/model/inventory/route.js';
import type { Value } from '../../core/model/values/value.js';
import type { Connect, TypedCredentials } from '../../engine/input/run_input.js';
import type { LoadKinds } from '../../kinds/kind_table.js';
import type { Behaviour } from '../../simulator/behaviour/behaviour.js';
import { behaviourParser } from '../../simulator/behaviour/parse_behaviour.js';
import type { LoadedTarget } from '../load/target.js';
import { inventoryText } from './simulated_controller.js';
import { closeSimulator, startSimulator } from './simulator_state.js';

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
  /** Writes the state of the simulated controllers to the state folder. Rejects with a `JournalError` if that fails. */
  close(): Promise<void>;
}

interface SimulationOptions {
  /** Absent: the simulated controllers keep no state. */
  readonly stateDirectory: string | undefined;
  /** `--api-version`; absent: each controller supports the version of the inventory. */
  readonly apiVersions: readonly string[] | undefined;
  readonly target: Pick<LoadedTarget, 'inventory' | 'library'>;
  /** The kinds that simulated controllers know. */
  readonly kinds: LoadKinds;
}

/**
 * Simulates every controller of the inventory in this process, over real HTTPS on loopback.
 *
 * @throws JournalError if the state folder cannot be used
 */
export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const { stateDirectory, apiVersions, target } = options;
  const simulator = await startSimulator(stateDirectory, options.kinds);
  const textsInVariable = (name: string, variable: string): readonly string[] => {
    const controller = target.inventory.controllers.get(name);
    const text = controller && inventoryText(controller, variable, target.library);
    return text === undefined ? [] : [text];
  };
  const parse = lazily(behaviourParser);
  const addresses = new SimulatedAddresses();
  return {
    credentials: SIMULATED_CREDENTIALS,
    confine: addresses.confine,
    wrap: (connect) => async (settings, variables) => {
      const { controller, username, password, versionHeader, dialect } = settings;
      const real = controllerIdentity(settings);
      const wanted = variables.get('controller_simulation');
      const behaviour = wanted === undefined ? {} : checked(parse()(wanted), controller);
      const { url } = await simulator.startController(real === variables.home ? controller : real, {
        username,
        password,
        versionHeader,
        dialect,
        apiVersions: apiVersions ?? textsInVariable(controller, 'controller_api_version'),
        // Only tenants of the inventory exist from the start: a run must create the tenants that its tasks name.
        tenants: textsInVariable(controller, 'controller_tenant'),
        behaviour,
      });
      addresses.add(settings, url);
      return connect(
        // A proxy would lead out of the simulation.
        { ...settings, url, ca: simulator.ca, verifyTls: true, allowHttp: false, route: NO_PROXY },
        variables,
      );
    },
    close: () => closeSimulator(simulator, stateDirectory),
  };
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

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
