import ipaddr from 'ipaddr.js';
import type { Route } from '../../model/inventory/route.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The way to a URL: its own, else through `HTTPS_PROXY` (`HTTP_PROXY` for http://, `ALL_PROXY` for both) unless
 * `NO_PROXY` names it. As in curl, the lower-case names win.
 */
export function routeFor(url: URL, own: Route | undefined, environment: Environment): Route | undefined {
  if (own !== undefined) return own;
  const proxy =
    variable(environment, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ??
    variable(environment, 'all_proxy');
  if (proxy === undefined || exempt(url, variable(environment, 'no_proxy') ?? '')) return undefined;
  return { name: undefined, proxies: [withScheme(proxy)] };
}

function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name] ?? environment[name.toUpperCase()];
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function withScheme(proxy: string): string {
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** `NO_PROXY`: names (their subdomains too), addresses, networks, each with or without a port; `*` is everything. */
function exempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list.split(/[\s,]+/).some((entry) => entry !== '' && covers(entry.toLowerCase(), host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name = entry, itsPort] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (itsPort !== undefined && itsPort !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return host === bare || host.endsWith(`.${bare}`) || inNetwork(host, bare);
}

function inNetwork(host: string, network: string): boolean {
  if (!ipaddr.isValid(host) || !ipaddr.isValidCIDR(network)) return false;
  const address = ipaddr.process(host);
  const [base, bits] = ipaddr.parseCIDR(network);
  return address.kind() === base.kind() && address.match(base, bits);
}
