import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './command.js';
import { freePort } from './free_port.js';
import { installed } from './programs.js';

/** What the suites with OpenSSH need. */
export const SSH = ['sshd', 'ssh', 'ssh-keygen'] as const;

const example = (name: string): string => readFileSync(path.join(ROOT, 'docs/examples', name), 'utf8');

/** Waits for something in the log of a program. Rejects if it ends before. */
async function said(child: ChildProcess, hasIt: (log: string) => boolean, log: { text: string }): Promise<void> {
  while (!hasIt(log.text)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${log.text}`);
    const next = new AbortController();
    const events = [child.stderr, child].map((one) => once(one ?? child, one === child ? 'exit' : 'data', next));
    await Promise.race(events);
    next.abort();
    await Promise.allSettled(events);
  }
}

/** Starts a program whose stderr is its log. */
export function start(
  name: string,
  args: readonly string[],
): { readonly child: ChildProcess; readonly log: { text: string } } {
  const child = spawn(installed(name) ?? name, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const log = { text: '' };
  child.stderr.setEncoding('utf8').on('data', (data: string) => {
    log.text = (log.text + data).slice(-100_000);
  });
  return { child, log };
}

export async function end(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** An OpenSSH server with the configuration of docs/examples, for the user of this process. */
export class Bastion {
  #child: ChildProcess | undefined;
  #log = { text: '' };
  readonly #keys: string[] = [];
  readonly tunnels = new Set<Tunnel>();

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly config: string,
  ) {}

  /** @param listens the ports on which sites may listen */
  static start(listens: readonly number[]): Promise<Bastion> {
    const permitted = `PermitListen ${listens.map((port) => `127.0.0.1:${port}`).join(' ')}`;
    return Bastion.#start(example('bastion-sshd.conf').replace(/PermitListen .*/, permitted));
  }

  /** A server that lets people through, but only to these addresses. */
  static jumpHost(permitted: readonly string[]): Promise<Bastion> {
    return Bastion.#start(
      example('bastion-sshd.conf')
        .replace('AllowTcpForwarding remote', 'AllowTcpForwarding local')
        .replace(/PermitListen .*/, 'PermitListen none')
        .replace('PermitOpen none', `PermitOpen ${permitted.join(' ')}`),
    );
  }

  static async #start(config: string, attempts = 5): Promise<Bastion> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-ssh-'));
    const bastion = new Bastion(folder, await freePort(), config);
    bastion.#makeKey('host');
    await writeFile(bastion.file('known'), `[127.0.0.1]:${bastion.port} ${bastion.#publicKey('host')}\n`);
    try {
      await bastion.start();
      return bastion;
    } catch (error) {
      await bastion.dispose();
      // Another test was faster at that port.
      if (attempts === 1 || !String(error).includes('Address already in use')) throw error;
      return Bastion.#start(config, attempts - 1);
    }
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  get log(): string {
    return this.#log.text;
  }

  async start(): Promise<void> {
    const user = os.userInfo().username;
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
    const config = this.config
      .replace('Match User tunnel', `Match User ${user}`)
      .replace('/etc/evenkeel/tunnel_keys', this.file('keys'));
    await writeFile(this.file('keys'), this.#keys.join(''));
    await writeFile(
      this.file('sshd.conf'),
      [
        `ListenAddress 127.0.0.1:${this.port}`,
        `HostKey ${this.file('host')}`,
        `PidFile none`,
        'UsePAM no',
        'StrictModes no',
        'MaxStartups 200',
        'LogLevel VERBOSE',
        config,
      ].join('\n'),
    );
    const { child, log } = start('sshd', ['-D', '-e', '-f', this.file('sshd.conf')]);
    [this.#child, this.#log] = [child, log];
    await said(child, (text) => text.includes('Server listening on 127.0.0.1'), log);
  }

  /** Waits until the log of the server says it so many times. */
  async said(text: string, times: number): Promise<void> {
    if (this.#child !== undefined) await said(this.#child, (log) => log.split(text).length > times, this.#log);
  }

  /** Ends the server, and all of its connections, as a reboot does. */
  async stop(): Promise<void> {
    await end(this.#child);
    await Promise.all([...this.tunnels].map((tunnel) => tunnel.stop()));
  }

  /** A key for a site, which may listen on these ports. */
  async addSite(name: string, ports: readonly number[]): Promise<void> {
    this.#makeKey(name);
    const [options = ''] = /^restrict\S*/m.exec(example('bastion-authorized_keys')) ?? [];
    const permits = ports.map((port) => `permitlisten="127.0.0.1:${port}"`).join(',');
    this.#keys.push(`${options.replace(/permitlisten=.*/, permits)} ${this.#publicKey(name)}\n`);
    await writeFile(this.file('keys'), this.#keys.join(''));
  }

  /** Options of ssh to sign in with the key of a site. */
  signIn(site: string): readonly string[] {
    return [
      '-F',
      'none',
      '-p',
      String(this.port),
      '-i',
      this.file(site),
      ...['IdentitiesOnly=yes', 'BatchMode=yes', 'StrictHostKeyChecking=yes', 'ConnectTimeout=10'].flatMap((one) => [
        '-o',
        one,
      ]),
      '-o',
      `UserKnownHostsFile=${this.file('known')}`,
    ];
  }

  /**
   * `ssh -R` from a site, with the configuration of docs/examples.
   *
   * @param permitted addresses that it may reach
   * @param through the port of a link to the bastion
   */
  async tunnel(site: string, port: number, permitted = 'any', through = this.port): Promise<Tunnel> {
    const config = this.file(`${site}-${port}.conf`);
    await writeFile(
      config,
      example('site-ssh.conf')
        .replace(
          'HostName bastion.example.com',
          `HostName 127.0.0.1\n    Port ${through}\n    HostKeyAlias [127.0.0.1]:${this.port}`,
        )
        .replace('User tunnel', `User ${os.userInfo().username}`)
        .replace(/RemoteForward .*/, `RemoteForward 127.0.0.1:${port}`)
        .replace(/PermitRemoteOpen .*/, `PermitRemoteOpen ${permitted}`)
        .replace('/etc/evenkeel/tunnel_key', this.file(site))
        .replace('/etc/evenkeel/bastion_key', this.file('known'))
        .replace('/run/evenkeel-tunnel/control', this.file(`control-${port}`))
        .replaceAll('/etc/evenkeel/tunnel.conf', config),
    );
    const tunnel = new Tunnel(port, ['-v', '-N', '-F', config, 'bastion'], 'remote forward success');
    this.tunnels.add(tunnel);
    await tunnel.start();
    return tunnel;
  }

  /** `ssh -D` or `ssh -L` of a person. @param forward for example `['-D', '127.0.0.1:1081']`; the port is where ssh listens */
  async forward(person: string, port: number, forward: readonly string[]): Promise<Tunnel> {
    const args = ['-v', '-N', ...this.signIn(person), '-o', 'ExitOnForwardFailure=yes', ...forward, '127.0.0.1'];
    const tunnel = new Tunnel(port, args, 'Entering interactive session');
    this.tunnels.add(tunnel);
    await tunnel.start();
    return tunnel;
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  #makeKey(name: string): void {
    execFileSync(installed('ssh-keygen') ?? '', ['-q', '-t', 'ed25519', '-N', '', '-f', this.file(name)]);
  }

  #publicKey(name: string): string {
    return readFileSync(`${this.file(name)}.pub`, 'utf8').trim();
  }
}

/** An `ssh` that forwards. */
export class Tunnel {
  #child: ChildProcess | undefined;
  #restarts: Promise<void> = Promise.resolve();

  constructor(
    readonly port: number,
    private readonly args: readonly string[],
    private readonly ready: string,
  ) {}

  get proxy(): string {
    return `socks5h://127.0.0.1:${this.port}`;
  }

  /** As systemd does: until the port is free and the bastion is there. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { child, log } = start('ssh', this.args);
      this.#child = child;
      try {
        await said(child, (text) => text.includes(this.ready), log);
        return;
      } catch (error) {
        if (attempt === 20) throw error;
        await sleep(100);
      }
    }
  }

  stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    return end(this.#child, signal);
  }

  /** Kills it, and starts it again. One restart at a time: two of them would listen on the same port. */
  restart(pause: number): Promise<void> {
    this.#restarts = this.#restarts.then(async () => {
      await this.stop();
      await sleep(pause);
      await this.start();
    });
    return this.#restarts;
  }

  /** Stops it without an end, so that its connections stay open, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }
}
