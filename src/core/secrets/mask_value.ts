import { orElse } from '../model/source/diagnostic.js';
import { isNumeric, parseJson, type WholeNumber } from '../model/values/json.js';
import { HIDDEN, jsonText, isList, isMapping, lazyEntries, LazyMapping, Unsafe } from '../model/values/value.js';
import type { Mapping, Value } from '../model/values/value.js';
import { isSecretPair, maskText } from './mask_text.js';
import { coverFor, isPublicKey, type Cover } from './names.js';
import { MASK, Secrets } from './secrets.js';

/** Maximum depth. Data from controllers may nest without end. */
export const MOST_MASKED_LEVELS = 100;

/** Masks a value, by secret values and names. @param cover what its name and those above make of it */
export function maskValue(value: Value, secrets: Secrets, cover: Cover = 'open', depth = 0): Value {
  const masked = cover !== 'open';
  if (typeof value === 'string') return masked ? maskLeaf(value) : maskText(value, secrets);
  if (isNumeric(value)) return masked || secrets.mask(String(value)) !== String(value) ? MASK : value;
  if (value === null || typeof value === 'boolean') return value;
  if (depth > MOST_MASKED_LEVELS) return '…';
  if (value instanceof Unsafe) return maskValue(value.text, secrets, cover);
  if (isList(value)) return value.map((one) => maskValue(one, secrets, cover, depth + 1));
  const mapping = value instanceof LazyMapping ? Object.fromEntries(lazyEntries(value)) : value;
  return maskMapping(mapping, secrets, cover, depth);
}

export function maskMapping(mapping: Mapping, secrets: Secrets, cover: Cover = 'open', depth = 0): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).map(([name, value]) => [
      secrets.maskName(name),
      name === DOCUMENT && typeof value === 'string' && cover === 'open'
        ? maskDocument(value, secrets)
        : maskValue(value, secrets, coverFor(name, mapping, cover), depth + 1),
    ]),
  );
}

/** What `api_request` returns if an answer is not JSON. */
const DOCUMENT = 'content';

/** Empty text is no secret; the placeholder of a controller and public keys may be shown. */
export function maskLeaf(text: string): string {
  return text === '' || text === HIDDEN || isPublicKey(text) ? text : MASK;
}

/**
 * Whether masking would not change a value, and JSON reproduces it exactly. True for most values, and far cheaper than
 * a masked copy and a comparison.
 */
export function isClear(value: Value | undefined, secrets: Secrets, cover: Cover = 'open', depth = 0): boolean {
  const masked = cover !== 'open';
  if (typeof value === 'string') return masked ? maskLeaf(value) === value : maskText(value, secrets) === value;
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number' || typeof value === 'bigint')
    return !masked && isExact(value) && secrets.mask(String(value)) === String(value);
  if (depth > MOST_MASKED_LEVELS) return false;
  if (isList(value)) return value.every((one) => isClear(one, secrets, cover, depth + 1));
  if (!isMapping(value)) return false;
  // Without a call for each name: this runs for everything that is written.
  for (const name of Object.keys(value)) if (!isClearEntry(name, value, secrets, cover, depth)) return false;
  return true;
}

/** The same for one entry, by its name, too. `among`: the mapping that contains it. */
export function isClearEntry(
  name: string,
  among: Mapping,
  secrets: Secrets,
  cover: Cover = 'open',
  depth = 0,
): boolean {
  const value = among[name];
  if (value === undefined || secrets.maskName(name) !== name) return false;
  if (name === DOCUMENT && typeof value === 'string' && cover === 'open') return maskDocument(value, secrets) === value;
  return isClear(value, secrets, coverFor(name, among, cover), depth + 1);
}

function isExact(number: WholeNumber): boolean {
  return typeof number === 'bigint' || (Number.isFinite(number) && !Object.is(number, -0));
}

/** The body of a request or an answer: by name wherever it is JSON, else as text. */
export function maskBody(body: string, secrets: Secrets): string {
  const value = parsed(body);
  return value === undefined ? maskDocument(body, secrets) : jsonText(maskValue(value, secrets));
}

/** As `maskBody`, but JSON without secrets stays as it was written: parsing loses all but the last of equal names. */
export function maskAnswer(text: string, secrets: Secrets): string {
  const value = parsed(text);
  return value !== undefined && isClear(value, secrets) ? maskText(text, secrets) : maskBody(text, secrets);
}

function parsed(body: string): Value | undefined {
  return orElse(undefined, () => parseJson(body));
}

/**
 * The texts and numbers of a value that its masked form does not show. Code that has the whole value must treat them
 * as secrets. @param shown the same value, masked; undefined if nothing is shown
 */
export function maskedTexts(whole: unknown, shown: unknown): readonly string[] {
  if (typeof whole === 'string') return whole === shown ? [] : [whole];
  if (isNumeric(whole)) return whole === shown ? [] : [String(whole)];
  if (isList(whole)) return whole.flatMap((item, at) => maskedTexts(item, isList(shown) ? shown[at] : undefined));
  if (!isMapping(whole)) return [];
  return Object.entries(whole).flatMap(([name, item]) =>
    maskedTexts(item, isMapping(shown) && Object.hasOwn(shown, name) ? shown[name] : undefined),
  );
}

const VALUE = String.raw`"[^"]*"?|'[^']*'?|\[[^\]]*\]?|\{[^{}]*\}?|(?!(?:is|no|not|was)[ \t]+\w)[^\s,;&<>"'{}[\]]+`;
/** `password: x`, `password => x`, `"passwords": ["x"` of JSON that was cut; not `password: not set`. */
const PAIR = new RegExp(
  String.raw`(?<sign>(?<quote>["']?)\b(?<name>[\w.-]{1,100})\k<quote>\s{0,9}(?:[:=]|=>)\s{0,9}(?:[uUbBrR]{0,2}\\{0,3}(?=["']))?)(?<value>${VALUE})`,
  'g',
);

/**
 * Text of another program: an error page, a log, JSON that was cut. Unlike in messages of ours, what follows the name of
 * a secret and a colon is a secret.
 */
export function maskDocument(text: string, secrets = new Secrets()): string {
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

interface FoundPair {
  readonly isSecret: boolean;
  readonly quote: string;
  /** Where the value begins. */
  readonly from: number;
  /** Where the next pair may begin: a value without a secret may be the name of one. */
  readonly end: number;
}

function next(text: string, at: number): FoundPair | undefined {
  PAIR.lastIndex = at;
  const { index = 0, groups: { sign = '', name = '', value = '' } = {} } = PAIR.exec(text) ?? {};
  if (sign === '') return undefined;
  const from = index + sign.length;
  const isSecret = isSecretPair(name, value);
  const [quote = ''] = /^["']/.exec(value) ?? [];
  return { isSecret, quote, from, end: isSecret ? from + value.length : from };
}
