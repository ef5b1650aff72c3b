import type { FailureType } from './connection_failure.js';

const CONNECT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const UNFIT = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID']);
const UNTRUSTED = /CERT|ISSUER|SELF_SIGNED|UNABLE_TO_VERIFY|CRL/;
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_ABORTED']);

/** The code of an error of the network, of OpenSSL, or of undici; its name where it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : error.name;
}

/** The kind of failure of an error; an unknown error counts as a broken connection. */
export function failureType(error: unknown): FailureType {
  const code = codeOf(error);
  if (error instanceof Error && error.message.startsWith('Proxy response')) return 'proxy';
  if (code === 'ENOTFOUND') return 'lookup';
  if (CONNECT.has(code)) return 'connect';
  if (code.startsWith('HPE_') || code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'malformed';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO' || code === 'UND_ERR_PRX_TLS') return 'tls';
  if (UNFIT.has(code)) return 'certificate';
  if (UNTRUSTED.test(code)) return 'untrusted';
  if (CLOSED.has(code)) return 'closed';
  return code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_NOT_SUPPORTED' ? 'malformed' : 'reset';
}
