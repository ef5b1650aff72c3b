import { isSecretName } from './names.js';
import { MASK } from './secrets.js';

const NAME = String.raw`(?<name>[\w.-]{1,100})`;
const LABELS = 'td|th|dt|b|strong|label|code|span|name|key';
/** `<password>x</password>` */
const ELEMENT = new RegExp(
  String.raw`(?<before><(?:[\w.-]{1,100}:)?${NAME}(?:\s[^<>]*)?>(?:<!\[CDATA\[)?)(?<value>[^<]+)`,
  'g',
);
/** `<td>password</td><td>x</td>` */
const CELL = new RegExp(
  String.raw`(?<before><(?:${LABELS})\b[^<>]*>\s{0,9}${NAME}\s{0,9}:?(?:\s{0,9}<[^<>]*>){1,5}[\s:]{0,9})(?<value>[^<]+)`,
  'gi',
);
const TAG = /<[^<>]*>/g;
/** `<input name="password" value="x">` */
const NAMED = new RegExp(String.raw`\b(?:name|id|key)\s{0,9}=\s{0,9}["']?${NAME}`, 'i');
const ATTRIBUTE = /(?<before>\bvalue\s{0,9}=\s{0,9})(?:"[^"]*"?|'[^']*'?|[^\s"'>]+)/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g;

/** Masks private keys, and in HTML and XML what follows the name of a secret: elements, cells of tables, inputs. */
export function maskMarkup(text: string): string {
  const shown = text.includes('-----BEGIN ') ? text.replaceAll(PRIVATE_KEY, MASK) : text;
  if (!shown.includes('<')) return shown;
  return [ELEMENT, CELL].reduce(maskValues, shown).replaceAll(TAG, maskAttributes);
}

function maskValues(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (all, before: string, name: string, value: string) =>
    isSecretName(name) && value.trim() !== '' ? before + MASK : all,
  );
}

function maskAttributes(tag: string): string {
  const name = NAMED.exec(tag)?.groups?.['name'] ?? '';
  return isSecretName(name) ? tag.replaceAll(ATTRIBUTE, `$<before>"${MASK}"`) : tag;
}
