import { createHmac } from 'node:crypto';
import { entriesOf, isList, isMapping, LazyMapping, Unsafe, Vaulted, type Value } from '../model/values/value.js';

const BYTES = 12;

/** A keyed digest, as base64url of 12 bytes: the same for the same value, and nobody without the key can try what it stands for. */
export function stepDigest(key: Buffer, value: Value): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(ordered(value)))
    .digest()
    .toString('base64url', 0, BYTES);
}

/** The same text for the same content, in whatever order the keys of its mappings stand. */
function ordered(value: Value): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { '': String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Unsafe) return { '': ['data', textOf(value)] };
  if (value instanceof LazyMapping) return entries(entriesOf(value));
  if (isList(value)) return value.map(ordered);
  return isMapping(value) ? entries(Object.entries(value)) : null;
}

function entries(list: readonly (readonly [string, Value])[]): unknown {
  const sorted = list.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { '': ['mapping', sorted.map(([key, value]) => [key, ordered(value)])] };
}

/** What cannot be decrypted is known by how it is encrypted. */
function textOf(value: Unsafe): string {
  try {
    return value.text;
  } catch (error) {
    if (value instanceof Vaulted) return value.envelope;
    throw error;
  }
}
