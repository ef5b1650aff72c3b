import { maskText } from './mask_text.js';
import { isPluralOfSecret, isSecretName } from './names.js';
import { MASK, type Secrets } from './secrets.js';

const VALUE = String.raw`"[^"]*"?|'[^']*'?|\[[^\]]*\]?|\{[^{}]*\}?|[^\s,;&<>"'{}[\]]+`;
/** `password: x`, `password => x`, `"passwords": ["x"` of JSON that was cut. */
const PAIR = new RegExp(
  String.raw`(?<sign>(?<quote>["']?)\b(?<name>[\w.-]{1,100})\k<quote>\s{0,9}(?:[:=]|=>)\s{0,9})(?<value>${VALUE})`,
  'g',
);

/**
 * Text of another program: an error page, a log, JSON that was cut. Unlike in messages of ours, what follows the name of
 * a secret and a colon is a secret.
 */
export function maskDocument(text: string, secrets: Secrets): string {
  const shown = maskText(text, secrets);
  let masked = '';
  let done = 0;
  for (let found = next(shown, 0); found !== undefined; found = next(shown, found.end)) {
    if (!found.isSecret) continue;
    masked += shown.slice(done, found.from) + found.quote + MASK + found.quote;
    done = found.end;
  }
  return masked + shown.slice(done);
}

interface Found {
  readonly isSecret: boolean;
  readonly quote: string;
  /** Where the value begins. */
  readonly from: number;
  /** Where the next pair may begin: a value without a secret may be the name of one. */
  readonly end: number;
}

function next(text: string, at: number): Found | undefined {
  PAIR.lastIndex = at;
  const { index = 0, groups: { sign = '', name = '', value = '' } = {} } = PAIR.exec(text) ?? {};
  if (sign === '') return undefined;
  const from = index + sign.length;
  const isSecret = isSecretName(name) || (/^[[{]/.test(value) && isPluralOfSecret(name));
  const [quote = ''] = /^["']/.exec(value) ?? [];
  return { isSecret, quote, from, end: isSecret ? from + value.length : from };
}
