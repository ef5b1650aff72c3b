import { Socket, isIP } from 'node:net';
import tls, {
  TLSSocket,
  type SecureContext,
  checkServerIdentity,
  type DetailedPeerCertificate,
  type PeerCertificate,
} from 'node:tls';
import { buildConnector, Client, Pool, type Dispatcher } from 'undici';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { asError } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { ConnectionFailure } from '../exchange/call.js';
import type { OpenRoute } from '../route/open_routes.js';
import { parseHostAndPort, type HostAndPort } from './confinement.js';

/** Longer than any pause between two tasks should be. A controller can ask for less. */
const KEEP_ALIVE_MS = 60_000;

/** With another proxy to try, a TLS handshake that takes longer than this has stalled. */
const STALLED_MS = 10_000;

/**
 * Opens connections to one controller when requests need them. Trusts the authorities of the context.
 *
 * @param url without a path
 * @param onWeakness called with each weakness of an accepted certificate
 * @param onSocket called with each socket before it is connected; not with those that a proxy opened, unless they speak TLS
 */
export function openDispatcher(
  settings: ConnectionSettings,
  url: URL,
  route: OpenRoute | undefined,
  secureContext: SecureContext,
  onWeakness: (message: string) => void = () => undefined,
  onSocket: (socket: Socket) => void = () => undefined,
): Dispatcher {
  const timeout = settings.timeout * 1000;
  const isStrict = settings.verifyTls === 'strict';
  const checkServerIdentity = identityCheck(url.origin, isStrict, onWeakness);
  const rejectUnauthorized = settings.verifyTls !== false;
  const tls = { secureContext, rejectUnauthorized, timeout, checkServerIdentity, isStrict, onSocket };
  // The receiver limits the time of a whole request, so undici's timeouts for its parts are off.
  const client = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 0, bodyTimeout: 0 };
  const connections = settings.maxRequests;
  const connect = route === undefined ? connector(tls) : connectorThrough(route, parseHostAndPort(settings.url), tls);
  // A pool costs more than the one connection that most controllers get.
  return connections === 1
    ? new Client(url, { ...client, connect })
    : new Pool(url, { ...client, connections, connect });
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
            else if ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') route.silentSince(started);
            if (error !== null && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
              callback(route.closedEarly(to), null);
            else callback(...result);
          });
      },
      (error: unknown) => callback(asError(error), null),
    );
  };
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
    return getOrAdd(this.#contexts, ca, () => tls.createSecureContext(ca === undefined ? {} : { ca }));
  }
}

/** What NIST SP 800-131A and the CA/Browser Forum ask for. */
const LEAST_RSA_BITS = 2048;
const LEAST_CURVE_BITS = 224;

/**
 * Compares a certificate that a trusted authority signed with the name of the controller. Weaknesses that OpenSSL accepts
 * are refused if that is asked for, and otherwise passed to `onWeakness`.
 */
function identityCheck(
  origin: string,
  refuses: boolean,
  onWeakness: (message: string) => void,
): (host: string, certificate: PeerCertificate) => Error | undefined {
  return (host, certificate) => {
    const problem = checkServerIdentity(host, certificate);
    const weakness = problem === undefined ? findWeakness(certificate, host) : undefined;
    if (weakness === undefined) return problem;
    const { what, instead } = weakness;
    if (!refuses) {
      onWeakness(`its certificate ${what}: install one ${instead} (controller_verify_tls: strict refuses this one)`);
      return undefined;
    }
    const message = `the certificate of ${origin} ${what}, which controller_verify_tls: strict refuses`;
    return new ConnectionFailure('certificate', message, `install a certificate ${instead}`);
  };
}

interface Weakness {
  readonly what: string;
  readonly instead: string;
}

function findWeakness(certificate: PeerCertificate, host: string): Weakness | undefined {
  const own = weakKey(certificate);
  if (own !== undefined) return own;
  if (isIP(host) === 0 && !/(?:^|, )DNS:/.test(certificate.subjectaltname ?? ''))
    return { what: 'names the controller only in its common name', instead: 'with the name in subjectAltName' };
  const weak = certificateChain(certificate).find((issuer) => weakKey(issuer) !== undefined);
  if (weak === undefined) return undefined;
  const { what = '' } = weakKey(weak) ?? {};
  return { what: `is signed by ${String(weak.subject.CN)}, which ${what}`, instead: 'of another authority' };
}

function weakKey({ bits, modulus }: PeerCertificate): Weakness | undefined {
  const isRsa = modulus !== undefined;
  const least = isRsa ? LEAST_RSA_BITS : LEAST_CURVE_BITS;
  if (bits === undefined || bits >= least) return undefined;
  const kind = isRsa ? 'an RSA key' : 'a key';
  return { what: `has ${kind} of only ${bits} bits`, instead: `with at least ${least} bits` };
}

/** Those that were read: only with the whole chain. The last is its own issuer. */
function certificateChain(certificate: PeerCertificate | DetailedPeerCertificate): readonly PeerCertificate[] {
  const issuer = 'issuerCertificate' in certificate ? certificate.issuerCertificate : undefined;
  return issuer === undefined || issuer === certificate ? [] : [issuer, ...certificateChain(issuer)];
}
