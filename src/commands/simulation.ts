import type { Connect, Credentials } from '../run/input.js';
import type { Behaviour } from '../simulator/behaviour.js';
import { behaviourParser } from '../simulator/parse_behaviour.js';
import { closeSimulator, startSimulator } from './simulator_state.js';

/** For controllers whose variables name nobody: a rehearsal needs no real password. */
const SIMULATED_CREDENTIALS: Credentials = { username: 'simulated', password: 'simulated' };

export interface Simulation {
  readonly credentials: Credentials;
  /** Connects to the stand-in of whatever controller is asked for. */
  wrap(connect: Connect): Connect;
  /** Writes what the simulated controllers hold to the state folder. Rejects with a `JournalError` if it cannot. */
  close(): Promise<void>;
}

/**
 * Controllers in this process that stand in for every one of the inventory, over real HTTPS on loopback.
 *
 * @throws JournalError if the state folder cannot be used
 */
export async function startSimulation(stateDirectory: string): Promise<Simulation> {
  const simulator = await startSimulator(stateDirectory);
  const parse = lazily(behaviourParser);
  return {
    credentials: SIMULATED_CREDENTIALS,
    wrap: (connect) => async (settings, variables) => {
      const { controller, url: real, username, password, versionHeader } = settings;
      const wanted = variables.get('controller_simulation');
      const behaviour = wanted === undefined ? {} : checked(parse()(wanted), controller);
      const { url } = await simulator.standIn(real === variables.home ? controller : real, { username, password, versionHeader, behaviour });
      return connect(
        { ...settings, url, ca: simulator.ca, verifyTls: true, allowHttp: false, proxy: undefined },
        variables,
      );
    },
    close: () => closeSimulator(simulator, stateDirectory),
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
