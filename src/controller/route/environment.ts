import ipaddr from 'ipaddr.js';
import { credentialsHint, parseProxy, PROXY_FORM, type Route } from '../../core/model/inventory/route.js';
import { NetworkRefusal } from '../transport/confinement.js';

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The way to a URL: its own, else through `HTTPS_PROXY` (`HTTP_PROXY` for http://, `ALL_PROXY` for both) unless
 * `NO_PROXY` names it. As in curl, the lower-case names win.
 *
 * @throws NetworkRefusal if the environment's is not the URL of a proxy
 */
export function routeFor(url: string, own: Route | undefined, environment: ProxyEnvironment): Route | undefined {
  if (own !== undefined) return own;
  const proxy =
    variable(environment, /^https:/i.test(url) ? 'https_proxy' : 'http_proxy') ?? variable(environment, 'all_proxy');
  if (proxy === undefined || exempt(new URL(url), variable(environment, 'no_proxy')?.value ?? '')) return undefined;
  const full = proxy.value.includes('://') ? proxy.value : `http://${proxy.value}`;
  if (parseProxy(full) !== undefined) return { name: undefined, proxies: [full], variable: proxy.name };
  const hint = credentialsHint(full) ?? 'correct it, or unset it';
  throw new NetworkRefusal(`the environment variable ${proxy.name} ${PROXY_FORM}`, hint);
}

function variable(environment: ProxyEnvironment, lower: string) {
  const name = environment[lower] === undefined ? lower.toUpperCase() : lower;
  const value = environment[name]?.trim() ?? '';
  return value === '' ? undefined : { name, value };
}

/** `NO_PROXY`: names (their subdomains too), addresses, networks, each with or without a port; `*` is everything. */
function exempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list.split(/[\s,]+/).some((entry) => entry !== '' && covers(entry.toLowerCase(), host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name = entry, itsPort] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (itsPort !== undefined && itsPort !== port) return false;
  const bare = name.replace(/^\[|\]$|\.$/g, '').replace(/^\*?\./, '');
  return host === bare || host.endsWith(`.${bare}`) || inNetwork(host, bare);
}

/** An IPv6 address is a network of one: URLs have its short form. */
function inNetwork(host: string, entry: string): boolean {
  const network = entry.includes('/') ? entry : `${entry}/128`;
  if (!ipaddr.isValid(host) || !ipaddr.isValidCIDR(network)) return false;
  const address = ipaddr.process(host);
  const [base, bits] = ipaddr.parseCIDR(network);
  return address.kind() === base.kind() && address.match(base, bits);
}
