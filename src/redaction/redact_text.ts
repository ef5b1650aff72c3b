import { isSecretName } from '../model/secret_names.js';
import { MASK, type Secrets } from '../model/secrets.js';
import { redactQuotedPairs } from './quoted_pairs.js';

/** Most text names nothing secret: then there is nothing to look for but values, and in URLs. */
const SUSPICIOUS = /pass|secret|token|key|authori|cookie|credential/i;
const QUERY = /(^|[?&;,\s"'])([\w.-]+)=([^&;,\s"']+)/g;
const HEADER = /(authorization["']?\s*[:=]\s*["']?)(?:(basic|bearer)\s+)?[^\s"',]+/gi;
const USER_INFO = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g;

/** Free text: secrets by value, and what looks like `"password": "…"`, `token=…`, an Authorization header or a URL with credentials. */
export function redactText(text: string, secrets: Secrets): string {
  if (secrets.isKnownClear(text)) return text;
  const masked = secrets.mask(text);
  const named = SUSPICIOUS.test(masked) ? redactPairs(masked) : masked;
  const shown = named.includes('://') ? named.replace(USER_INFO, `$1${MASK}@`) : named;
  if (shown === text) secrets.noteClear(text);
  return shown;
}

function redactPairs(text: string): string {
  const headless = text.replace(
    HEADER,
    (_all, before: string, scheme: string | undefined) => `${before}${scheme === undefined ? '' : `${scheme} `}${MASK}`,
  );
  return redactQuotedPairs(headless).replace(QUERY, (all, before: string, name: string) =>
    name !== 'key' && isSecretName(name) ? `${before}${name}=${MASK}` : all,
  );
}
