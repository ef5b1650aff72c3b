import { errorMessage } from '../../core/model/source/diagnostic.js';
import { ConnectionFailure, type FailureType } from '../exchange/call.js';

/** Where a request went, for messages. */
export interface FailedDestination {
  readonly origin: string;
  /** `route madrid` */
  readonly through: string | undefined;
  /** Whether `controller_ca_file` is set, or Ansible's name of it. */
  readonly hasOwnAuthorities?: boolean;
}

export function destinationText({ origin, through }: FailedDestination): string {
  return through === undefined ? origin : `${origin} through ${through}`;
}

/** Describes an error of the network, of TLS or of the HTTP parser. */
export function networkFailure(error: unknown, destination: FailedDestination): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error;
  const type = failureType(error);
  const [message, hint] = words(type, error, destination);
  return new ConnectionFailure(type, message, hint, { cause: plain(error) });
}

/** Errors of libraries can contain sockets and requests, so only their messages are kept. */
function plain(error: unknown): Error {
  const message = errorMessage(error);
  return new Error(message === '' ? networkErrorCode(error) : message);
}

type Words = readonly [message: string, hint?: string];

function words(type: FailureType, error: unknown, destination: FailedDestination): Words {
  const code = networkErrorCode(error);
  const certificate = `the certificate of ${destination.origin}`;
  const to = destinationText(destination);
  switch (type) {
    case 'connect':
      return noConnection(to, code);
    case 'lookup':
      return [`no connection to ${to}: the name is unknown (${code})`, 'check the name in controller_url'];
    case 'untrusted':
      return [`${certificate} is not trusted (${code})`, untrustedHint(code, destination)];
    case 'certificate':
      return certificateWords(code, error, certificate);
    case 'tls':
      return [`no TLS connection to ${to} (${code})`, tlsHint(error)];
    case 'malformed':
      if (code === 'UND_ERR_HEADERS_OVERFLOW') return ['the headers of the answer are too large'];
      return ['the answer is not HTTP', 'is there a controller at this address and port?'];
    case 'reset':
      return [brokenText(to, code)];
    case 'closed':
    case 'local':
      return ['aborted because the run was interrupted'];
    case 'proxy':
    case 'timeout':
    case 'oversized':
    case 'refused':
    case 'throttled':
      return [errorMessage(error)];
  }
}

function noConnection(to: string, code: string): [message: string, hint: string] {
  const why = code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timed out' : code;
  return [`no connection to ${to} (${why})`, 'is the controller up, and are the address and port right?'];
}

function untrustedHint(code: string, { hasOwnAuthorities = false }: FailedDestination): string {
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return `it signed itself: if it is the one of the controller, ${hasOwnAuthorities ? 'add it to its CA file' : 'name a copy of it in controller_ca_file'}`;
  return hasOwnAuthorities
    ? 'the CA file of the controller does not have the authority that signed it: add it there if you trust it'
    : 'name the authority that signed it in controller_ca_file';
}

function brokenText(to: string, code: string): string {
  return `the connection to ${to} broke before the answer was complete (${code})`;
}

/** An error before the connection was ready for a request, such as a break in the TLS handshake: nothing was sent. */
export function neverOpened(error: Error, to: string): Error {
  if (error instanceof ConnectionFailure || failureType(error) !== 'reset') return error;
  return new ConnectionFailure('connect', ...noConnection(to, networkErrorCode(error)), { cause: plain(error) });
}

/**
 * An error of TLS on a connection that was open: what is on the way broke it, and a request may have arrived. Undefined
 * for other errors.
 */
export function brokenTls(error: Error, to: string): ConnectionFailure | undefined {
  const code = networkErrorCode(error);
  if (!isTls(code)) return undefined;
  const hint = wantsCertificate(error) ? tlsHint(error) : undefined;
  return new ConnectionFailure('reset', brokenText(to, code), hint, { cause: plain(error) });
}

/** Whether a server refused the connection for want of a client certificate. With TLS 1.3, the handshake is over for the client by then. */
export function wantsCertificate(error: unknown): boolean {
  return /^ERR_SSL_\w*_ALERT_\w*CERTIFICATE/.test(networkErrorCode(error));
}

function isTls(code: string): boolean {
  return code.startsWith('ERR_SSL_') || code === 'EPROTO';
}

