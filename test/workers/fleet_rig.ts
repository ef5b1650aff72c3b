import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import { DEFAULT_CREDENTIALS } from '../../src/simulator/generic/credentials.js';
import { CrashFleet, type Look } from '../crash/fleet.js';
import type { Rollout } from '../crash/rollout.js';
import { emptyProject, NODE_WARNING, STARTED, type Project } from '../rig/command.js';
import { Log } from '../rig/nats_workers.js';
import { ENCRYPTED_FILE, PASSWORD } from '../rig/vault.js';

/** So that tests need not wait for the 15 seconds of users. */
const LEASE_MS = 2000;

/** Values that only the coordinator, workers and controllers may read. */
export const PLANTED = {
  vaultPassword: PASSWORD,
  ofVault: 's3cr3t-t0ken',
  password: 'planted-controller-password',
  registered: 'planted-registered-secret',
} as const;

const BEHAVIOURS: readonly Behaviour[] = [
  {},
  { faults: [{ type: 'drop', applied: true, when: { method: 'POST', nth: 1 } }] },
  { faults: [{ type: 'drop', applied: true, when: { method: 'PUT', nth: 1 } }] },
  { faults: [{ type: 'cut', when: { method: 'POST', nth: 2 } }] },
];

/** Batches, a gate, a step that one controller carries out for all, values that later steps use, handlers, secrets. */
const FLEET_ROLLOUT: Rollout = {
  playbook: `- name: Rollout
  hosts: fleet
  serial: ["25%", "100%"]
  gate:
    checks:
      - name: The clouds are listed
        api_request: { path: /api/cloud/ }
        register: listed
      - name: All of them are there
        assert: { that: listed.json.count >= 3 }
  tasks:
    - name: Clouds exist
      cloud_present: { name: "{{ item }}", mtu: 1400 }
      loop: [edge, core]
      register: clouds
      notify: Monitoring knows the clouds
    - name: One controller has what all share
      cloud_present: { name: shared, mtu: "{{ 2000 + rack }}" }
      run_once: true
      register: shared
    - name: The size is known
      set_fact: { size: "{{ rack + (clouds.results | length) + shared.object.mtu }}" }
    - name: A secret is made
      set_fact: { made: "{{ 'planted-' ~ 'registered-secret' }}" }
      no_log: true
    - name: The old cloud has the size
      cloud_present: { name: old, mtu: "{{ 1500 + rack }}" }
      register: old
    - name: The cloud that is not needed is gone
      cloud_absent: { name: gone }
    - name: The system is configured
      system_config: { dns_configuration: { search_domain: "rack{{ size }}.example.com" } }
    - name: The pool refers to the cloud
      resource_present:
        path: /api/pool/
        name: web
        properties:
          cloud_uuid: "{{ clouds.results[0].object.uuid }}"
          was_changed: "{{ old.changed }}"
          lengths: "{{ [made | length, token | length] }}"
  handlers:
    - name: Monitoring knows the clouds
      resource_present:
        path: /api/monitoring
        properties: { clouds: "{{ clouds.results | map(attribute='object') | map(attribute='uuid') | list }}", size: "{{ size }}" }
`,
  behaviours: BEHAVIOURS,
  collections: ['/api/cloud/', '/api/pool/'],
  singles: ['/api/systemconfiguration', '/api/monitoring'],
  files: {
    'evenkeel.yml': 'vault_password_file: vault-password\n',
    'vault-password': `${PASSWORD}\n`,
    'group_vars/fleet.yml': ENCRYPTED_FILE,
  },
  tasks: { ok: 9, changed: 5 },
  prepare: (controller) => {
    controller.addAccount({ ...DEFAULT_CREDENTIALS, password: PLANTED.password });
    controller.setObjects('/api/cloud/', [
      { name: 'old', uuid: 'cloud-00000000-0000-4000-8000-000000000000', mtu: 900, note: 'keep me' },
      { name: 'gone', uuid: 'cloud-00000000-0000-4000-8000-000000000001' },
    ]);
  },
};

/** The site of the controller with that number, from 1: one in ten has none. */
export type SiteOf = (number: number) => string | undefined;

export const TWO_SITES: SiteOf = (number) => {
  if (number % 10 === 0) return undefined;
  return number % 3 === 0 ? 'paris' : 'madrid';
};

/** Fresh controllers, and a project with the rollout for them. */
export class SiteFleet {
  #look: Look | undefined;

