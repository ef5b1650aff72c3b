/** RFC 9110, section 5.6.2: names of headers, cookies and methods. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that Evenkeel or the connection sets. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'content-length',
  'content-type',
  'transfer-encoding',
]);

/** Headers with a meaning of their own, for servers or for what is between, which a version, a tenant or a token must not replace. */
const WITH_MEANING: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'user-agent', 'cookie', 'set-cookie', 'referer', 'origin'],
  ...['content-encoding', 'range', 'te', 'trailer', 'via', 'date', 'if-match', 'if-none-match', 'proxy-connection'],
  ...[
    'x-http-method-override',
    'x-http-method',
    'x-method-override',
    'x-requested-with',
    'forwarded',
    'x-forwarded-for',
  ],
  ...[
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-original-url',
    'x-rewrite-url',
    'if-modified-since',
    'if-unmodified-since',
  ],
]);

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether users may set a header of this name. */
export function isFreeHeader(name: string): boolean {
  return isToken(name) && !OF_CONNECTION.has(name.toLowerCase());
}

/** Whether a header of this name may carry a version, a tenant or a token. */
export function isTraitHeader(name: string): boolean {
  return isFreeHeader(name) && !WITH_MEANING.has(name.toLowerCase());
}
