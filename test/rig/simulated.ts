import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DIALECTS, type Dialect } from '../../src/core/model/dialect.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import { DEFAULT_CREDENTIALS } from '../../src/simulator/service/accounts.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { shareOf } from './random_seed.js';
import { WAITS } from './waits.js';

export interface FleetOptions {
  /** A number makes `lb1`, `lb2`, …; default 1. */
  readonly controllers?: number | readonly string[];
  /** Of all of them; `fleet.controller(name).behaviour = …` for one. */
  readonly behaviour?: Behaviour;
  /** Where state is kept; default: in memory only. */
  readonly stateDirectory?: string;
  /** Default: `generic`. Controllers of the other are strict, sign in by session, and have the tenant `blue`. */
  readonly dialect?: TestedDialect;
}

/** The dialects that suites run over. */
export const TESTED_DIALECTS = ['generic', 'avi'] as const;

export type TestedDialect = (typeof TESTED_DIALECTS)[number];

/** Each of these cases for one dialect, and for the other those that are left; all for both with `EVENKEEL_SEED`. */
export function sharedAmong<T>(dialect: TestedDialect, cases: readonly T[]): readonly T[] {
  return shareOf(cases, TESTED_DIALECTS.length, TESTED_DIALECTS.indexOf(dialect));
}

/** Simulated controllers for a test, with an inventory that names them. Call `dispose` in `after` or `afterEach`. */
export interface Fleet {
  readonly simulator: Simulator;
  readonly names: readonly string[];
  /** PEM text of the authority. */
  readonly ca: string;
  /** The same in a file. */
  readonly caFile: string;
  readonly username: string;
  readonly password: string;
  /** A temporary folder with `inventory.yml` and `ca.pem`, removed by `dispose`. */
  readonly directory: string;
  readonly inventoryFile: string;
  /** YAML: all controllers with their connection variables, in the group `fleet`. */
  readonly inventory: string;
  url(name: string): string;
  controller(name: string): SimulatedController;
  dispose(): Promise<void>;
}

export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const { controllers = 1, behaviour = {}, stateDirectory, dialect = 'generic' } = options;
  const names = typeof controllers === 'number' ? numbered(controllers) : controllers;
  const directory = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-fleet-'));
  const simulator = await Simulator.start({
    shareCertificate: true,
    ...(stateDirectory !== undefined && { stateDirectory }),
  });
  const urls = new Map<string, string>();
  const traits = dialectOf(dialect);
  for (const name of names) {
    const { url } = await simulator.startController(name, { behaviour, dialect: traits, tenants: ['blue'] });
    urls.set(name, url);
  }
  const caFile = path.join(directory, 'ca.pem');
  const inventoryFile = path.join(directory, 'inventory.yml');
  const inventory = toInventory(urls, caFile, dialect);
  await writeFile(caFile, simulator.ca);
  await writeFile(inventoryFile, inventory);
  return {
    simulator,
    names,
    ca: simulator.ca,
    caFile,
    ...DEFAULT_CREDENTIALS,
    directory,
    inventoryFile,
    inventory,
    url: (name) => urls.get(name) ?? unknown(name),
    controller: (name) => simulator.controller(name),
    dispose: async () => {
      await simulator.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `lb${index + 1}`);
}

function unknown(name: string): never {
  throw new Error(`the fleet has no controller "${name}"`);
}

function dialectOf(name: TestedDialect): Dialect {
  const found = DIALECTS.get(name);
  if (found === undefined) throw new Error(`there is no dialect ${name}`);
  return found;
}

const WAITING = Object.entries(WAITS)
  .map(([name, seconds]) => `\n    ${name}: ${seconds}`)
  .join('');

const AVI_VARIABLES = `
    controller_dialect: avi
    controller_auth: session`;

function toInventory(urls: ReadonlyMap<string, string>, caFile: string, dialect: TestedDialect): string {
  const hosts = [...urls].map(([name, url]) => `        ${name}: { controller_url: "${url}" }`);
  return `all:
  vars:
    controller_username: ${DEFAULT_CREDENTIALS.username}
    controller_password: ${DEFAULT_CREDENTIALS.password}
    controller_api_version: 22.1.3
    controller_ca_file: ${caFile}${WAITING}${dialect === 'avi' ? AVI_VARIABLES : ''}
  children:
    fleet:
      hosts:
${hosts.join('\n')}
`;
}