function tlsHint(error: unknown): string {
  const code = networkErrorCode(error);
  if (code.includes('PROTOCOL_VERSION')) return 'the controller speaks only old versions of TLS: allow TLS 1.2 there';
  if (wantsCertificate(error))
    return 'the controller wants a client certificate, which Evenkeel does not send: let it accept connections without one';
  return code.includes('HANDSHAKE_FAILURE')
    ? 'the controller may allow only weak ciphers, or want a client certificate, which Evenkeel does not send'
    : 'does this port speak HTTPS?';
}

/** Describes a certificate that would be invalid even if its authority were trusted. */
function certificateWords(code: string, error: unknown, certificate: string): Words {
  if (code === 'CERT_HAS_EXPIRED')
    return [
      `${certificate} has expired`,
      'renew it on the controller itself, or in a run with "-e controller_verify_tls=false --limit NAME" once you have compared its fingerprint; or is the clock of this machine wrong?',
    ];
  if (code === 'CERT_NOT_YET_VALID')
    return [`${certificate} is not valid yet`, 'check the clocks of the controller and of this machine'];
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? otherName(error, certificate) : unusableWords(error, certificate);
}

/** OpenSSL has more words for certificates that it refuses than Node has codes. */
function unusableWords(error: unknown, certificate: string): Words {
  const message = errorMessage(error);
  if (message.includes('digest algorithm too weak'))
    return [
      `${certificate}, or of its authority, is signed with an algorithm that can be forged, such as SHA-1`,
      'have it signed again with SHA-256',
    ];
  if (message.includes('key too weak'))
    return [
      `${certificate}, or of its authority, has a key that is too short`,
      'replace it by one with an RSA key of at least 2048 bits',
    ];
  if (message.includes('unsuitable certificate purpose'))
    return [
      `${certificate} is not for a server, or was signed by one that is not of an authority`,
      'have it issued as a server certificate (extendedKeyUsage: serverAuth) by a certificate authority',
    ];
  return [`${certificate} cannot be used: ${message}`, 'replace the certificate of the controller'];
}

/** An IP address is compared with subjectAltName only, and a name with the common name if there is no subjectAltName. */
function otherName(error: unknown, certificate: string): Words {
  const names = namesIn(error);
  if (names === undefined)
    return [
      `${certificate} does not carry its name or address, and has no subjectAltName at all`,
      'install a certificate with the name or IP address of controller_url in subjectAltName',
    ];
  const hint = 'write a name that the certificate carries in controller_url';
  return [`${certificate} is for another name (${names})`, hint];
}

function namesIn(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('cert' in error)) return undefined;
  const { cert } = error;
  if (typeof cert !== 'object' || cert === null || !('subjectaltname' in cert)) return undefined;
  return typeof cert.subjectaltname === 'string' ? cert.subjectaltname : undefined;
}

const CONNECT = new Set(
  'ECONNREFUSED EHOSTUNREACH ENETUNREACH EHOSTDOWN EADDRNOTAVAIL ETIMEDOUT EAI_AGAIN UND_ERR_CONNECT_TIMEOUT'.split(
    ' ',
  ),
);
/** Node has no code for many reasons of OpenSSL to refuse a certificate. */
const UNFIT = new Set(
  (
    'CERT_HAS_EXPIRED CERT_NOT_YET_VALID ERR_TLS_CERT_ALTNAME_INVALID INVALID_CA INVALID_PURPOSE ' +
    'PATH_LENGTH_EXCEEDED UNSPECIFIED'
  ).split(' '),
);
const UNTRUSTED = /CERT|ISSUER|SELF_SIGNED|UNABLE_TO_VERIFY|CRL/;
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_ABORTED']);

/** Whether a certificate was refused because no trusted authority signed it, by the code of the error. */
export function isUntrusted(code: string): boolean {
  return UNTRUSTED.test(code);
}

/** The code of an error of the network, of OpenSSL or of undici; the error's name if it has no code. */
function networkErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? networkErrorCode(error.cause) : error.name;
}

/** Whether the connection had been open: then a request may have arrived. */
function isUnderWay(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write');
}

/** The kind of failure of an error; an unknown error counts as a broken connection. */
function failureType(error: unknown): FailureType {
  const code = networkErrorCode(error);
  if (code === 'ENOTFOUND') return 'lookup';
  if (CONNECT.has(code)) return isUnderWay(error) ? 'reset' : 'connect';
  if (code.startsWith('HPE_') || code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'malformed';
  if (isTls(code)) return 'tls';
  if (UNFIT.has(code)) return 'certificate';
  if (isUntrusted(code)) return 'untrusted';
  if (CLOSED.has(code)) return 'closed';
  return code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_NOT_SUPPORTED' ? 'malformed' : 'reset';
}
