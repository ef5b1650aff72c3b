import { setMaxListeners } from 'node:events';
import { createServer as createHttpsServer, type Server } from 'node:https';
import { DEFAULT_DIALECT, type Dialect } from '../core/model/dialect.js';
import type { KindTable, LoadKinds } from '../kinds/kind_table.js';
import type { Behaviour } from './behaviour/behaviour.js';
import { RequestLog, SimulatedController } from './controller/controller.js';
import { DEFAULT_CREDENTIALS } from './service/accounts.js';
import { Service } from './service/service.js';
import { SimulatedState } from './state/controller_state.js';
import { StateFolder, type IsOwn, type Seal } from './state/state_folder.js';
import { exchange } from './transport/http_exchange.js';
import { type Certificate, Listener, makeCertificate, sharedCertificate } from './transport/listener.js';

export interface SimulatorOptions {
  /** Whether to share one certificate with other simulators in this process, for tests. Default: a new certificate. */
  readonly shareCertificate?: boolean;
  /** Where controllers keep their state between runs; absent: in memory only. */
  readonly stateDirectory?: string;
  /** Protects that state from anyone who only has its files; absent: they are plain JSON. */
  readonly seal?: Seal;
  /** Absent: this process may replace the state of all controllers. */
  readonly isOwn?: IsOwn;
  /** The kinds of objects that controllers of other dialects than the API document know; absent: the built-in kinds. */
  readonly kinds?: LoadKinds;
  /** Whether controllers keep their requests (`requests`); default true. */
  readonly log?: boolean;
}

export interface SimulatedControllerOptions {
  /** Default `admin`. */
  readonly username?: string;
  /** Default `simulated`. */
  readonly password?: string;
  readonly behaviour?: Behaviour;
  /** Default: any free one. */
  readonly port?: number;
  /** Default: the dialect's. */
  readonly versionHeader?: string;
  /** Default: the API document. */
  readonly dialect?: Dialect;
  /** `n.n.n`: the versions that the controller supports; default: any. */
  readonly apiVersions?: readonly string[];
  /** Further tenants, besides those that every controller has; default none. */
  readonly tenants?: readonly string[];
  /** Path under which the controller is reached, `/lb`; default none. */
  readonly prefix?: string;
}

interface RunningController {
  readonly controller: SimulatedController;
  readonly listener: Listener;
  readonly url: string;
}

/**
 * Simulated controllers in this process that answer real HTTPS on 127.0.0.1, each on its own port, strictly by the API document
 * except for configured faults. A controller costs nothing until `startController` is called for it.
 */
export class Simulator {
  readonly #log: boolean;
  readonly #kinds: LoadKinds;
  readonly #https: Server;
  readonly #ending = new AbortController();
  readonly #running = new Map<string, Promise<RunningController>>();
  readonly #controllers = new Map<string, SimulatedController>();
  readonly #states = new Map<string, SimulatedState>();
  readonly #byPort = new Map<number, SimulatedController>();

  private constructor(
    private readonly certificate: Certificate,
    private readonly folder: StateFolder | undefined,
    { log = true, kinds = builtIn }: Pick<SimulatorOptions, 'log' | 'kinds'>,
  ) {
    this.#log = log;
    this.#kinds = kinds;
    // Every answer that waits adds a listener, which Node would report as a leak.
    setMaxListeners(0, this.#ending.signal);
    // One HTTPS server handles the sockets of all listeners, because each server would need its own TLS context.
    this.#https = createHttpsServer({ key: certificate.key, cert: certificate.cert, keepAliveTimeout: 75_000 });
    this.#https.on('request', (request, response) => {
      const controller = this.#byPort.get(request.socket.localPort ?? -1);
      if (controller === undefined) return void response.destroy();
      exchange(controller, request, response, this.#ending.signal).catch(() => response.destroy());
    });
  }

  static async start(options: SimulatorOptions = {}): Promise<Simulator> {
    const { stateDirectory, seal, isOwn } = options;
    const folder = stateDirectory === undefined ? undefined : await StateFolder.open(stateDirectory, seal, isOwn);
    const certificate = options.shareCertificate === true ? sharedCertificate() : makeCertificate(new Date());
    return new Simulator(await certificate, folder, options);
  }

  /** PEM of the authority that a client must trust. */
  get ca(): string {
    return this.certificate.ca;
  }

  /** Starts a controller of this name and returns its URL. A second call returns the same URL and adds credentials. */
  async startController(name: string, options: SimulatedControllerOptions = {}): Promise<{ readonly url: string }> {
    let running = this.#running.get(name);
    if (running === undefined) {
      running = this.#start(name, options);
      this.#running.set(name, running);
      // The user may fix a port in use or a broken state file; the next call tries again.
      running.catch(() => this.#running.delete(name));
    }
    const { url, controller } = await running;
    controller.addAccount({ ...DEFAULT_CREDENTIALS, ...options });
    return { url };
  }

  /** Returns a started controller. Throws if there is none of that name. */
  controller(name: string): SimulatedController {
    const controller = this.#controllers.get(name);
    if (controller === undefined) throw new Error(`no simulated controller "${name}" is running`);
    return controller;
  }

  /** Gives a started controller the state that is stored: another process may have changed it since the start. */
  async reload(name: string): Promise<void> {
    const stored = await this.folder?.load(name);
    if (stored !== undefined) this.#states.get(name)?.restore(stored);
  }

  /** Ends every connection, and returns when the state is on disk. */
  async close(): Promise<void> {
    this.#ending.abort();
    const running = await Promise.allSettled(this.#running.values());
    const opened = running.flatMap((one) => (one.status === 'fulfilled' ? [one.value.listener] : []));
    await Promise.all(opened.map((listener) => listener.close()));
    await this.folder?.flush();
  }

  async #start(name: string, options: SimulatedControllerOptions): Promise<RunningController> {
    const controller = await this.#makeController(name, options);
    const listener = await Listener.open(options.port ?? 0, (socket) => this.#https.emit('connection', socket));
    controller.refuseConnections = (milliseconds) => listener.pause(milliseconds);
    this.#controllers.set(name, controller);
    this.#byPort.set(listener.port, controller);
    return { controller, listener, url: `https://127.0.0.1:${listener.port}${controller.prefix}` };
  }

  async #makeController(name: string, options: SimulatedControllerOptions): Promise<SimulatedController> {
    const state = new SimulatedState(await this.folder?.load(name), () =>
      this.folder?.save(name, () => state.snapshot()),
    );
    this.#states.set(name, state);
    const controller = new SimulatedController(name, state, {
      service: await makeService(state, options, this.#kinds),
      prefix: options.prefix ?? '',
      log: new RequestLog(this.#log),
    });
    controller.behaviour = options.behaviour ?? {};
    return controller;
  }
}

async function builtIn(): Promise<KindTable> {
  const { builtInKinds } = await import('../kinds/kind_table.js');
  return builtInKinds();
}

async function makeService(
  state: SimulatedState,
  options: SimulatedControllerOptions,
  loadKinds: LoadKinds,
): Promise<Service> {
  const { dialect = DEFAULT_DIALECT, apiVersions = [], tenants = [] } = options;
  const { versionHeader = dialect.versionHeader } = options;
  const kinds = isBeyondApiDocument(dialect) ? await loadKinds() : undefined;
  return new Service(state, { dialect, kinds, versionHeader, apiVersions, tenants });
}

function isBeyondApiDocument({ session, tenants, paging, cloudScope, references }: Dialect): boolean {
  return [session, tenants, paging, cloudScope, references].some((trait) => trait !== undefined);
}
