import { isReadBack, parseJson } from './json.js';
import { entriesUnread, isStoring, StoredValue, storing } from './stored.js';
import { jsonText, isList, isMapping, lazyEntries, LazyMapping, Unsafe, type Value } from './value.js';

/** A mapping with only this key encodes a value that JSON cannot express. A user's mapping with this key is wrapped. */
const TAG = '$';

/**
 * Encodes values as JSON text without loss: text that is data, numbers such as NaN, and keys such as `__proto__`.
 * Encrypted text decodes as decrypted text, and a computed mapping as a plain one. Omits undefined fields. Of a stored
 * value, writes only the name of its file.
 */
export function encode(value: unknown): string {
  return jsonText(isOrdinary(value) ? value : encoded(value));
}

export type FindStored = (digest: string, size: number) => StoredValue;

/** @param find absent: there are no stored values @throws SyntaxError if the text is not JSON, or a tag is unknown */
export function decode(text: string, find?: FindStored): Value {
  const value = parseJson(text);
  return text.includes(`"${TAG}":`) ? new Decoder(find).decoded(value) : value;
}

/** Whether JSON preserves the value. */
function isOrdinary(value: unknown): boolean {
  if (typeof value === 'number') return isReadBack(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isOrdinary);
  if (value instanceof Unsafe || value instanceof LazyMapping || value instanceof StoredValue || isStoring(value))
    return false;
  return Object.entries(value).every(([name, item]) => name !== TAG && isOrdinary(item));
}

function encoded(value: unknown): unknown {
  if (typeof value === 'number')
    return isReadBack(value) ? value : { [TAG]: ['number', String(Object.is(value, -0) ? '-0' : value)] };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Unsafe) return { [TAG]: ['unsafe', value.text] };
  if (value instanceof StoredValue) return { [TAG]: ['stored', value.digest, value.size] };
  if (value instanceof LazyMapping) return encodedEntries(lazyEntries(value));
  if (isList(value)) return value.map(encoded);
  return isMapping(value) ? encodedEntries(entriesUnread(value)) : value;
}

function encodedEntries(entries: readonly (readonly [string, unknown])[]): unknown {
  const list = entries.filter(([, value]) => value !== undefined).map(([key, value]) => [key, encoded(value)] as const);
  return list.some(([key]) => key === TAG) ? { [TAG]: ['mapping', list] } : Object.fromEntries(list);
}

class Decoder {
  constructor(private readonly find: FindStored | undefined) {}

  decoded(value: Value): Value {
    const content = this.#unread(value);
    return content instanceof StoredValue ? content.read() : content;
  }

  /** A stored value is read when its entry is looked up. */
  #unread(value: Value): Value | StoredValue {
    if (isList(value)) return value.map((item) => this.decoded(item));
    if (!isMapping(value)) return value;
    if (!Object.hasOwn(value, TAG)) return this.#entries(Object.entries(value));
    const special = value[TAG];
    const [tag, content, size] = isList(special) ? special : [];
    if (tag === 'unsafe' && typeof content === 'string') return new Unsafe(content);
    if (tag === 'number' && typeof content === 'string') return Number(content);
    if (tag === 'mapping' && isList(content)) return this.#entries(content.map(pair));
    if (tag === 'stored' && typeof content === 'string' && typeof size === 'number' && this.find !== undefined)
      return this.find(content, size);
    throw new SyntaxError('a value has an unknown type');
  }

  /** Defines every key as an own one, including `__proto__`. */
  #entries(entries: readonly (readonly [string, Value])[]): Value {
    return storing(entries.map(([key, value]) => [key, this.#unread(value)]));
  }
}

function pair(value: Value): readonly [string, Value] {
  const [key, content] = isList(value) ? value : [];
  if (typeof key === 'string' && content !== undefined) return [key, content];
  throw new SyntaxError('a value is not a mapping');
}
