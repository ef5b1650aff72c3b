import { TLSSocket, type SecureContext } from 'node:tls';
import { buildConnector, Pool, ProxyAgent, type Dispatcher } from 'undici';
import type { ConnectionSettings } from '../model/inventory/connection.js';

/** Longer than any pause between two tasks should be; a controller that hints at less is heard. */
const KEEP_ALIVE_MS = 60_000;

/** Makes the connections to one controller, each of them when a request needs it; trusts what the context trusts. */
export function openDispatcher(
  settings: ConnectionSettings,
  proxy: string | undefined,
  secureContext: SecureContext,
): Dispatcher {
  const timeout = settings.timeout * 1000;
  const tls = { secureContext, rejectUnauthorized: settings.verifyTls, timeout };
  // The receiver keeps the time of a request as a whole, so undici's clocks for its parts stay off.
  const pool = {
    connections: settings.maxRequests,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (proxy === undefined) return new Pool(new URL(settings.url).origin, { ...pool, connect: connector(tls) });
  return new ProxyAgent({ ...pool, uri: proxy, requestTls: tls, proxyTls: { timeout } });
}

/**
 * To compare a name with the controller's certificate, Node converts the whole chain into objects that are not used: a tenth of the cost of
 * a controller. OpenSSL has already verified the chain.
 */
function connector(tls: buildConnector.BuildOptions): buildConnector.connector {
  const connect: (...args: Parameters<buildConnector.connector>) => unknown = buildConnector(tls);
  return (options, callback) => {
    const socket = connect(options, callback);
    if (socket instanceof TLSSocket) readOwnCertificateOnly(socket);
  };
}

function readOwnCertificateOnly(socket: TLSSocket): void {
  const read = socket.getPeerCertificate.bind(socket);
  Object.defineProperty(socket, 'getPeerCertificate', { value: () => read(false) });
}
