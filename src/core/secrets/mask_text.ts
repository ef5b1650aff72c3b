import { areAsciiLines, withoutInvisible } from '../model/invisible.js';
import { maskCommands, maskProse } from './mask_prose.js';
import { isPluralOfSecret, isSecretName, NAME_FIELDS, VALUE_FIELDS } from './names.js';
import { withoutEscapes } from './readings.js';
import { isOwnWord, MASK, type Secrets } from './secrets.js';

declare const mark: unique symbol;

/** What the mask has returned. Nothing else makes it, so what requires it cannot get anything that was not masked. */
export type Masked<T> = T & { readonly [mark]: true };

/** Most text contains none of these, so only known values and URLs need to be searched for. */
const TELLING = 'pass|secret|token|key|auth|cookie|credential|pw|psk|otp|bearer|communit';
/** Or an option with a user and a password: `-u admin:x`. */
const SUSPICIOUS = new RegExp(String.raw`${TELLING}|(?<![\w-])(?:-u|--(?:proxy-)?user)(?!\w*-)`, 'i');
/** Before a quote in Python: `u'x'`, `b"x"`. */
const PREFIX = '[uUbBrR]{0,2}';
/** In a connection string, a value ends where the next pair or the text does, even after spaces. */
const CONNECTION_VALUE = String.raw`(?:[^;&"'\n]|&(?![\w.-]+=)){1,200}`;
const BEFORE_PAIR = String.raw`(?<=(?:^|[\n"'(;]\s?)[\w.-]+=)${CONNECTION_VALUE}(?=;\s?[\w.-]+ ?[\w.-]*=)`;
const LAST = String.raw`(?<=;\s?[\w.-]+=)${CONNECTION_VALUE}(?=;?[^\S\n]{0,9}(?:$|["'\n]))`;
const QUERY_VALUE = String.raw`${BEFORE_PAIR}|${LAST}|"[^"]*"?|'[^']*'?|[^&;,\s"']+`;
/**
 * Consumes the value only after a name that can mark a secret, because values can contain pairs:
 * `url=https://lb1/?token=…`. A template is not a secret.
 */
const QUERY = new RegExp(
  String.raw`(^|[?&;,:({\s"'])([\w.-]{0,100}(?:${TELLING})[\w.-]{0,100})(=>\s?|=)(?:(${PREFIX})\\{0,3}(?=["']))?(?!\{\{)(${QUERY_VALUE})`,
  'gi',
);
const SCHEMES = 'basic|bearer|token|apikey|negotiate|ntlm|jwt';
const HEADER = new RegExp(
  String.raw`(authorization["']?\s*(?:=>|[:=])\s*(?:${PREFIX}\\{0,3}["'])?)(?:(${SCHEMES})\s+)?[^\s"',\\]+`,
  'gi',
);
/**
 * In a URL, the password before the last `@`; one that is not encoded may contain `/`, `?` and `#`. A port before a path
 * is none.
 */
export const URL_PASSWORD = String.raw`(?!\/\/|\d{1,5}[/?#]|[\da-fA-F:.]*\])(?:[^/?#\s"'<>]{1,500}|[^/\s@]{1,500}|(?:(?!:\/\/)[^\s@"'<>]){1,500})`;
export const USER_INFO = new RegExp(String.raw`(:\/\/[^/\s:]{0,200}:)${URL_PASSWORD}@`, 'g');

/**
 * Free text: secrets by value, and what looks like `"password": "…"`, `token=…`, an Authorization header or a URL with
 * credentials.
 */
export function maskText(text: string, secrets: Secrets): Masked<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mask makes this type
  return (secrets.isKnownClear(text) ? text : maskAnew(text, secrets)) as Masked<string>;
}

function maskAnew(text: string, secrets: Secrets): string {
  const known = secrets.mask(text);
  const shown = areAsciiLines(known) ? withoutNamed(known) : withoutNamedBehind(known);
  if (shown === text) secrets.noteClear(text);
  return shown;
}

/**
 * The name of a play, task or handler. A task without a name has that of its module, so the words of Evenkeel stay
 * readable.
 */
