import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { emptyProject, STARTED, type Project, ownHome } from '../rig/command.js';
import { freePort } from '../rig/free_port.js';
import { Link } from '../rig/link.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { Bastion, end, type Tunnel } from '../rig/ssh.js';

/** The objects that each controller has at the end, in the order of the tasks. */
const CLOUDS = ['one', 'two', 'three', 'four'];
/** A field that nobody declares. */
const OWN = { email_configuration: { smtp_type: 'SMTP_LOCAL_HOST' } };
/** As without a rig: its controllers are impatient. A killed run waits for its writes no longer than needed. */
const PATIENT = ['-e', 'controller_patience=15', '-e', 'controller_write_settles=5'];
const PLAYBOOK = `
- hosts: all
  name: Roll out
  gather_facts: false
  tasks:
${CLOUDS.map((name) => `    - cloud_present: { name: ${name}, vtype: CLOUD_NONE }\n`).join('')}
    - system_config: { dns_configuration: { search_domain: example.com } }
`;

/** Two routes, each with two tunnels of OpenSSH, each over a link of its own. */
export class Routes {
  private constructor(
    readonly bastion: Bastion,
    readonly links: readonly Link[],
    readonly tunnels: readonly Tunnel[],
  ) {}

  static async open(): Promise<Routes> {
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
    const bastion = await Bastion.start(ports);
    const links = await Promise.all(ports.map(() => Link.to(bastion.port)));
    await bastion.addSite('madrid', ports.slice(0, 2));
    await bastion.addSite('lisbon', ports.slice(2));
    const tunnels: Tunnel[] = [];
    for (const [at, port] of ports.entries())
      tunnels.push(await bastion.tunnel(at < 2 ? 'madrid' : 'lisbon', port, 'any', links[at]?.port));
    return new Routes(bastion, links, tunnels);
  }

  /** The bastion starts again, and its sites sign in again. */
  async reboot(): Promise<void> {
    await this.bastion.stop();
    await this.bastion.start();
    await Promise.all(this.tunnels.map((tunnel) => tunnel.start()));
  }

  /** `routes` of the project file. */
  get text(): string {
    const [a, b, c, d] = this.tunnels.map(({ proxy }) => proxy);
    return `routes: { madrid: ["${a ?? ''}", "${b ?? ''}"], lisbon: ["${c ?? ''}", "${d ?? ''}"] }\n`;
  }

  async close(): Promise<void> {
    await this.bastion.dispose();
    await Promise.all(this.links.map((link) => link.close()));
  }
}

/** Controllers behind two routes, and the command that works on them. */
export class RoutedFleet {
  #requests = 0;
  readonly #moments = new Map<number, () => void>();

  private constructor(
    readonly fleet: Fleet,
    readonly project: Project,
  ) {
    for (const name of fleet.names) {
      const controller = fleet.controller(name);
      controller.setObject('/api/systemconfiguration', {
        ...controller.object('/api/systemconfiguration'),
        ...OWN,
      });
      controller.watch = (moment) => {
        if (moment === 'received') this.#count();
        return Promise.resolve();
      };
    }
  }

  static async start(size: number, routes: Routes): Promise<RoutedFleet> {
    // Where a second create would be a second object.
    const fleet = await startFleet({ controllers: size, behaviour: { duplicates: 'allow', latency: 5 } });
    const half = Math.ceil(size / 2);
    const group = (name: string, hosts: readonly string[]): string =>
      `${name}: { vars: { controller_route: ${name}, controller_timeout: 4 }, hosts: { ${hosts.map((one) => `${one}: {}`).join(', ')} } }\n`;
    const project = await emptyProject({
      'evenkeel.yml': routes.text,
      'play.yml': PLAYBOOK,
      'routes.yml': group('madrid', fleet.names.slice(0, half)) + group('lisbon', fleet.names.slice(half)),
    });
    return new RoutedFleet(fleet, project);
  }

  /** Acts once, at a request to any controller. Each of them gets about 15 of a run. */
  atRequest(number: number, act: () => void): void {
    this.#moments.set(this.#requests + number, act);
  }

  run(...args: readonly string[]): RunProcess {
    const given =
      args.length > 0 ? args : ['run', 'play.yml', '-i', this.fleet.inventoryFile, '-i', 'routes.yml', ...PATIENT];
    return new RunProcess([...given, '-o', 'lines'], this.project.directory);
  }

  /** What is wrong with the controllers after the run: something is there twice, or not at all, or was lost. */
  get wrong(): readonly string[] {
    return this.fleet.names.flatMap((name) => {
      const controller = this.fleet.controller(name);
      const found = controller.objects('/api/cloud/').map((one) => one['name']);
      const doubled = CLOUDS.filter((cloud) => found.filter((one) => one === cloud).length > 1);
      const missing = CLOUDS.filter((cloud) => !found.includes(cloud));
      const system = controller.object('/api/systemconfiguration');
      const lost =
        JSON.stringify(system['email_configuration']) === JSON.stringify(OWN.email_configuration) ? [] : ['a field'];
      return [
        ...doubled.map((one) => `${name} has ${one} twice`),
        ...missing.map((one) => `${name} lacks ${one}`),
        ...lost.map((one) => `${name} lost ${one}`),
      ];
    });
  }

  async dispose(): Promise<void> {
    await this.fleet.dispose();
    await this.project.remove();
  }

  #count(): void {
    this.#requests += 1;
    const act = this.#moments.get(this.#requests);
    this.#moments.delete(this.#requests);
    act?.();
  }
}

/** The command in a process of its own. */
export class RunProcess {
  readonly #child: ChildProcess;
  #output = '';
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;

  constructor(args: readonly string[], cwd: string) {
    this.#child = spawn(process.execPath, [...STARTED, ...args], {
      cwd,
      env: { ...ownHome(cwd), EVENKEEL_LOCK_DIR: `${cwd}/locks`, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.ended = once(this.#child, 'close').then(() => ({ code: this.#child.exitCode, output: this.#output }));
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }

  kill(): Promise<void> {
    return end(this.#child);
  }
}
