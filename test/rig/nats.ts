import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PLACES = [
  process.env['NATS_SERVER'],
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
];

/** A NATS server that is installed on this machine; undefined if there is none. */
export const NATS_SERVER = PLACES.find((place): place is string => place !== undefined && existsSync(place));

/** Reports why a suite is skipped. */
export function sayWithoutNats(suite: string): void {
  process.stderr.write(`\nSKIPPED: ${suite}: no nats-server (apt-get install nats-server, or set NATS_SERVER)\n`);
}

/** A real server with JetStream, on a free port of 127.0.0.1. */
export class Broker {
  #process: ChildProcess | undefined;
  #port = -1;

  private constructor(
    readonly folder: string,
    private readonly config: string,
  ) {}

  /** @param config what is in its configuration file */
  static async start(config = 'jetstream: enabled'): Promise<Broker> {
    const broker = new Broker(await mkdtemp(path.join(tmpdir(), 'evenkeel-nats-')), config);
    await broker.start();
    return broker;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  /** With the same port and data. */
  async start(): Promise<void> {
    const file = path.join(this.folder, 'server.conf');
    const config = this.config.replace(/^jetstream: enabled/m, `jetstream { store_dir: "${this.folder}/data" }`);
    await writeFile(file, `listen: "127.0.0.1:${this.#port}"\n${config}\n`);
    const child = spawn(NATS_SERVER ?? '', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = child;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        this.#port = Number(/client connections on 127\.0\.0\.1:(\d+)/.exec(log)?.[1] ?? this.#port);
        if (log.includes('Server is ready')) resolve();
      });
      child.once('exit', () => {
        reject(new Error(`nats-server ended: ${log}`));
      });
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** Forgets what happens to the consumers of a stream during `act`, but not what happens to its messages. */
  async forgetting(stream: string, act: () => Promise<unknown>): Promise<void> {
    const consumers = path.join(this.folder, 'data/jetstream/$G/streams', stream, 'obs');
    const kept = path.join(this.folder, 'kept');
    await this.stop('SIGTERM');
    await cp(consumers, kept, { recursive: true });
    await this.start();
    await act();
    await this.stop('SIGTERM');
    await rm(consumers, { recursive: true });
    await rename(kept, consumers);
    await this.start();
  }

  /** Loses all messages of a stream and starts to count from 1 again. Its consumers stay as they are. */
  async restartWithout(stream: string): Promise<void> {
    // Ends in order, so that the consumers are stored.
    await this.stop('SIGTERM');
    const messages = path.join(this.folder, 'data/jetstream/$G/streams', stream, 'msgs');
    await rm(messages, { recursive: true });
    await mkdir(messages);
    await this.start();
  }

  /** Connections stay, and nothing is answered until it is resumed. */
  suspend(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A link to a broker that can be cut. */
export class CuttableLink {
  readonly #sockets = new Set<Socket>();
  readonly #fromBroker = new Set<Socket>();
  #isCut = false;

  private constructor(
    private readonly server: Server,
    port: number,
  ) {
    server.on('connection', (socket) => {
      if (this.#isCut) {
        socket.destroy();
        return;
      }
      const target = connect(port, '127.0.0.1');
      socket.pipe(target);
      target.on('data', (data) => socket.write(data));
      this.#fromBroker.add(target);
      for (const end of [socket, target]) {
        this.#sockets.add(end);
        end.on('error', () => undefined);
        end.on('close', () => {
          socket.destroy();
          target.destroy();
          this.#sockets.delete(end);
          this.#fromBroker.delete(end);
        });
      }
    });
  }

  static async to(broker: Broker): Promise<CuttableLink> {
    const link = new CuttableLink(createServer(), broker.port);
    await new Promise<void>((resolve) => link.server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Holds back the broker's messages until the link is restored. */
  hold(): void {
    for (const socket of this.#fromBroker) socket.pause();
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
    for (const socket of this.#fromBroker) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
