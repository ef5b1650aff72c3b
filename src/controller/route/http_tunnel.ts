import type { Socket } from 'node:net';
import { Client } from 'undici';
import { errorMessage } from '../../core/model/error_message.js';
import { shownProxy, type Proxy } from '../../core/model/inventory/route.js';
import type { HostAndPort } from '../transport/confinement.js';
import { TunnelFailure, wanted, type TunnelFault } from './tunnel_failure.js';

/** Asks an HTTP proxy for a connection (RFC 9110, section 9.3.6). Throws a `TunnelFailure` if it refuses. */
export function httpTunnel(socket: Socket, proxy: Proxy, to: HostAndPort, ms: number): Promise<Socket> {
  const where = shownProxy(to);
  const client = new Client(`http://${shownProxy(proxy)}`, {
    // Not at once: undici would not notice.
    connect: (_, done) => {
      queueMicrotask(() => {
        done(null, socket);
      });
    },
    headersTimeout: 0,
  });
  return new Promise<Socket>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TunnelFailure('target', `cannot reach ${where}: no answer in time`));
    }, ms);
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    client.dispatch(
      { method: 'CONNECT', path: where, headers: ['host', where, ...credentials(proxy)] },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade: (_, status) => {
          done(() => {
            if (status >= 200 && status < 300) resolve(socket);
            else reject(refusal(status, proxy, where));
          });
        },
        onResponseError: (_, error) => {
          done(() => {
            reject(new TunnelFailure('proxy', `does not answer as an HTTP proxy (${errorMessage(error)})`));
          });
        },
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
