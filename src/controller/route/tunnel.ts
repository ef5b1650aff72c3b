import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SocksClient } from 'socks';
import { Client } from 'undici';
import { type Proxy, shownProxy } from '../../core/model/inventory/route.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import type { HostAndPort } from '../transport/confinement.js';
import { isUntrusted } from '../transport/network_failure.js';
import { SILENCE_MS, TunnelFailure, wanted, type TunnelFault, closedEarly } from './tunnel_failure.js';

/** The sockets of connections that are being opened, so that an interrupt can end them. */
export type Opening = Set<Socket>;

/** Opens a connection to an address through a proxy. Throws `TunnelFailure` only. */
export async function openTunnel(proxy: Proxy, to: HostAndPort, ms: number, opening: Opening): Promise<Socket> {
  const target = proxy.scheme === 'socks5' ? await resolved(to) : to;
  return atProxy(proxy, opening, (socket) =>
    isSocks(proxy) ? socksTunnel(socket, proxy, target, ms) : httpTunnel(socket, proxy, target, ms),
  );
}

/**
 * Whether a proxy works, without opening a connection to a controller. Returns the milliseconds of a round trip. Throws
 * `TunnelFailure` only.
 */
export async function tryProxy(proxy: Proxy, opening: Opening): Promise<number> {
  let started = performance.now();
  const socket = await atProxy(proxy, opening, async (open) => {
    if (isSocks(proxy)) {
      started = performance.now();
      await greet(open, proxy);
    }
    return open;
  });
  socket.destroy();
  return performance.now() - started;
}

function isSocks({ scheme }: Proxy): boolean {
  return scheme === 'socks5' || scheme === 'socks5h';
}

/** Connects to the proxy itself. The socket survives only if the work succeeds. */
async function atProxy(proxy: Proxy, opening: Opening, work: (socket: Socket) => Promise<Socket>): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port, noDelay: true }).on('error', () => undefined);
  opening.add(socket);
  try {
    await event(socket, 'connect');
    const open = proxy.scheme === 'https' ? await encrypted(socket, proxy) : socket;
    return await work(open);
  } catch (error) {
    socket.destroy();
    throw error instanceof TunnelFailure ? error : failure(error);
  } finally {
    opening.delete(socket);
  }
}

async function encrypted(socket: Socket, { host }: Proxy): Promise<Socket> {
  const secure = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
  secure.on('error', () => undefined);
  await event(secure, 'secureConnect');
  return secure;
}

/** Waits for an event, or for the end of the socket. */
async function event(socket: Socket, name: 'connect' | 'secureConnect' | 'data'): Promise<unknown> {
  const end = new AbortController();
  const silent = setTimeout(() => end.abort(new TunnelFailure('proxy', 'does not answer')), SILENCE_MS);
  const closed = (): void => end.abort(new TunnelFailure('proxy', 'closes connections'));
  socket.once('close', closed);
  try {
    const values: readonly unknown[] = await once(socket, name, { signal: end.signal });
    return values[0];
  } catch (error) {
    throw error instanceof Error && error.cause instanceof TunnelFailure ? error.cause : error;
  } finally {
    clearTimeout(silent);
    socket.off('close', closed);
  }
}

const MEANINGS: ReadonlyMap<string, ConstructorParameters<typeof TunnelFailure>> = new Map([
  ['ECONNREFUSED', ['proxy', 'refuses connections']],
  ['ENOTFOUND', ['proxy', 'is not known by that name (ENOTFOUND)']],
  ['EAI_AGAIN', ['proxy', 'is not known by that name (EAI_AGAIN)']],
  ['ETIMEDOUT', ['proxy', 'does not answer']],
  ['CERT_HAS_EXPIRED', ['certificate', 'has a certificate that has expired']],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['certificate', 'has a certificate for another name']],
]);

/** What the error of a socket to the proxy means. */
function failure(error: unknown): TunnelFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error);
  const known = MEANINGS.get(code);
  if (known) return new TunnelFailure(...known);
  return isUntrusted(code)
    ? new TunnelFailure('certificate', `has a certificate that is not trusted (${code})`)
    : new TunnelFailure('proxy', `cannot be used (${code})`);
}

/** RFC 1928, section 3: a proxy that answers the greeting works, and accepts one of these ways to sign in. */
async function greet(socket: Socket, { username }: Proxy): Promise<void> {
  socket.write(Buffer.from(username === '' ? [5, 1, 0] : [5, 2, 0, 2]));
  const answer = await event(socket, 'data');
  const [version, method] = answer instanceof Uint8Array ? answer : [];
  if (version !== 5) throw new TunnelFailure('proxy', 'does not speak SOCKS5');
  if (method === 0xff) throw new TunnelFailure('credentials', wanted(username));
}

