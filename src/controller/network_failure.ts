import { ConnectionFailure, type FailureType } from './connection_failure.js';

/** Where a request went, for messages: origins only, so no credentials of a proxy. */
export interface Destination {
  readonly origin: string;
  readonly proxy: string | undefined;
}

/** Words an error of the network, of TLS or of the HTTP parser. */
export function networkFailure(error: unknown, destination: Destination): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error;
  const code = codeOf(error);
  const type = typeOf(code, error);
  const { message, hint } = words(type, code, error, destination);
  return new ConnectionFailure(type, message, hint, { cause: plain(error, code) });
}

/** Errors of libraries may hold sockets and requests; only their words are kept. */
function plain(error: unknown, code: string): Error {
  return new Error(error instanceof Error && error.message !== '' ? error.message : code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : error.name;
}

const CONNECT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EAI_AGAIN',
]);
const CERTIFICATE = /CERT|ISSUER|SELF_SIGNED|HOSTNAME_MISMATCH|UNABLE_TO_VERIFY|CRL/;

function typeOf(code: string, error: unknown): FailureType {
  if (error instanceof Error && error.message.startsWith('Proxy response')) return 'proxy';
  if (code === 'ENOTFOUND') return 'lookup';
  if (CONNECT.has(code) || code === 'UND_ERR_CONNECT_TIMEOUT') return 'connect';
  if (code.startsWith('HPE_') || code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'malformed';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO' || code === 'UND_ERR_PRX_TLS') return 'tls';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED' || code === 'UND_ERR_ABORTED') return 'closed';
  if (code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_NOT_SUPPORTED') return 'malformed';
  return 'reset';
}

interface Words {
  readonly message: string;
  readonly hint?: string;
}

function words(type: FailureType, code: string, error: unknown, destination: Destination): Words {
  const to =
    destination.proxy === undefined
      ? destination.origin
      : `${destination.origin} through the proxy ${destination.proxy}`;
  switch (type) {
    case 'connect':
      return {
        message: `no connection to ${to} (${connectReason(code)})`,
        hint: 'is the controller up, and are the address and port right?',
      };
    case 'lookup':
      return {
        message: `no connection to ${to}: the name is unknown (${code})`,
        hint: 'check the name in controller_url',
      };
    case 'certificate':
      return certificateWords(code, error, destination);
    case 'tls':
      return { message: `no TLS connection to ${to} (${code})`, hint: 'does this port speak HTTPS?' };
    case 'proxy':
      return {
        message: `the proxy ${destination.proxy ?? ''} answered ${/\d+/.exec(messageOf(error))?.[0] ?? 'no'} when asked for ${destination.origin}`,
        hint: 'does the proxy want credentials, and may it reach the controller?',
      };
    case 'malformed':
      return { message: 'the answer is not HTTP', hint: 'is there a controller at this address and port?' };
    case 'reset':
      return { message: `the connection to ${to} broke before the answer was complete (${code})` };
    case 'closed':
      return { message: 'given up: the run was interrupted' };
    case 'timeout':
    case 'oversized':
      return { message: messageOf(error) };
  }
}

function connectReason(code: string): string {
  return code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timed out' : code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function certificateWords(code: string, error: unknown, { origin }: Destination): Words {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return { message: `the certificate of ${origin} has expired`, hint: 'renew the certificate of the controller' };
    case 'CERT_NOT_YET_VALID':
      return {
        message: `the certificate of ${origin} is not valid yet`,
        hint: 'check the clocks of the controller and of this machine',
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        message: `the certificate of ${origin} is for another name${names(error)}`,
        hint: 'write a name that the certificate carries in controller_url',
      };
    default:
      return {
        message: `the certificate of ${origin} is not trusted (${code})`,
        hint: 'name the authority that signed it in controller_ca_file',
      };
  }
}

function names(error: unknown): string {
  if (!(error instanceof Error) || !('cert' in error)) return '';
  const { cert } = error;
  if (typeof cert !== 'object' || cert === null || !('subjectaltname' in cert)) return '';
  return ` (${String(cert.subjectaltname)})`;
}
