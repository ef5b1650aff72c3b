import { isAlias, isMap, isNode, isScalar, isSeq, type Alias, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { isNumeric, parseWholeNumber } from '../../core/model/values/json.js';
import { isList, isMapping, Unsafe, type Mapping, type Value } from '../../core/model/values/value.js';
import { isSecretName } from '../../core/secrets/names.js';
import { parseEnvelope } from '../vault/cipher.js';
import type { Vault } from '../vault/vault.js';
import { nodeOffset, type YamlPositions } from './positions.js';

type Draft = Record<string, Value>;

/** What to do about a damaged value. */
export const ENCRYPT_AGAIN = 'evenkeel vault encrypt-string encrypts it again';

/** Maximum size of a node with all aliases expanded: an alias bomb is small on disk and huge in memory. */
const MOST_EXPANDED_NODES = 1_000_000;
const LARGEST_GROWTH = 100;

/** Converts the nodes of one document to values, and reports nodes that have no valid value. */
export class ValueReader {
  /** Undefined while the anchored node is being read: an alias to it would contain itself. */
  readonly #anchors = new Map<string, { readonly value: Value; readonly weight: number } | undefined>();
  #weight = 0;
  #nodes = 0;
  #refused = false;

  constructor(
    private readonly positions: YamlPositions,
    private readonly diagnostics: Diagnostics,
    private readonly vault: Vault,
  ) {}

  read(node: unknown): Value {
    return this.#value(node, false);
  }

  #value(node: unknown, unsafe: boolean): Value {
    this.#nodes += 1;
    this.#weight += 1;
    if (isAlias(node)) return this.#alias(node);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    return node.anchor === undefined ? this.#content(node, unsafe) : this.#anchored(node, node.anchor, unsafe);
  }

  #anchored(node: Scalar | YAMLMap | YAMLSeq, anchor: string, unsafe: boolean): Value {
    const before = this.#weight;
    this.#anchors.set(anchor, undefined);
    const value = this.#content(node, unsafe);
    this.#anchors.set(anchor, { value, weight: this.#weight - before + 1 });
    return value;
  }

  #content(node: Scalar | YAMLMap | YAMLSeq, unsafe: boolean): Value {
    if (isScalar(node)) return this.#scalar(node, unsafe);
    const inside = unsafe || this.#meaning(node) === 'unsafe';
    return isMap(node) ? this.#mapping(node, inside) : node.items.map((item) => this.#value(item, inside));
  }

  /** Values are immutable, so an alias can share the value of its anchor. */
  #alias(node: Alias): Value {
    const anchored = this.#anchors.get(node.source);
    if (anchored === undefined) return this.#strayAlias(node);
    this.#weight += anchored.weight;
    if (this.#weight <= Math.max(MOST_EXPANDED_NODES, LARGEST_GROWTH * this.#nodes)) return anchored.value;
    if (!this.#refused) this.#error('aliases make this document too large; write it without them', node);
    this.#refused = true;
    return null;
  }

  #strayAlias(node: Alias): null {
    const known = this.#anchors.has(node.source);
    const why = known ? 'refers to a value that contains it' : `has no anchor "&${node.source}" before it`;
    this.#error(`the alias "*${node.source}" ${why}`, node);
    return null;
  }

  #scalar(node: Scalar, unsafe: boolean): Value {
    const text = String(node.value);
    const meaning = this.#meaning(node);
    if (meaning === 'vault') return this.#encrypted(text, node);
    if (isText(node, meaning)) return unsafe || meaning === 'unsafe' ? new Unsafe(text) : text;
    const value = plainScalar(text);
    return unsafe && typeof value === 'string' ? new Unsafe(value) : value;
  }

  /** Checks the envelope now, because that needs no password. The text is decrypted on first use. */
  #encrypted(text: string, node: Scalar): Value {
    const parsed = parseEnvelope(text);
    if (parsed.status === 'ok') return this.vault.value(text, () => this.positions.at(nodeOffset(node) ?? 0));
    this.#error(`this encrypted value is damaged: ${parsed.message}`, node, ENCRYPT_AGAIN);
    return null;
  }

  #meaning(node: Scalar | YAMLMap | YAMLSeq): ReturnType<typeof tagMeaning> {
    if (node.tag === undefined) return undefined;
    const meaning = tagMeaning(node);
    if (meaning === 'unknown') this.#error(`unknown tag "${node.tag}"`, node);
    return meaning;
  }

  #mapping(node: YAMLMap, unsafe: boolean): Mapping {
    const merged: Draft = {};
    const own: Draft = {};
    let merges = false;
    for (const pair of node.items) {
      if (isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN') {
        merges = true;
        this.#merge(pair.value, merged, unsafe);
        continue;
      }
      const key = this.#key(pair.key, node);
      if (key === undefined) continue;
      if (Object.hasOwn(own, key)) this.#duplicate(node, key, pair.key);
      const value = this.#value(pair.value, unsafe);
      if (isScalar(pair.value) && isDamagedSecret(key, String(pair.value.value), value)) {
        const message = `"${key}" is read as a number, whose digits differ from what is written`;
        this.diagnostics.warn(message, this.positions.at(nodeOffset(pair.value) ?? 0), 'quote it');
      }
      define(own, key, value);
    }
    return merges ? overlaid(merged, own) : own;
  }

  #key(key: unknown, map: YAMLMap): string | undefined {
    const node = isAlias(key) ? this.#alias(key) : key;
    if (typeof node === 'string') return node;
    if (isScalar(node) && !(node.type === 'PLAIN' && node.source === '')) return this.#keyText(node);
    this.#error('the name before ":" must be text', isNode(key) ? key : map);
    return undefined;
  }

  #keyText(node: Scalar): string {
    const text = String(node.value);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, { value: text, weight: 1 });
    return text;
  }

  /** Of several mappings the first wins; a later `<<` wins over an earlier one, as in PyYAML. */
  #merge(node: unknown, into: Draft, unsafe: boolean): void {
    const value = this.#value(node, unsafe);
    const sources = isList(value) ? value : [value];
    if (!sources.every(isMapping)) return this.#error('"<<" takes a mapping or a list of mappings', node);
    for (const source of sources.toReversed()) for (const [key, one] of Object.entries(source)) define(into, key, one);
  }

  #duplicate(map: YAMLMap, key: string, second: unknown): void {
    const first = map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)?.key;
    const line = this.positions.at(nodeOffset(first) ?? 0).line;
    this.#error(`duplicate key "${key}": first defined on line ${line}`, second, 'keep one of them');
  }

  #error(message: string, node: unknown, hint?: string): void {
    this.diagnostics.error(message, this.positions.at(nodeOffset(node) ?? 0), hint);
  }
}

