import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../core/model/inventory/route.js';
import type { Exchange, Retry, Throttling } from '../core/model/run/event.js';
import { collectionNamed, type FindCollection } from '../core/model/run/reference.js';
import { Secrets } from '../core/secrets/secrets.js';
import { addSecrets } from '../core/secrets/values.js';
import { CredentialRefusals, Lockouts, notSent, type CredentialWatch } from './access/lockouts.js';
import { Passwords } from './access/passwords.js';
import { signOut, basicCredentials, SignIns } from './access/sign_in.js';
import { singleObject } from './answers/json_object.js';
import { ApiVersions } from './api_version.js';
import { Client } from './client.js';
import { get } from './exchange/call.js';
import { LIMITS, type RequestLimits, RETRY, type RetryPolicy } from './exchange/policy.js';
import { RequestGates } from './pace/request_gate.js';
import type { LoadWatch } from './pace/slow_down.js';
import { routeFor, type ProxyEnvironment } from './route/environment.js';
import { OpenRoutes } from './route/open_routes.js';
import { RunKnowledge } from './run_knowledge.js';
import { Session } from './session.js';
import { securityRisk } from './settings/settings.js';
import { AnswerMemory } from './transport/answer_memory.js';
import { requireReachable, type Confine, type HostAndPort } from './transport/confinement.js';
import { SecureContexts } from './transport/dispatchers.js';
import { Transport } from './transport/transport.js';

export interface ConnectionsOptions {
  /** Aborted to cut off running requests and send no more. */
  readonly abort: AbortSignal;
  /** Aborted to stop retries and pauses; running requests finish. */
  readonly drain?: AbortSignal | undefined;
  /** Called with every request on the wire, without its headers. */
  readonly onRequest?: ((exchange: Exchange) => void) | undefined;
  /** A controller asked for fewer requests: nothing is sent to it for a while. */
  readonly onThrottled?: ((throttling: Throttling) => void) | undefined;
  /** Called before a request is sent again. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Sees each exchange. */
  readonly load?: LoadWatch | undefined;
  /** Whether `onRequest` also gets the bodies, which may contain secrets. */
  readonly bodies?: boolean | undefined;
  /** Warnings about a controller's settings, once per run. */
  readonly onWarning?: ((message: string, controller: string) => void) | undefined;
  /** Three controllers in a row refused the same credentials: nothing new should start. The reason names user and controllers. */
  readonly onCredentialsRefused?: ((reason: string) => void) | undefined;
  /** The allowed addresses; default: all. */
  readonly confine?: Confine | undefined;
  /** Environment with the usual proxy variables. Default: none. */
  readonly env?: ProxyEnvironment | undefined;
  /** The run's secrets: no message of an error shows them. Those of the settings are added. */
  readonly secrets?: Secrets | undefined;
  /** Default: by the names of fields. */
  readonly findCollection?: FindCollection | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly limits?: Partial<RequestLimits> | undefined;
}

