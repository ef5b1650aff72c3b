import { Socket } from 'node:net';
import tls, { TLSSocket, type SecureContext } from 'node:tls';
import { buildConnector, Client, Pool, type Dispatcher } from 'undici';
import { asError } from '../../core/model/error_message.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection.js';
import type { OpenRoute } from '../route/open_routes.js';
import { parseHostAndPort, type HostAndPort } from './confinement.js';
import { identityCheck } from './server_identity.js';

/** Longer than any pause between two tasks should be. A controller can ask for less. */
const KEEP_ALIVE_MS = 60_000;

/** With another proxy to try, a TLS handshake that takes longer than this has stalled. */
const STALLED_MS = 10_000;

/**
 * Opens connections to one controller when requests need them. Trusts the authorities of the context.
 *
 * @param onWeakness called with each weakness of an accepted certificate
 * @param onSocket called with each socket before it is connected; not with those that a proxy opened, unless they speak TLS
 */
export function openDispatcher(
  settings: ConnectionSettings,
  route: OpenRoute | undefined,
  secureContext: SecureContext,
  onWeakness: (message: string) => void = () => undefined,
  onSocket: (socket: Socket) => void = () => undefined,
): Dispatcher {
  const timeout = settings.timeout * 1000;
  const { origin } = new URL(settings.url);
  const isStrict = settings.verifyTls === 'strict';
  const checkServerIdentity = identityCheck(origin, isStrict, onWeakness);
  const tls = {
    secureContext,
    rejectUnauthorized: settings.verifyTls !== false,
    timeout,
    checkServerIdentity,
    isStrict,
    onSocket,
  };
  // The receiver limits the time of a whole request, so undici's timeouts for its parts are off.
  const client = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 0, bodyTimeout: 0 };
  const connections = settings.maxRequests;
  const connect = route === undefined ? connector(tls) : connectorThrough(route, parseHostAndPort(settings.url), tls);
  // A pool costs more than the one connection that most controllers get.
  return connections === 1
    ? new Client(origin, { ...client, connect })
    : new Pool(origin, { ...client, connections, connect });
}

type TlsOptions = buildConnector.BuildOptions & {
  readonly timeout: number;
  /** Whether the whole chain is checked. */
  readonly isStrict: boolean;
  readonly onSocket: (socket: Socket) => void;
};

/** Opens a tunnel, then speaks TLS with the controller: the proxy sees neither names nor credentials in it. */
function connectorThrough(route: OpenRoute, to: HostAndPort, tls: TlsOptions): buildConnector.connector {
  const { timeout } = tls;
  const encrypt = connector({ ...tls, timeout: route.hasAlternatives ? Math.min(timeout, STALLED_MS) : timeout });
  return (options, callback) => {
    void route.open(to, timeout).then(
      (socket) => {
        const started = performance.now();
        if (options.protocol !== 'https:') callback(null, socket);
        else
          encrypt({ ...options, httpSocket: socket }, (...result) => {
            const [error] = result;
            if (error === null) route.arrived();
            else if (isTimeout(error)) route.silentSince(started);
            if (error !== null && isBreak(error)) callback(route.closedEarly(to), null);
            else callback(...result);
          });
      },
      (error: unknown) => {
        callback(asError(error), null);
      },
    );
  };
}

function isTimeout(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT';
}

function isBreak(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/**
 * To compare a name with the controller's certificate, Node converts the whole chain into objects that are not used: a
 * tenth of the cost of a controller. OpenSSL has already verified the chain, but for short keys.
 */
function connector({ isStrict, onSocket, ...tls }: TlsOptions): buildConnector.connector {
  const connect: (...args: Parameters<buildConnector.connector>) => unknown = buildConnector(tls);
  return (options, callback) => {
    const socket = connect(options, callback);
    if (!isStrict && socket instanceof TLSSocket) readOwnCertificateOnly(socket);
    if (socket instanceof Socket) onSocket(socket);
  };
}

function readOwnCertificateOnly(socket: TLSSocket): void {
  const read = socket.getPeerCertificate.bind(socket);
  Object.defineProperty(socket, 'getPeerCertificate', { value: () => read(false) });
}

/** One context for all controllers that trust the same authorities: making one costs more than a handshake. */
export class SecureContexts {
  readonly #contexts = new Map<string | undefined, tls.SecureContext>();

  /**
   * The trusted authorities, in order: the controller's (PEM text), then those of this machine. Tried one after the
   * other, because reading the default roots takes as long as a short run, and few controllers need both.
   */
  trust(ca: string | undefined): readonly (() => tls.SecureContext)[] {
    const usual = (): tls.SecureContext => this.#context(undefined);
    return ca === undefined ? [usual] : [() => this.#context(ca), usual];
  }

  #context(ca: string | undefined): tls.SecureContext {
    const known = this.#contexts.get(ca);
    if (known !== undefined) return known;
    const made = tls.createSecureContext(ca === undefined ? {} : { ca });
    this.#contexts.set(ca, made);
    return made;
  }
}
