import { entriesOf, isList, isMapping, LazyMapping, Unsafe, type Value } from '../model/value.js';

/** A mapping with this one key stands for what JSON has no word for; a mapping of the user's that has the key is wrapped. */
const TAG = '$';

/**
 * Values as JSON text that brings them back whole: text that is data, numbers such as NaN, and keys such as `__proto__`. Encrypted
 * text comes back decrypted, and a mapping that is made when it is asked for as a plain one. Fields that are undefined are left out.
 */
export function encode(value: unknown): string {
  return JSON.stringify(encoded(value));
}

/** @throws SyntaxError if it is no JSON, or a tag is unknown */
export function decode(text: string): Value {
  const value = JSON.parse(text) as Value;
  return text.includes(`"${TAG}":`) ? decoded(value) : value;
}

function encoded(value: unknown): unknown {
  if (typeof value === 'number') return isPlain(value) ? value : tagged('number', Object.is(value, -0) ? '-0' : value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Unsafe) return { [TAG]: ['unsafe', value.text] };
  if (value instanceof LazyMapping) return encodedEntries(entriesOf(value));
  if (isList(value)) return value.map(encoded);
  return encodedEntries(Object.entries(value));
}

function encodedEntries(entries: readonly (readonly [string, unknown])[]): unknown {
  const list = entries.filter(([, value]) => value !== undefined).map(([key, value]) => [key, encoded(value)] as const);
  return list.some(([key]) => key === TAG) ? { [TAG]: ['mapping', list] } : Object.fromEntries(list);
}

function isPlain(number: number): boolean {
  return Number.isFinite(number) && !Object.is(number, -0);
}

function tagged(tag: string, content: unknown): unknown {
  return { [TAG]: [tag, String(content)] };
}

function decoded(value: Value): Value {
  if (isList(value)) return value.map(decoded);
  if (!isMapping(value)) return value;
  if (!Object.hasOwn(value, TAG)) return decodedEntries(Object.entries(value));
  const special = value[TAG];
  const [tag, content] = isList(special) ? special : [];
  if (tag === 'unsafe' && typeof content === 'string') return new Unsafe(content);
  if (tag === 'number' && typeof content === 'string') return Number(content);
  if (tag === 'mapping' && isList(content)) return decodedEntries(content.map(pair));
  throw new SyntaxError('it holds a value of a kind that is not known');
}

function pair(value: Value): readonly [string, Value] {
  const [key, content] = isList(value) ? value : [];
  if (typeof key === 'string' && content !== undefined) return [key, content];
  throw new SyntaxError('it holds a mapping that is none');
}

/** Every key becomes an own one, also `__proto__`. */
function decodedEntries(entries: readonly (readonly [string, Value])[]): Value {
  return Object.fromEntries(entries.map(([key, value]) => [key, decoded(value)]));
}
