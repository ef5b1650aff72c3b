import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Source } from '../../core/model/source/source.js';
import { mapValues, isList, isMapping, Unsafe, type Value } from '../../core/model/values/value.js';
import { parseEnvelope } from '../vault/cipher.js';
import type { Vault } from '../vault/vault.js';

/** The keys for `!vault` and `!unsafe` in JSON, as ansible-inventory prints them. */
const VAULT = '__ansible_vault';
const UNSAFE = '__ansible_unsafe';

type Path = readonly (string | number)[];

/** Whether a text is JSON with these keys. As in Ansible, they have no meaning in other YAML. */
export function hasJsonTags(text: string): boolean {
  if (!text.includes(`"${VAULT}"`) && !text.includes(`"${UNSAFE}"`)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface JsonTagReading {
  readonly vault: Vault;
  readonly diagnostics: Diagnostics;
  readonly locate: (path: Path) => Source;
}

/** A JSON value in which every `{"__ansible_vault": …}` is an encrypted value, and `{"__ansible_unsafe": …}` is text. */
export function untagged(value: Value, reading: JsonTagReading, path: Path = []): Value {
  if (isList(value)) return value.map((one, index) => untagged(one, reading, [...path, index]));
  if (!isMapping(value)) return value;
  const unsafe = Object.hasOwn(value, UNSAFE) ? value[UNSAFE] : undefined;
  if (typeof unsafe === 'string') return new Unsafe(unsafe);
  const envelope = Object.hasOwn(value, VAULT) ? value[VAULT] : undefined;
  if (typeof envelope === 'string') return encrypted(envelope, reading, [...path, VAULT]);
  return mapValues(value, (one, key) => untagged(one, reading, [...path, key]));
}

function encrypted(envelope: string, { vault, diagnostics, locate }: JsonTagReading, path: Path): Value {
  const parsed = parseEnvelope(envelope);
  if (parsed.status === 'ok') return vault.value(envelope, () => locate(path));
  diagnostics.error(`this encrypted value is damaged: ${parsed.message}`, locate(path));
  return null;
}