export function maskTitle(title: string, secrets: Secrets): string {
  return isOwnWord(title) ? title : maskText(title, secrets);
}

/** Invisible characters in a name must not hide it; if nothing was masked, all of them stay. */
function withoutNamedBehind(masked: string): string {
  const shown = withoutNamed(masked);
  const visible = withoutInvisible(shown);
  const hidden = visible === shown ? shown : withoutNamed(visible);
  return hidden === visible ? shown : hidden;
}

function withoutNamed(text: string): string {
  const named = SUSPICIOUS.test(text) ? maskPairs(text) : text;
  return named.includes('://') ? named.replace(USER_INFO, `$1${MASK}@`) : named;
}

/** JSON in HTML in a form. */
const MOST_LEVELS = 3;

/** If a secret shows only where escapes are undone, all of them are: such a text is hard to read anyway. */
function maskPairs(text: string): string {
  let shown = maskForms(text);
  let reading = shown;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const next = withoutEscapes(reading);
    if (next === reading) break;
    reading = maskForms(next);
    if (reading !== next) shown = reading;
  }
  return shown;
}

function maskForms(text: string): string {
  const shown = maskMarkup(maskQueries(maskQuotedPairs(text.replace(HEADER, withoutCredentials))));
  return maskProse(maskCommands(shown));
}

/** A pair in a URL, a form or a connection string (`user=a&password=…`, `Server=x;Password=…`). */
export function maskQueries(text: string): string {
  return text.replace(
    QUERY,
    (_all, before: string, name: string, sign: string, prefix: string | undefined, value: string) => {
      const shown = name !== 'key' && isSecretName(name) ? MASK : maskQueries(value);
      return `${before}${name}${sign}${prefix ?? ''}${shown}`;
    },
  );
}

function withoutCredentials(_all: string, before: string, scheme: string | undefined): string {
  return `${before}${scheme === undefined ? '' : `${scheme} `}${MASK}`;
}

interface Patterns {
  /** `"name": value`. */
  readonly pair: RegExp;
  /** The output of `dict2items`: `"key": "name", "value": value`. */
  readonly entry: RegExp;
  /** In Python: `[('name', value)]`. */
  readonly tuple: RegExp;
}

const SECRET_FIELD_NAMES = [...NAME_FIELDS].join('|');
const VALUES = [...VALUE_FIELDS].join('|');
const PLAIN = patterns(String.raw`["']`, String.raw`(?!\k<quote>)[^\\]|\\.`);
/** Inside of a quoted text: three backslashes before a quote make it part of the inner text. */
const ESCAPED = patterns(String.raw`\\["']`, String.raw`\\{3}["']|(?!\k<quote>)(?:\\.|[^\\])`);
const VALUE_FOLLOWS = new RegExp(String.raw`^\s*,\s*${PREFIX}\\?["'](?:${VALUES})\\?["']\s*:`);

/**
 * Each character of a value can be matched in one way only; otherwise, text from a controller could make the search
 * take exponential time. Text that was cut may lack the closing quote.
 */
function patterns(quotes: string, character: string): Patterns {
  const quote = `(?<quote>${quotes})`;
  // Python takes other quotes for a value that contains the usual ones.
  const inner = character.replace('<quote>', '<open>');
  const ends = String.raw`(?<open>${quotes})(?:(?:${inner})*\k<open>|(?:(?!…)(?:${inner}))*\\?(?=…|$))`;
  const colon = String.raw`\k<quote>\s*(?::|=>)\s*${PREFIX}`;
  const name = String.raw`${quote}(?:${SECRET_FIELD_NAMES})${colon}\k<quote>(?<name>(?:${character})*)\k<quote>`;
  const list = String.raw`\[[^\]]{0,2000}\]?`;
  const value = String.raw`${ends}|${list}|\{[^}]{0,2000}\}?|-?[\d.]+`;
  const next = String.raw`\s*,\s*${PREFIX}`;
  return {
    pair: new RegExp(String.raw`(?<before>${quote}(?<name>[\w.-]+)${colon})(?<value>${ends}|${list}|\d+)`, 'gs'),
    entry: new RegExp(String.raw`(?<before>${name}${next}\k<quote>(?:${VALUES})${colon})(?<value>${value})`, 'gs'),
    tuple: new RegExp(
      String.raw`(?<=[[(,]\s{0,3})(?<before>\(\s*${PREFIX}${quote}(?<name>[\w.-]+)\k<quote>${next})(?<value>${ends}|${list}|\d+)`,
      'gs',
    ),
  };
}

