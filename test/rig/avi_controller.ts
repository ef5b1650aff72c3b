import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { DIALECTS } from '../../src/model/dialect.js';
import { SessionClient } from './session_client.js';

/** One simulated controller of the dialect `avi`, and a client that is signed in. */
export interface AviController {
  readonly client: SessionClient;
  readonly controller: SimulatedController;
  readonly url: string;
  /** Another client, which is not signed in. */
  connect(): SessionClient;
  close(): Promise<void>;
}

export async function startAviController(behaviour: Behaviour = {}): Promise<AviController> {
  const dialect = DIALECTS.get('avi');
  if (dialect === undefined) throw new Error('there is no dialect avi');
  const simulator = await Simulator.start();
  const { url } = await simulator.startController('lb1', { dialect, behaviour });
  const clients: SessionClient[] = [];
  const connect = (): SessionClient => {
    const made = new SessionClient(url, simulator.ca);
    clients.push(made);
    return made;
  };
  const client = connect();
  if (behaviour.first_boot === undefined) await client.login();
  return {
    client,
    controller: simulator.controller('lb1'),
    url,
    connect,
    close: async () => {
      await Promise.all(clients.map((one) => one.close()));
      await simulator.close();
    },
  };
}
