import { connect, Socket } from 'node:net';
import { parseProxy, routeLabel, routeText, type Route, variableText } from '../../core/model/inventory/route.js';
import { asError } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { ConnectionFailure } from '../exchange/call.js';
import type { HostAndPort } from '../transport/confinement.js';
import { ProxyState } from './proxy_state.js';
import type { Opening } from './tunnel.js';
import { closedEarly, TunnelFailure } from './tunnel_failure.js';

const CLOSED =
  'ssh does not say why: is the controller up, and do PermitOpen, PermitRemoteOpen and the firewall at the far end allow its address?';

const FORBIDDEN = 'may this proxy reach the address and port of the controller?';
/** For the proxy of the environment. */
const DIRECT = 'if the controllers need no proxy, name them in NO_PROXY, or set controller_proxy to an empty text';

/** The routes of a run. */
export class OpenRoutes {
  readonly #proxies = new Map<string, ProxyState>();
  readonly #opening: Opening = new Set();

  /** Contacts nothing yet. Undefined: there is no proxy on the way. */
  to(route: Route | undefined): OpenRoute | undefined {
    if (route === undefined || route.proxies.length === 0) return undefined;
    const proxies = route.proxies.map((proxy) => this.#state(proxy));
    return new OpenRoute(route, proxies);
  }

  /** A connection for a module. If it cannot be opened, it has been destroyed with the error. */
  async socket(route: Route | undefined, to: HostAndPort, ms: number): Promise<Socket> {
    try {
      const opened = await this.to(route)?.open(to, ms);
      return (opened ?? connect(to)).on('error', () => undefined);
    } catch (error) {
      const isDown = error instanceof ConnectionFailure && error.route !== undefined;
      return new Socket()
        .on('error', () => undefined)
        .destroy(Object.assign(asError(error), { code: isDown ? 'EROUTE' : 'ECONNREFUSED' }));
    }
  }

  /** Ends the connections that are being opened. */
  close(): void {
    for (const socket of this.#opening) socket.destroy();
  }

  #state(url: string): ProxyState {
    return getOrAdd(this.#proxies, url, () => {
      const proxy = parseProxy(url);
      if (proxy !== undefined) return new ProxyState(proxy, this.#opening);
      throw new Error('this is not the URL of a SOCKS5 or HTTP proxy: check HTTPS_PROXY');
    });
  }
}

/** A route, as one controller uses it: through its first proxy, or the next one that works. */
export class OpenRoute {
  /** For messages. */
  readonly text: string;
  readonly #label: string;
  /** The proxy of the latest connection. */
  #used: ProxyState | undefined;

  constructor(
    private readonly route: Route,
    private readonly proxies: readonly ProxyState[],
  ) {
    this.text = routeText(route);
    this.#label = routeLabel(route) ?? '';
  }

  /** Whether a connection that stalls may succeed through another proxy. */
  get hasAlternatives(): boolean {
    return this.proxies.length > 1;
  }

  /** @throws ConnectionFailure */
  async open(to: HostAndPort, ms: number): Promise<Socket> {
    let first: ConnectionFailure | undefined;
    for (const proxy of await this.#working()) {
      this.#used = proxy;
      try {
        return await proxy.open(to, ms);
      } catch (error) {
        if (!(error instanceof TunnelFailure)) throw error;
        if (proxy.isUp) first ??= this.#unreachable(proxy, error);
      }
    }
    throw first ?? this.#dead();
  }

  /** Something arrived through the latest connection. */
  arrived(): void {
    this.#used?.arrived();
  }

  /** Nothing has arrived through the latest connection since that time, in ms of `performance.now()`. */
  silentSince(time: number): void {
    this.#used?.silentSince(time);
  }

  /** The proxy closed the latest connection before anything arrived. */
  closedEarly(to: HostAndPort): ConnectionFailure {
    const failure = closedEarly(to);
    return this.#used === undefined ? this.#dead() : this.#unreachable(this.#used, failure);
  }

  /** Those that work, best first. The others are tried meanwhile, or before if none works. */
  async #working(): Promise<readonly ProxyState[]> {
    const working = this.proxies.filter(({ isUp }) => isUp);
    const others = this.proxies.filter((proxy) => !proxy.isUp && proxy.isDue(working.length > 0));
    const checks = others.map((proxy) => proxy.check());
    if (working.length === 0) for (const check of checks) if (await check) break;
    const found = this.proxies.filter(({ isUp }) => isUp);
    const stalled = new Set(found.length > 1 ? found.filter((proxy) => proxy.isStalled()) : []);
    return [...found.filter((proxy) => !stalled.has(proxy)), ...stalled];
  }

  /** The message is the same for all controllers, so that they are one failure. */
  #dead(): ConnectionFailure {
    const failures = this.proxies.flatMap(({ shown, failure }) => (failure === undefined ? [] : [{ shown, failure }]));
    const said = this.#say(failures.map(({ shown, failure }) => [shown, failure.message]));
    // All controllers behind it have waited since then.
    const since = Math.max(...this.proxies.map(({ downSince = performance.now() }) => downSince));
    const options = { route: this.#label, since };
    const faults = new Set(failures.map(({ failure }) => failure.fault));
    const untrusted = 'name a file with its authority in NODE_EXTRA_CA_CERTS';
    if (faults.has('certificate')) return new ConnectionFailure('certificate', said, untrusted, options);
    if (faults.has('credentials')) return new ConnectionFailure('proxy', said, this.#credentialsHint, options);
    const what = this.proxies.some(({ isTunnel }) => isTunnel) ? 'tunnel' : 'proxy';
    const hint = this.route.variable === undefined ? undefined : DIRECT;
    return new ConnectionFailure('connect', `${said}: is the ${what} up?`, hint, options);
  }

  /** The variables of a controller are not for the proxy of the environment. */
  get #credentialsHint(): string {
    const { variable, proxies } = this.route;
    const isGiven = proxies.some((url) => parseProxy(url)?.username !== '');
    if (variable !== undefined)
      return isGiven
        ? `check the credentials in ${variable}`
        : `write them into ${variable}, before the host: USER:PASSWORD@`;
    return isGiven
      ? 'check controller_proxy_username and controller_proxy_password; credentials in the URL of the proxy count first'
      : 'set controller_proxy_username and controller_proxy_password';
  }

  #unreachable({ shown }: ProxyState, { fault, message }: TunnelFailure): ConnectionFailure {
    const said = this.#say([[shown, message]]);
    if (fault === 'closed') return new ConnectionFailure('connect', said, CLOSED);
    if (fault === 'name')
      return new ConnectionFailure('lookup', said, 'socks5h:// resolves names at the far end of the route');
    if (fault === 'forbidden')
      return new ConnectionFailure('proxy', said, this.route.variable === undefined ? FORBIDDEN : DIRECT);
    fault satisfies 'certificate' | 'credentials' | 'proxy' | 'target';
    return new ConnectionFailure('connect', said, 'is the controller up, and are the address and port right?');
  }

  /** `route madrid: 127.0.0.1:1081 refuses connections, …` */
  #say(sayings: readonly (readonly [proxy: string, what: string])[]): string {
    if (this.route.name !== undefined)
      return `${this.text}: ${sayings.map(([proxy, what]) => `${proxy} ${what}`).join(', ')}`;
    return sayings.map(([proxy, what]) => `the proxy ${proxy}${variableText(this.route)} ${what}`).join(', ');
  }
}