function overlaid(under: Draft, over: Draft): Mapping {
  for (const [key, value] of Object.entries(over)) define(under, key, value);
  return under;
}

/** A key named `__proto__` is data like any other. */
function define(mapping: Draft, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(mapping, key, { value, enumerable: true, writable: true, configurable: true });
  } else mapping[key] = value;
}

type TagMeaning = 'text' | 'plain' | 'unsafe' | 'vault' | 'unknown' | undefined;

const SCALARS: ReadonlyMap<string, TagMeaning> = new Map<string, TagMeaning>([
  ['!', 'text'],
  ['tag:yaml.org,2002:str', 'text'],
  ['tag:yaml.org,2002:int', 'plain'],
  ['tag:yaml.org,2002:float', 'plain'],
  ['tag:yaml.org,2002:bool', 'plain'],
  ['tag:yaml.org,2002:null', 'plain'],
  ['!unsafe', 'unsafe'],
  ['!vault', 'vault'],
  ['!vault-encrypted', 'vault'],
]);

const COLLECTIONS: ReadonlyMap<string, TagMeaning> = new Map<string, TagMeaning>([
  ['tag:yaml.org,2002:map', 'plain'],
  ['tag:yaml.org,2002:seq', 'plain'],
  ['!unsafe', 'unsafe'],
]);

/** The type that an explicit tag asks for; undefined without a tag. */
function tagMeaning(node: Scalar | YAMLMap | YAMLSeq): TagMeaning {
  if (node.tag === undefined) return undefined;
  return (isScalar(node) ? SCALARS : COLLECTIONS).get(node.tag) ?? 'unknown';
}

/** Whether a scalar is text regardless of its content, because of quotes or a tag. */
function isText(node: Scalar, meaning: TagMeaning): boolean {
  return meaning === undefined ? node.type !== 'PLAIN' : meaning !== 'plain';
}

const WORDS = { '': null, '~': null, null: null, true: true, yes: true, on: true, false: false, no: false, off: false };
const SCALAR_WORDS: ReadonlyMap<string, Value> = new Map(Object.entries<Value>(WORDS).flatMap(spellings));
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;
const LONGEST_WORD = 5;

/** The value of an unquoted scalar: YAML 1.2's core schema, and Ansible's `yes`, `no`, `on` and `off`. */
export function plainScalar(text: string): Value {
  const first = text.charCodeAt(0);
  if (isDigitOrSign(first)) return numberOrText(text);
  if (text.length > LONGEST_WORD) return text;
  const word = SCALAR_WORDS.get(text);
  return word === undefined ? text : word;
}

/** Whether a secret is read as a number whose digits are others: `0042`, `1.50`. @param text as it is written */
export function isDamagedSecret(name: string, text: string, value: Value): boolean {
  return isNumeric(value) && String(value) !== text && name !== 'key' && isSecretName(name);
}

function isDigitOrSign(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
}

function numberOrText(text: string): Value {
  if (INTEGER.test(text)) return parseWholeNumber(text);
  if (FLOAT.test(text)) return Number(text);
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(text) ? NaN : text;
}

function spellings([word, value]: [string, Value]): [string, Value][] {
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  return [word, capital, word.toUpperCase()].map((spelling) => [spelling, value]);
}