/** Masks the values after names of secrets in JSON, and in similar text. */
function maskQuotedPairs(text: string): string {
  const shown = text.replaceAll(GROUP, maskMembers);
  const masked = (done: string, { pair, entry, tuple }: typeof PLAIN): string =>
    maskPair(maskPair(maskFound(done, entry, isSecretPair), pair), tuple);
  return [PLAIN, ESCAPED].reduce(masked, shown);
}

function maskPair(text: string, pair: RegExp): string {
  return maskFound(text, pair, (name, value, end) => {
    const namesAnother = name === 'key' && VALUE_FOLLOWS.test(text.slice(end, end + 100));
    return isSecretPair(name, value) && !namesAnother;
  });
}

export function isSecretPair(name: string, value: string): boolean {
  return isSecretName(name) || (/^[[{]/.test(value) && isPluralOfSecret(name));
}

type IsSecret = (name: string, value: string, end: number) => boolean;

/** The search continues inside a value that is not a secret: it may contain pairs in other quotes. */
function maskFound(text: string, pattern: RegExp, isSecret: IsSecret): string {
  let result = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { before = '', name = '', value = '', quote = '', open = quote } = found.groups ?? {};
    const from = found.index + before.length;
    if (isSecret(name, value, pattern.lastIndex)) {
      result += text.slice(done, from) + open + MASK + open;
      done = pattern.lastIndex;
    } else pattern.lastIndex = from;
  }
  return result + text.slice(done);
}

/** `{"value": "x", "code": 3, "field": "password"}`, in any order. */
const GROUP = /\{[^{}]*\}?/g;
const NAME_IN_GROUP = new RegExp(
  String.raw`(["'])(?:${SECRET_FIELD_NAMES})\1\s*:\s*${PREFIX}(["'])(?<name>[^"'\\]{1,100})\2`,
  'g',
);
const VALUE_IN_GROUP = new RegExp(
  String.raw`((["'])(?:${VALUES})\2\s*:\s*${PREFIX})(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|-?[\d.]+)`,
  'gs',
);

function maskMembers(group: string): string {
  const names = [...group.matchAll(NAME_IN_GROUP)].map(({ groups }) => groups?.['name'] ?? '');
  return names.some(isSecretName) ? group.replaceAll(VALUE_IN_GROUP, `$1$2${MASK}$2`) : group;
}

const PAIR_NAME = String.raw`(?<name>[\w.-]{1,100})`;
const LABELS = `td|th|dt|b|strong|label|code|span|${SECRET_FIELD_NAMES}`;
/** `<password>x</password>` */
const ELEMENT = new RegExp(
  String.raw`(?<before><(?:[\w.-]{1,100}:)?${PAIR_NAME}(?:\s[^<>]*)?>(?:<!\[CDATA\[)?)(?<value>[^<]+)`,
  'g',
);
/** `<td>password</td><td>x</td>` */
const CELL = new RegExp(
  String.raw`(?<before><(?:${LABELS})\b[^<>]*>\s{0,9}${PAIR_NAME}\s{0,9}:?(?:\s{0,9}<[^<>]*>){1,5}[\s:]{0,9})(?<value>[^<]+)`,
  'gi',
);
const TAG = /<[^<>]*>/g;
/** `<input name="password" value="x">` */
const NAMED = new RegExp(String.raw`\b(?:id|${SECRET_FIELD_NAMES})\s{0,9}=\s{0,9}["']?${PAIR_NAME}`, 'i');
const ATTRIBUTE = /(?<before>\bvalue\s{0,9}=\s{0,9})(?:"[^"]*"?|'[^']*'?|[^\s"'>]+)/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g;

/** Masks private keys, and in HTML and XML what follows the name of a secret: elements, cells of tables, inputs. */
function maskMarkup(text: string): string {
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
