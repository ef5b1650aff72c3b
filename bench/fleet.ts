import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_CREDENTIALS } from '../src/simulator/service/accounts.js';
import { ANSIBLE_PLAYBOOK, CLOUD, PLAYBOOK, SYSTEM } from './playbook.js';
import type { Counted, Ready } from './simulator.js';

/** Simulated controllers in a process of their own, and a folder with what it takes to run against them. */
export interface Fleet {
  readonly size: number;
  /** Contains `inventory.yml`, `playbook.yml`, `ansible.yml`, `fleet.json` (for the floor) and `ca.pem`. */
  readonly directory: string;
  /** Requests since the last call, by method. */
  count(): Promise<Counted['requests']>;
  /** The same, and every controller is as new afterwards. */
  reset(): Promise<Counted['requests']>;
  stop(): Promise<void>;
}

/** @param latencyMs before each answer */
export async function startFleet(size: number, latencyMs = 0): Promise<Fleet> {
  const child = fork(fileURLToPath(import.meta.resolve('./simulator.ts')), [String(size), String(latencyMs)], {
    execArgv: ['--import=tsx'],
  });
  const ready = await nextMessage<Ready>(child);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-bench-'));
  await writeFolder(directory, ready);
  const ask = (message: 'count' | 'reset'): Promise<Counted['requests']> => {
    child.send(message);
    return nextMessage<Counted>(child).then(({ requests }) => requests);
  };
  return {
    size,
    directory,
    count: () => ask('count'),
    reset: () => ask('reset'),
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const settled = new AbortController();
  const { signal } = settled;
  const died = once(child, 'exit', { signal }).then(() => {
    throw new Error('the simulator ended early');
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), died])) as [T];
    return message;
  } finally {
    settled.abort();
  }
}

async function writeFolder(directory: string, { ca, urls }: Ready): Promise<void> {
  const caFile = path.join(directory, 'ca.pem');
  const fleet = { urls, ca, ...DEFAULT_CREDENTIALS, cloud: CLOUD, system: SYSTEM };
  const files = {
    'ca.pem': ca,
    'fleet.json': JSON.stringify(fleet),
    'inventory.yml': inventory(urls, caFile),
    'playbook.yml': PLAYBOOK,
    'ansible.yml': ANSIBLE_PLAYBOOK,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(directory, name), text)));
}

function inventory(urls: readonly string[], caFile: string): string {
  const hosts = urls.map((url, index) => `    lb${index + 1}: { controller_url: "${url}" }\n`);
  return `all:
  vars:
    controller_username: ${DEFAULT_CREDENTIALS.username}
    controller_password: ${DEFAULT_CREDENTIALS.password}
    controller_api_version: 22.1.3
    controller_ca_file: ${caFile}
    cloud_name: ${CLOUD.name}
    search_domain: ${SYSTEM.dns_configuration.search_domain}
  hosts:
${hosts.join('')}`;
}
