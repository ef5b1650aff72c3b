import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import { errorMessage } from '../../core/model/error_message.js';
import { shownProxy, type Proxy } from '../../core/model/inventory/route.js';
import type { HostAndPort } from '../transport/confinement.js';
import { closedEarly, SILENCE_MS, TunnelFailure, wanted, type TunnelFault } from './tunnel_failure.js';

/** Asks a SOCKS5 proxy for a connection. Throws a `TunnelFailure` if it refuses. */
export async function socksTunnel(socket: Socket, proxy: Proxy, to: HostAndPort, ms: number): Promise<Socket> {
  const { host, port, username, password } = proxy;
  const silence = setTimeout(() => socket.destroy(), Math.min(ms, SILENCE_MS));
  socket.once('data', () => {
    clearTimeout(silence);
  });
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
    throw failure(message, proxy, to);
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

function failure(message: string, { username }: Proxy, to: HostAndPort): TunnelFailure {
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
