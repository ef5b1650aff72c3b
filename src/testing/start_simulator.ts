import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DIALECTS } from '../core/model/dialect.js';
import { NOT_SIMULATED } from '../core/model/inventory/connection_variables.js';
import type { Behaviour } from '../simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../simulator/controller/controller.js';
import { DEFAULT_CREDENTIALS } from '../simulator/service/accounts.js';

export interface StartSimulatorOptions {
  /** Names, or how many: 2 starts `lb1` and `lb2`. Default: 1. */
  readonly controllers?: number | readonly string[];
  /** How all of them behave: latency, faults, rate limits. `controller(name).behaviour` sets it for one. */
  readonly behaviour?: Behaviour;
  /** Default: `generic`. Those of `avi` are as strict as real ones: only known fields, sign-in by session. */
  readonly dialect?: SimulatedDialect;
}

export type SimulatedDialect = 'generic' | 'avi';

/** Simulated controllers that serve HTTPS on 127.0.0.1, each on its own port. */
export interface RunningSimulator {
  readonly names: readonly string[];
  /** PEM of the certificate authority to trust. */
  readonly ca: string;
  readonly username: string;
  readonly password: string;
  /** A temporary folder, removed by `close`. Holds `inventory.yml` and `ca.pem`. */
  readonly directory: string;
  /** An inventory with all controllers in the group `fleet`. */
  readonly inventoryFile: string;
  url(name: string): string;
  /** What the controller holds, which requests it got, and how it behaves. Throws if there is none of that name. */
  controller(name: string): SimulatedController;
  close(): Promise<void>;
}

/** Throws if an option or a behaviour is wrong: a test with a misspelt fault would prove nothing. */
export async function startSimulator(options: StartSimulatorOptions = {}): Promise<RunningSimulator> {
  const { controllers = 1, behaviour = {}, dialect = 'generic', ...others } = options;
  for (const name of Object.keys(others)) throw new Error(`startSimulator has no option "${name}"`);
  const names =
    typeof controllers === 'number' ? Array.from({ length: controllers }, (_, index) => `lb${index + 1}`) : controllers;
  if (names.length === 0 || new Set(names).size < names.length)
    throw new Error('controllers must be a number from 1, or a list of at least one name, each of them once');
  const traits = DIALECTS.get(dialect);
  if (traits === undefined) throw new Error(`there is no dialect "${dialect}": it is generic or avi`);
  const [{ Simulator }, { behaviourParser }] = await Promise.all([
    import('../simulator/simulator.js'),
    import('../simulator/behaviour/parse_behaviour.js'),
  ]);
  const parse = behaviourParser();
  const check = (given: Behaviour): void => {
    const parsed = parse(given);
    if (parsed.status === 'invalid') throw new Error(`behaviour: ${parsed.problems.join('; ')}`);
  };
  check(behaviour);
  // First, because servers that listen would keep a process from ending.
  const directory = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-test-'));
  const simulator = await Simulator.start({ shareCertificate: true });
  const urls = new Map<string, string>();
  for (const name of names) {
    urls.set(name, (await simulator.startController(name, { behaviour, dialect: traits })).url);
    simulator.controller(name).checkBehaviour = check;
  }
  const inventoryFile = path.join(directory, 'inventory.yml');
  const caFile = path.join(directory, 'ca.pem');
  await writeFile(caFile, simulator.ca);
  await writeFile(inventoryFile, JSON.stringify(writeInventory(urls, caFile, dialect)));
  return {
    names,
    ca: simulator.ca,
    ...DEFAULT_CREDENTIALS,
    directory,
    inventoryFile,
    url: (name) => urls.get(name) ?? unknown(name),
    controller: (name) => simulator.controller(name),
    close: async () => {
      await simulator.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function unknown(name: string): never {
  throw new Error(`there is no simulated controller "${name}"`);
}

function writeInventory(urls: ReadonlyMap<string, string>, caFile: string, dialect: SimulatedDialect): object {
  const hosts = Object.fromEntries(
    [...urls].map(([name, url]) => [name, { controller_url: url, controller_simulated_url: url }]),
  );
  const vars = {
    controller_username: DEFAULT_CREDENTIALS.username,
    controller_password: DEFAULT_CREDENTIALS.password,
    controller_api_version: '22.1.3',
    controller_ca_file: caFile,
    controller_dialect: dialect,
    // Keeps a test from the real controllers that variables beside a playbook may name.
    controller_simulated_url: NOT_SIMULATED,
    ...(dialect === 'avi' && { controller_auth: 'session' }),
  };
  return { all: { vars, children: { fleet: { hosts } } } };
}