/** For `socks5://`, names mean what they mean on this machine. */
async function resolved(to: HostAndPort): Promise<HostAndPort> {
  try {
    return isIP(to.host) === 0 ? { ...to, host: (await lookup(to.host)).address } : to;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new TunnelFailure('name', `was not asked: the name ${to.host} is unknown on this machine${code}`);
  }
}

/** Asks an HTTP proxy for a connection (RFC 9110, section 9.3.6). Throws a `TunnelFailure` if it refuses. */
function httpTunnel(socket: Socket, proxy: Proxy, to: HostAndPort, ms: number): Promise<Socket> {
  const where = shownProxy(to);
  const client = new Client(`http://${shownProxy(proxy)}`, {
    // Not at once: undici would not notice.
    connect: (_, done) => queueMicrotask(() => done(null, socket)),
    headersTimeout: 0,
  });
  return new Promise<Socket>((resolve, reject) => {
    const fail = (failure: TunnelFailure): void => {
      clearTimeout(timer);
      reject(failure);
    };
    const timer = setTimeout(() => fail(new TunnelFailure('target', `cannot reach ${where}: no answer in time`)), ms);
    client.dispatch(
      { method: 'CONNECT', path: where, headers: ['host', where, ...credentials(proxy)] },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade: (_, status) => {
          if (status < 200 || status > 299) return fail(refusal(status, proxy, where));
          clearTimeout(timer);
          resolve(socket);
        },
        onResponseError: (_, error) =>
          fail(new TunnelFailure('proxy', `does not answer as an HTTP proxy (${errorMessage(error)})`)),
      },
    );
  });
}

function credentials({ username, password }: Proxy): readonly string[] {
  if (username === '' && password === '') return [];
  return ['proxy-authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`];
}

function refusal(status: number, { username }: Proxy, where: string): TunnelFailure {
  // tinyproxy answers 401 to a wrong password.
  if (status === 407 || status === 401) return new TunnelFailure('credentials', `${wanted(username)} (${status})`);
  const fault: TunnelFault = status === 429 || status >= 500 ? 'target' : 'forbidden';
  return new TunnelFailure(fault, `cannot reach ${where}: it answers ${status}`);
}

/** Asks a SOCKS5 proxy for a connection. Throws a `TunnelFailure` if it refuses. */
async function socksTunnel(socket: Socket, proxy: Proxy, to: HostAndPort, ms: number): Promise<Socket> {
  const { host, port, username, password } = proxy;
  const silence = setTimeout(() => socket.destroy(), Math.min(ms, SILENCE_MS));
  socket.once('data', () => clearTimeout(silence));
  try {
    await SocksClient.createConnection({
      proxy: { host, port, type: 5, ...(username !== '' && { userId: username, password }) },
      command: 'connect',
      destination: to,
      timeout: ms,
      existing_socket: socket,
    });
    return socket;
  } catch (error) {
    const message = errorMessage(error);
    if (socket.bytesRead === 0 && /socket closed|timed out/i.test(message))
      throw new TunnelFailure('proxy', 'does not answer');
    throw socksFailure(message, proxy, to);
  } finally {
    clearTimeout(silence);
  }
}

/** The reasons of RFC 1928, section 6, by the names that the library gives them. */
const REASONS: ReadonlyMap<string, readonly [fault: TunnelFault, reason: string]> = new Map([
  ['Failure', ['target', 'general failure']],
  ['NotAllowed', ['forbidden', 'its rules do not allow it']],
  ['NetworkUnreachable', ['target', 'network unreachable']],
  ['HostUnreachable', ['target', 'host unreachable']],
  ['ConnectionRefused', ['target', 'connection refused']],
  ['TTLExpired', ['target', 'no answer on the way (TTL expired)']],
  ['CommandNotSupported', ['forbidden', 'it opens no connections (command not supported)']],
  ['AddressNotSupported', ['forbidden', 'it does not support this kind of address']],
]);

function socksFailure(message: string, { username }: Proxy, to: HostAndPort): TunnelFailure {
  const where = shownProxy(to);
  const [, answer = ''] = /rejected connection - (\w+)/i.exec(message) ?? [];
  const known = REASONS.get(answer);
  if (known !== undefined) return new TunnelFailure(known[0], `cannot reach ${where}: ${known[1]}`);
  if (answer !== '') return new TunnelFailure('target', `cannot reach ${where}: unknown reason`);
  if (/no accepted auth|authentication failed|unknown auth/i.test(message))
    return new TunnelFailure('credentials', wanted(username));
  if (/timed out/i.test(message)) return new TunnelFailure('target', `cannot reach ${where}: no answer in time`);
  if (/socket closed/i.test(message)) return closedEarly(to);
  return new TunnelFailure('proxy', `does not speak SOCKS5 (${message})`);
}
