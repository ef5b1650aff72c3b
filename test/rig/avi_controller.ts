import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DIALECTS } from '../../src/core/model/dialect.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { SessionClient } from './session_client.js';
import { WAITS } from './waits.js';

/** One simulated controller of the dialect `avi`, and a client that is signed in. */
export interface AviController {
  readonly client: SessionClient;
  readonly controller: SimulatedController;
  readonly url: string;
  /** PEM text of the authority. */
  readonly ca: string;
  /** Another client, which is not signed in. */
  connect(): SessionClient;
  /** Writes `ca.pem` and `inventory.yml`, which has it as `lb1`, to a folder. */
  writeInventory(directory: string, variables?: Mapping): Promise<void>;
  /** The same, for runs of a text. */
  textInventory(variables?: Mapping): { readonly inventory: string; readonly files: Readonly<Record<string, string>> };
  /** Creates an object without Evenkeel. */
  add(kind: string, fields: JsonObject): Promise<JsonObject>;
  /** All objects of a kind, with references as `/api/KIND/UUID`. */
  all(kind: string): readonly JsonObject[];
  /** The only object of that name. */
  one(kind: string, name: string): JsonObject;
  /** The requests since the last call, without those of `client`: `GET /api/pool?name=web`. */
  take(): readonly string[];
  /** The same without sign-in and sign-out. */
  takeApi(): readonly string[];
  close(): Promise<void>;
}

export async function startAviController(behaviour: Behaviour = {}): Promise<AviController> {
  const dialect = DIALECTS.get('avi');
  if (dialect === undefined) throw new Error('there is no dialect avi');
  const simulator = await Simulator.start({ shareCertificate: true });
  const { url } = await simulator.startController('lb1', { dialect, behaviour });
  const controller = simulator.controller('lb1');
  const clients: SessionClient[] = [];
  const connect = (): SessionClient => {
    const made = new SessionClient(url, simulator.ca);
    clients.push(made);
    return made;
  };
  const client = connect();
  if (behaviour.first_boot === undefined) await client.login();
  const textInventory: AviController['textInventory'] = (variables = {}) => {
    const vars = { ...VARIABLES, controller_url: url, ...variables };
    return { inventory: JSON.stringify({ all: { hosts: { lb1: vars } } }), files: { 'ca.pem': simulator.ca } };
  };
  const take = (): readonly string[] => {
    const requests = controller.requests.filter(({ headers }) => headers['user-agent'] === 'evenkeel');
    controller.clearRequests();
    return requests.map(({ method, path: at, query }) => {
      const parameters = new URLSearchParams(query).toString();
      return `${method} ${at}${parameters === '' ? '' : `?${parameters}`}`;
    });
  };
  const all = (kind: string): readonly JsonObject[] => controller.objects(`/api/${kind}/`);
  return {
    all,
    add: (kind, fields) => client.object('POST', `/api/${kind}`, fields),
    one: (kind, name) => {
      const [only, ...others] = all(kind).filter((object) => object['name'] === name);
      if (only === undefined || others.length > 0) throw new Error(`not one ${kind} ${name}`);
      return only;
    },
    client,
    controller,
    url,
    ca: simulator.ca,
    connect,
    textInventory,
    writeInventory: async (directory, variables) => {
      const { inventory, files } = textInventory(variables);
      for (const [name, text] of Object.entries({ ...files, 'inventory.yml': inventory }))
        await writeFile(path.join(directory, name), text);
    },
    take,
    takeApi: () => take().filter((request) => request.includes(' /api/')),
    close: async () => {
      await Promise.all(clients.map((one) => one.close()));
      await simulator.close();
    },
  };
}

const VARIABLES: Mapping = {
  controller_dialect: 'avi',
  controller_auth: 'session',
  controller_username: 'admin',
  controller_password: 'simulated',
  controller_api_version: '22.1.3',
  controller_ca_file: 'ca.pem',
  ...WAITS,
};