  private constructor(
    private readonly controllers: CrashFleet,
    readonly project: Project,
  ) {
    controllers.attend(async (...seen) => this.#look?.(...seen));
  }

  static async start(size: number, siteOf: SiteOf = TWO_SITES): Promise<SiteFleet> {
    const controllers = await CrashFleet.start('generic', { controllers: size, rollout: FLEET_ROLLOUT });
    const inventory = controllers.inventory
      .replace(/controller_password: .*/, `controller_password: ${PLANTED.password}`)
      .replaceAll(/rack: (\d+)/g, (rack, number: string) => {
        const site = siteOf(Number(number));
        return site === undefined ? rack : `${rack}, evenkeel_site: ${site}`;
      });
    const { playbook, files } = FLEET_ROLLOUT;
    const project = await emptyProject({ ...files, 'rollout.yml': playbook, 'inventory.yml': inventory });
    return new SiteFleet(controllers, project);
  }

  get state(): CrashFleet['state'] {
    return this.controllers.state;
  }

  get written(): CrashFleet['written'] {
    return this.controllers.written;
  }

  /** Called when this many more writes have taken effect, before the last one is answered. */
  atWrite(count: number, act: () => unknown): void {
    let left = count;
    this.#look = async (isWrite, moment) => {
      if (!isWrite || moment !== 'carried out') return;
      left -= 1;
      if (left === 0) await act();
    };
  }

  async dispose(): Promise<void> {
    await this.controllers.dispose();
    await this.project.remove();
  }
}

/** The command in a process, with the lines that it writes. */
export class CommandProcess {
  readonly out = new Log<string>();
  readonly err = new Log<string>();
  /** The exit code; null: it was killed. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [...STARTED, ...args], {
      cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: cwd,
        NO_COLOR: '1',
        EVENKEEL_LOCK_DIR: path.join(cwd, '.locks'),
        EVENKEEL_LEASE_MS: `${LEASE_MS}`,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const [stream, log] of [
      [child.stdout, this.out],
      [child.stderr, this.err],
    ] as const) {
      let text = '';
      stream.setEncoding('utf8').on('data', (more: string) => {
        const lines = (text + more).split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) log.add(line);
      });
    }
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        const warning = this.err.items.find((line) => NODE_WARNING.test(line));
        if (warning === undefined) resolve(code);
        else reject(new Error(warning));
      });
    });
  }

  get stdout(): string {
    return this.out.items.join('\n');
  }

  get stderr(): string {
    return this.err.items.join('\n');
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    if (this.#child.exitCode === null) this.#child.kill(signal);
    return this.ended;
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }
}

/** `evenkeel worker`, which can be killed and started again. */
export class SiteWorker {
  #process: CommandProcess | undefined;

  constructor(
    readonly name: string,
    private readonly site: string,
    private readonly url: string,
    /** Its working directory. */
    readonly folder: string,
    private readonly more: readonly string[] = [],
  ) {}

  async start(): Promise<void> {
    const args = ['worker', '--site', this.site, '--nats', this.url, '--name', this.name, ...this.more];
    const started = new CommandProcess(args, this.folder);
    this.#process = started;
    const failed = started.ended.then(() => {
      throw new Error(`worker ${this.name} ended: ${started.stderr}`);
    });
    failed.catch(() => undefined);
    await Promise.race([started.err.first((line) => line.includes('works for site')), failed]);
  }

  get lines(): readonly string[] {
    return this.#process?.err.items ?? [];
  }

  async killAndStart(): Promise<void> {
    await this.#process?.kill();
    await this.start();
  }

  /** Returns the exit code. */
  async stop(): Promise<number | null | undefined> {
    return this.#process?.kill('SIGTERM');
  }
}

/** The files below a folder that have one of the texts, as they are or in Base64. */
export async function filesWith(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const needles = texts.flatMap((text) => [Buffer.from(text), ...inBase64(text)]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file).catch(() => Buffer.alloc(0));
    if (needles.some((needle) => content.includes(needle))) found.push(path.relative(folder, file));
  }
  return found;
}

/** At each of the three offsets that it may have, without the characters that depend on what is around it. */
function inBase64(text: string): readonly Buffer[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + text).toString('base64');
    return Buffer.from(encoded.slice([0, 2, 3][offset], Math.floor(((offset + text.length) * 8) / 6) - 1));
  });
}
