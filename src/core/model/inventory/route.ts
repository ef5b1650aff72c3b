import { getOrAdd } from '../values/groups.js';
import { decodedUri } from '../values/uri.js';
import { NOT_ENCODED, proxyFault } from './address.js';

/** The way to controllers: through one of several proxies that lead to the same network. */
export interface Route {
  /** Its name in `routes` of the project file. Undefined: the proxies are in variables of the controller. */
  readonly name: string | undefined;
  /** URLs, with credentials, in the order in which they are tried. Empty: no proxy, whatever the environment says. */
  readonly proxies: readonly string[];
  /** The environment variable that names the proxy: `HTTPS_PROXY`. Absent: the project or the inventory does. */
  readonly variable?: string;
}

/** URLs of proxies by the name of their route. */
export type Routes = ReadonlyMap<string, readonly string[]>;

export const NO_PROXY: Route = { name: undefined, proxies: [] };

/** A proxy, from its URL. */
export interface Proxy {
  /** `socks5` resolves names here, `socks5h` lets the proxy do it. */
  readonly scheme: 'socks5' | 'socks5h' | 'http' | 'https';
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Decoded; empty: none. */
  readonly username: string;
  readonly password: string;
}

const PORTS = { socks5: 1080, socks5h: 1080, http: 80, https: 443 } as const;

/** What to do if credentials make the URL of a proxy invalid. */
export function credentialsHint(url: string): string | undefined {
  const fault = proxyFault(url, Object.keys(PORTS));
  return fault === NOT_ENCODED ? fault.hint : undefined;
}

/** What is wrong with the URL of a proxy, worded to follow its name. */
export const PROXY_FORM = 'must be a URL such as socks5h://bastion.example.com:1080 or http://proxy.example.com:3128';

/** Undefined if the text is no URL of a proxy that can be used. */
export function parseProxy(text: string): Proxy | undefined {
  if (proxyFault(text, Object.keys(PORTS)) !== undefined) return undefined;
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (!isScheme(scheme)) return undefined;
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? PORTS[scheme] : Number(url.port);
  return { scheme, host, port, username: decodedUri(url.username), password: decodedUri(url.password) };
}

function isScheme(text: string): text is Proxy['scheme'] {
  return Object.hasOwn(PORTS, text);
}

/** `host:port`, for messages. */
export function shownProxy({ host, port }: Pick<Proxy, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Proxies with equal keys lead to the same network. A gateway may choose the network by the name of the user. */
export function proxyKey(url: string): string {
  const proxy = parseProxy(url);
  return proxy === undefined ? url : JSON.stringify([shownProxy(proxy), proxy.username]);
}

/**
 * The name of a route, else its proxies, in no particular order and without their credentials: colleagues who sign in to
 * a proxy as different users reach the same network. Undefined: there is no proxy.
 */
export function routeLabel(route: Route | undefined): string | undefined {
  if (route === undefined || route.proxies.length === 0) return undefined;
  return route.name ?? proxyLabel(route.proxies);
}

/** `route madrid`, or `the proxy 127.0.0.1:1081` where it has no name. */
export function routeText(route: Route): string {
  if (route.name !== undefined) return `route ${route.name}`;
  const proxies = `${route.proxies.length === 1 ? 'proxy' : 'proxies'} ${proxyLabel(route.proxies).replaceAll(',', ', ')}`;
  return `the ${proxies}${variableText(route)}`;
}

/** ` (HTTPS_PROXY)` */
export function variableText({ variable }: Pick<Route, 'variable'>): string {
  return variable === undefined ? '' : ` (${variable})`;
}

function proxyLabel(proxies: readonly string[]): string {
  return getOrAdd(labels, proxies, () => {
    const shown = proxies.map((proxy) => shownProxy(parseProxy(proxy) ?? { host: '', port: 0 }));
    return [...new Set(shown)].toSorted().join(',');
  });
}

const labels = new WeakMap<readonly string[], string>();
// Asked for several times with every request.
const identities = new WeakMap<object, string>();

/** The dot that ends an absolute domain name. */
const DOT = /^(\w+:\/\/[^/:[]+)\.(?=[:/]|$)/;

/**
 * Tells controllers apart: sites use the same private addresses, so an address alone means nothing. The environment's
 * proxy is no part of it, because it is the way to everything.
 */
export function controllerIdentity(settings: { readonly url: string; readonly route: Route | undefined }): string {
  return getOrAdd(identities, settings, () => {
    const { url, route } = settings;
    const label = routeLabel(route);
    const place = url.replace(DOT, '$1');
    return label === undefined ? place : `${place} via ${label}`;
  });
}
