import { connect, type Socket } from 'node:net';
import { HintedError } from '../../core/model/source/diagnostic.js';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Keeps a run within the addresses that it may reach: the target of a connection to an address. All sockets are checked
 * here before they are opened. Throws a `NetworkRefusal` if the address must not be reached.
 *
 * @param route the label of the route to it
 */
export type Confine = (to: HostAndPort, route?: string) => HostAndPort;

/** A simulated run reaches only its simulated controllers. */
export class NetworkRefusal extends HintedError {
  override readonly name = 'NetworkRefusal';
}

const ANYWHERE: Confine = (to) => to;

/** An error closes the socket, even if the caller does not listen for errors yet. */
export function openSocket(to: HostAndPort, confine: Confine = ANYWHERE, route?: string): Socket {
  const { host, port } = confine(to, route);
  return connect({ host, port }).on('error', () => undefined);
}

/** Refuses a URL whose real target differs from the displayed one: a simulated controller that only tasks reach. */
export function requireReachable(url: string, confine: Confine, route?: string): void {
  const to = parseHostAndPort(url);
  const { host, port } = confine(to, route);
  if (host === to.host && port === to.port) return;
  const problem = 'cannot be reached: with --simulate, only tasks reach its simulated controller';
  const hint = 'read it with a task, such as resource_facts or api_request, and register the result';
  throw new NetworkRefusal(`${to.host}:${to.port} ${problem}`, hint);
}

/** Host and port of a URL: without brackets, with the port of its scheme if it names none. */
export function parseHostAndPort(url: string): HostAndPort {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usual : Number(port) };
}
