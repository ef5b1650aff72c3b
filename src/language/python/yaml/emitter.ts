import { isNumeric, type WholeNumber } from '../../../core/model/values/json.js';
import {
  isList,
  isMapping,
  LazyMapping,
  Unsafe,
  Vaulted,
  type Mapping,
  type Value,
} from '../../../core/model/values/value.js';
import { pythonNumber, sortedNames } from '../representation.js';
import { chooseStyle, hasBreak, type ScalarPosition } from './types.js';
import { YamlWriter } from './writer.js';

/** In bytes; longer keys get a separate line after "?". */
const LONGEST_NAME = 128;

/** Options of PyYAML's `dump`. */
export interface YamlLayout {
  /** Blanks a level. */
  readonly indent: number;
  /** Texts are folded beyond this column. Below zero: never. */
  readonly width: number;
  /** Lists and mappings of scalars are written on one line. */
  readonly flow: boolean;
  readonly sortKeys: boolean;
  /** Lists and mappings that appear several times are written once, with an alias everywhere else. */
  readonly aliases: boolean;
}

/** PyYAML's defaults. */
const DEFAULT_LAYOUT: YamlLayout = { indent: 2, width: 80, flow: false, sortKeys: true, aliases: true };

/** YAML as PyYAML with libyaml writes it, to the character. Vaulted texts stay encrypted. */
export function yamlText(value: Value, layout: YamlLayout = DEFAULT_LAYOUT): string {
  const emitter = new Emitter(value, layout);
  emitter.node(value, 'root');
  return `${emitter.text}\n`;
}

type Context = 'root' | 'value' | 'item';
type Scalar = Exclude<Value, readonly Value[] | Mapping>;

class Emitter {
  readonly #writer: YamlWriter;
  readonly #flow: boolean;
  readonly #listNames: (mapping: Mapping) => readonly string[];
  /** Anchors of values that appear several times. */
  readonly #anchors: ReadonlyMap<object, string>;
  readonly #written = new Set<object>();

  constructor(root: Value, { indent, width, flow, sortKeys, aliases }: YamlLayout) {
    this.#writer = new YamlWriter(indent, width);
    this.#flow = flow;
    this.#listNames = sortKeys ? sortedNames : Object.keys;
    this.#anchors = aliases ? anchorsIn(root, this.#listNames) : new Map();
  }

  get text(): string {
    return this.#writer.text;
  }

  node(value: Value, context: Context): void {
    if (isList(value) || isMapping(value)) this.#collection(value, context);
    else this.#scalar(value, BLOCK_VALUE);
  }

  #collection(value: readonly Value[] | Mapping, context: Context): void {
    const anchor = this.#anchors.get(value);
    if (this.#written.has(value) && anchor !== undefined) return this.#writer.indicator(`*${anchor}`, true);
    this.#written.add(value);
    if (anchor !== undefined) this.#writer.indicator(`&${anchor}`, true);
    if (isList(value)) this.#list(value, context);
    else this.#mapping(value);
  }

  #list(items: readonly Value[], context: Context): void {
    if (items.length === 0) return this.#writer.indicator('[]', true);
    if (this.#flow && items.every(isPlainScalar))
      return this.#inFlow('[', ']', items, (item) => this.#scalar(item, FLOW_VALUE));
    // A list below a name is not indented.
    const deeper = context !== 'value' || this.#writer.indented;
    this.#inside(deeper, false, () => {
      for (const item of items) {
        this.#writer.newLine();
        this.#writer.indicator('-', true, true);
        this.node(item, 'item');
      }
    });
  }

  #mapping(mapping: Mapping): void {
    const names = this.#listNames(mapping);
    if (names.length === 0) return this.#writer.indicator('{}', true);
    const entries = names.map((name) => [name, mapping[name] ?? null] as const);
    if (this.#flow && entries.every(isPlainEntry))
      return this.#inFlow('{', '}', entries, ([name, value]) => {
        this.#flowName(name);
        this.#scalar(value, FLOW_VALUE);
      });
    this.#inside(true, false, () => {
      for (const [name, value] of entries) {
        this.#name(name);
        this.node(value, 'value');
      }
    });
  }

  #name(name: string): void {
    this.#writer.newLine();
    if (isSimple(name)) {
      this.#scalar(name, { key: true, flow: false });
      return this.#writer.indicator(':', false);
    }
    this.#writer.indicator('?', true, true);
    this.#scalar(name, BLOCK_VALUE);
    this.#writer.newLine();
    this.#writer.indicator(':', true, true);
  }

  #flowName(name: string): void {
    const simple = isSimple(name);
    if (!simple) this.#writer.indicator('?', true);
    this.#scalar(name, { key: simple, flow: true });
    if (!simple) this.#writer.newLineIfFull();
    this.#writer.indicator(':', !simple);
  }

  #inFlow<T>(open: string, close: string, items: readonly T[], write: (item: T) => void): void {
    this.#inside(true, true, () => {
      this.#writer.open(open);
      for (const [index, item] of items.entries()) {
        if (index > 0) this.#writer.indicator(',', false);
        this.#writer.newLineIfFull();
        write(item);
      }
      this.#writer.indicator(close, false);
    });
  }

  #scalar(value: Scalar, position: ScalarPosition): void {
    this.#inside(true, true, () => {
      if (value instanceof Vaulted) this.#writer.literal('!vault', value.envelope);
      else this.#writer[scalarStyle(value, position)](scalarText(value), !position.key);
    });
  }

  #inside(deeper: boolean, inline: boolean, write: () => void): void {
    const before = this.#writer.indent;
    if (deeper) this.#writer.deepen(inline);
    write();
    this.#writer.indent = before;
  }
}

const BLOCK_VALUE: ScalarPosition = { key: false, flow: false };
const FLOW_VALUE: ScalarPosition = { key: false, flow: true };

function isSimple(name: string): boolean {
  return !hasBreak(name) && Buffer.byteLength(name) <= LONGEST_NAME;
}

function isPlainScalar(value: Value): value is Scalar {
  return !isList(value) && !isMapping(value) && !(value instanceof Vaulted);
}

function isPlainEntry(entry: readonly [name: string, value: Value]): entry is readonly [string, Scalar] {
  return isPlainScalar(entry[1]);
}

function scalarStyle(value: Scalar, position: ScalarPosition): ReturnType<typeof chooseStyle> {
  return typeof value === 'string' || value instanceof Unsafe ? chooseStyle(scalarText(value), position) : 'plain';
}

function scalarText(value: Scalar): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (isNumeric(value)) return numberText(value);
  if (value instanceof Unsafe) return value.text;
  return value instanceof LazyMapping ? '{}' : String(value);
}

function numberText(value: WholeNumber): string {
  if (typeof value === 'bigint') return String(value);
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  const text = pythonNumber(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

/** Numbered in the order of their second appearance. */
function anchorsIn(root: Value, listNames: (mapping: Mapping) => readonly string[]): ReadonlyMap<object, string> {
  const met = new Set<object>();
  const anchors = new Map<object, string>();
  const visit = (value: Value): void => {
    if (!isList(value) && !isMapping(value)) return;
    if (met.has(value)) {
      if (!anchors.has(value)) anchors.set(value, `id${String(anchors.size + 1).padStart(3, '0')}`);
      return;
    }
    met.add(value);
    if (isList(value)) value.forEach(visit);
    else for (const name of listNames(value)) visit(value[name] ?? null);
  };
  visit(root);
  return anchors;
}
