import { areAsciiLines, withoutInvisible } from '../model/invisible.js';
import { isOwnWord } from '../model/own_words.js';
import { isSecretName } from '../model/secret_names.js';
import { MASK, type Secrets } from '../model/secrets.js';
import { redactQuotedPairs } from './quoted_pairs.js';

/** Most text names nothing secret: then there is nothing to look for but values, and in URLs. */
const TELLING = 'pass|secret|token|key|auth|cookie|credential|pw|psk|otp|bearer|communit';
const SUSPICIOUS = new RegExp(TELLING, 'i');
const QUERY_VALUE = String.raw`"[^"]*"?|'[^']*'?|[^&;,\s"']+`;
/** Only a name that may be one of a secret takes its value: in `url=https://lb1/?token=…` a second pair is in that of the first. A template is no secret. */
const QUERY = new RegExp(
  String.raw`(^|[?&;,\s"'])([\w.-]{0,100}(?:${TELLING})[\w.-]{0,100})=(?!\{\{)(?:${QUERY_VALUE})`,
  'gi',
);
const HEADER = /(authorization["']?\s*[:=]\s*["']?)(?:(basic|bearer)\s+)?[^\s"',]+/gi;
export const USER_INFO = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g;

/** Free text: secrets by value, and what looks like `"password": "…"`, `token=…`, an Authorization header or a URL with credentials. */
export function redactText(text: string, secrets: Secrets): string {
  if (secrets.isKnownClear(text)) return text;
  const masked = secrets.mask(text);
  const shown = areAsciiLines(masked) ? withoutNamed(masked) : withoutNamedBehind(masked);
  if (shown === text) secrets.noteClear(text);
  return shown;
}

/** The name of a play, task or handler: a task without one has that of its module, so a word of Evenkeel's own stays readable. */
export function redactTitle(title: string, secrets: Secrets): string {
  return isOwnWord(title) ? title : redactText(title, secrets);
}

/** What is invisible in a name must not hide it; where nothing was hidden, all of it stays. */
function withoutNamedBehind(masked: string): string {
  const shown = withoutNamed(masked);
  const visible = withoutInvisible(shown);
  const hidden = visible === shown ? shown : withoutNamed(visible);
  return hidden === visible ? shown : hidden;
}

function withoutNamed(text: string): string {
  const named = SUSPICIOUS.test(text) ? redactPairs(text) : text;
  return named.includes('://') ? named.replace(USER_INFO, `$1${MASK}@`) : named;
}

function redactPairs(text: string): string {
  return redactQueries(redactQuotedPairs(text.replace(HEADER, withoutCredentials)));
}

/** A pair in a URL, a form or a connection string (`user=a&password=…`, `Server=x;Password=…`). */
export function redactQueries(text: string): string {
  return text.replace(QUERY, (all, before: string, name: string) =>
    name !== 'key' && isSecretName(name) ? `${before}${name}=${MASK}` : all,
  );
}

function withoutCredentials(_all: string, before: string, scheme: string | undefined): string {
  return `${before}${scheme === undefined ? '' : `${scheme} `}${MASK}`;
}