/** All connections of one run, and the state that its controllers share. All HTTP requests go through here. */
export class Connections {
  readonly #retry: RetryPolicy;
  readonly #limits: RequestLimits;
  readonly #secrets: Secrets;
  readonly #contexts = new SecureContexts();
  readonly #routes = new OpenRoutes();
  readonly #gates: RequestGates;
  readonly #room = new AnswerMemory();
  readonly #refusals = new CredentialRefusals();
  readonly #signIns = new SignIns();
  readonly #passwords = new Passwords();
  readonly #versions = new ApiVersions();
  /** With the identity of the controller. */
  readonly #open = new Map<Transport, string>();
  /** How many of them are open to each controller. */
  readonly #counts = new Map<string, number>();
  readonly #warned = new Set<string>();
  readonly #run: RunKnowledge;
  readonly #drain: AbortSignal;
  readonly #cutOff = (): void => {
    this.#routes.close();
    void this.#closeAll();
  };

  constructor(private readonly options: ConnectionsOptions) {
    this.#secrets = options.secrets ?? new Secrets();
    this.#retry = { ...RETRY, ...options.retry };
    this.#limits = { ...LIMITS, ...options.limits };
    const findCollection = options.findCollection ?? ((field) => Promise.resolve(collectionNamed(field)));
    this.#run = new RunKnowledge(findCollection, this.#limits.pages);
    this.#drain = AbortSignal.any(options.drain === undefined ? [options.abort] : [options.abort, options.drain]);
    // Every controller in a pause listens, which Node would report as a leak.
    setMaxListeners(0, this.#drain, options.abort);
    this.#gates = new RequestGates(this.#retry, { drain: this.#drain, abort: options.abort });
    options.abort.addEventListener('abort', this.#cutOff, { once: true });
  }

  /** Contacts nothing yet: the first request opens the connection. Close the session when its controller is done. */
  open(given: ConnectionSettings): Session {
    const settings = this.#passwords.apply(given);
    this.#warn(settings, securityRisk(settings));
    const first = this.#connect(settings);
    const transports = [first.transport];
    const account = {
      client: first.client,
      settings: given,
      use: (changed: ConnectionSettings): void => {
        const { client, transport } = this.#connect(changed);
        transports.push(transport);
        account.client = client;
      },
      signIn: (password: string, changed?: 'changed'): Promise<boolean> =>
        this.#signIn({ ...given, password, isToken: false }, changed),
    };
    this.#passwords.watch(account);
    return new Session(account, this.#run, async () => {
      this.#passwords.unwatch(account);
      await Promise.all(transports.map((transport) => this.#close(transport)));
    });
  }

  /** A socket for a module, through the route of a controller. If it cannot be opened, it has been destroyed with the error. */
  openTunnel({ route, timeout }: ConnectionSettings, to: HostAndPort): Promise<Socket> {
    return this.#routes.socket(route, to, timeout * 1000);
  }

  #connect(settings: ConnectionSettings, watch = this.#watch(settings), lockouts = this.#run.lockouts) {
    addSecrets(settings, this.#secrets);
    const transport = this.#transport(settings);
    const controller = controllerIdentity(settings);
    this.#open.set(transport, controller);
    this.#counts.set(controller, (this.#counts.get(controller) ?? 0) + 1);
    if (this.options.abort.aborted) this.#cutOff();
    const { onRequest, onRetry, onThrottled, bodies = false } = this.options;
    const known = { settings, versionHeader: [], hasTenant: false };
    const client = new Client(known, {
      transport,
      gate: this.#gates.to(settings),
      onRequest,
      onThrottled,
      bodies,
      secrets: this.#secrets,
      retry: this.#retry,
      onRetry,
      drain: this.#drain,
      signIns: settings.auth === 'basic' ? undefined : this.#signIns.shared(settings, basicCredentials(settings)),
      credentials: watch,
      lockouts,
      versions: this.#versions,
      onWarning: this.#warn.bind(this, settings),
    });
    return { client, transport };
  }

  /** A guess is not sent twice, and its refusal does not count as a refusal of the run's credentials. */
  async #signIn(settings: ConnectionSettings, changed?: 'changed'): Promise<boolean> {
    const [tried, controller] = [this.#refusals.tried(basicCredentials(settings)), controllerIdentity(settings)];
    if (this.#run.lockouts.isLost(controller)) throw notSent(PROBE);
    if (changed !== undefined) tried.forget(controller);
    if (tried.hasRefused(controller)) return false;
    const watch: CredentialWatch = {
      ...this.#watch(settings),
      refuse: () => tried.refuseGuess(controller),
      tryInTurn: (_, work) => work(),
      objection: () => undefined,
    };
    // Where a lockout is expected, 401 is taken for it; that of a guess says nothing about the run's sign-in.
    const { client, transport } = this.#connect(settings, watch, new Lockouts());
    try {
      const answer = await client.ask(PROBE);
      // A session has been signed in for already. Without one, only an answer to a signed-in user proves the password; the page of a gateway does not.
      if (settings.auth === 'basic') {
        if (!SIGNED_IN.has(answer.status)) throw client.refused(PROBE, answer);
        singleObject(PROBE, answer, client);
      }
    } catch (error) {
      if (tried.hasRefused(controller)) return false;
      throw error;
    } finally {
      await this.#close(transport);
    }
    this.#passwords.change(settings);
    return true;
  }

  /**
   * Closes every connection and signs out. Running requests fail as interrupted; a write among them may have taken
   * effect.
   */
  async close(): Promise<void> {
    this.options.abort.removeEventListener('abort', this.#cutOff);
    await this.#closeAll();
    const signIns = await this.#signIns.takeAll();
    if (signIns.length > 0) await signOut(signIns, (settings) => this.#transport(settings));
    this.#routes.close();
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((transport) => this.#close(transport)));
  }

  #transport(settings: ConnectionSettings): Transport {
    const way = routeFor(settings.url, settings.route, this.options.env ?? {});
    if (this.options.confine !== undefined) requireReachable(way?.proxies[0] ?? settings.url, this.options.confine);
    const [trust, slot, route] = [this.#contexts.trust(settings.ca), this.#room.slot(), this.#routes.to(way)];
    const onWeakness = (message: string): void => this.#warn(settings, message);
    return new Transport(settings, { route, trust, limits: this.#limits, slot, load: this.options.load, onWeakness });
  }

  async #close(transport: Transport): Promise<void> {
    const controller = this.#open.get(transport);
    if (controller === undefined) return;
    this.#open.delete(transport);
    const left = (this.#counts.get(controller) ?? 1) - 1;
    if (left > 0) this.#counts.set(controller, left);
    else {
      this.#counts.delete(controller);
      this.#gates.release(controller);
      this.#run.turns.forget(controller);
    }
    await transport.close();
  }

  #watch(settings: ConnectionSettings): CredentialWatch {
    const [tried, controller] = [this.#refusals.tried(basicCredentials(settings)), controllerIdentity(settings)];
    return {
      tryInTurn: (wait, work) => tried.tryInTurn(controller, wait, work),
      objection: () => tried.objection(controller),
      accept: () => tried.accept(controller),
      refuse: () => {
        const reason = tried.refuse(controller, settings);
        if (reason !== undefined) this.options.onCredentialsRefused?.(reason);
      },
    };
  }

  #warn({ controller }: ConnectionSettings, message: string | undefined): void {
    const key = JSON.stringify([controller, message]);
    if (message === undefined || this.#warned.has(key)) return;
    this.#warned.add(key);
    this.options.onWarning?.(message, controller);
  }
}

/** Any request that needs a signed-in user. */
const PROBE = get('/api/systemconfiguration');

/** Statuses of a controller that has let the user in, who may not read this, or which has no GET for it. */
const SIGNED_IN: ReadonlySet<number> = new Set([200, 403, 404, 405, 501]);
