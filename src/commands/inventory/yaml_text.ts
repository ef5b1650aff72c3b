import { isList, LazyMapping, Unsafe, Vaulted, type Mapping, type Value } from '../../model/value.js';
import { pythonNumber } from './python_number.js';
import { sortedNames } from './sorted_names.js';
import { hasBreak, styleOf } from './yaml_style.js';
import { YamlWriter } from './yaml_writer.js';

const STEP = 2;
/** In bytes; longer names get a line of their own behind "?". */
const LONGEST_NAME = 128;

/**
 * YAML as ansible-inventory (PyYAML with libyaml) lays it out: names sorted, lists not indented below their name, and a list or
 * mapping that stands in several places written once, with an alias everywhere else.
 */
export function yamlText(value: Value): string {
  const emitter = new Emitter(value);
  emitter.node(value, 'root');
  return `${emitter.text}\n`;
}

type Context = 'root' | 'name' | 'value' | 'item';

class Emitter {
  readonly #writer = new YamlWriter();
  /** Names of what stands in several places. */
  readonly #anchors: ReadonlyMap<object, string>;
  readonly #written = new Set<object>();
  #depth = 0;

  constructor(root: Value) {
    this.#anchors = anchorsIn(root);
  }

  get text(): string {
    return this.#writer.text;
  }

  node(value: Value, context: Context): void {
    if (isCollection(value)) this.#shared(value, context);
    else this.#scalar(value, context);
  }

  #shared(value: readonly Value[] | Mapping, context: Context): void {
    const anchor = this.#anchors.get(value);
    if (this.#written.has(value) && anchor !== undefined) {
      this.#writer.indicator(`*${anchor}`, true);
      return;
    }
    this.#written.add(value);
    if (anchor !== undefined) this.#writer.indicator(`&${anchor}`, true);
    if (isList(value)) this.#list(value, context);
    else this.#mapping(value);
  }

  #list(items: readonly Value[], context: Context): void {
    if (items.length === 0) {
      this.#writer.indicator('[]', true);
      return;
    }
    const deeper = !(context === 'value' && !this.#writer.indented);
    this.#inside(deeper, () => {
      for (const item of items) {
        this.#writer.newLine();
        this.#writer.indicator('-', true, true);
        this.node(item, 'item');
      }
    });
  }

  #mapping(mapping: Mapping): void {
    const names = sortedNames(mapping);
    if (names.length === 0) {
      this.#writer.indicator('{}', true);
      return;
    }
    this.#inside(true, () => {
      for (const name of names) {
        this.#name(name);
        this.node(mapping[name] ?? null, 'value');
      }
    });
  }

  #name(name: string): void {
    this.#writer.newLine();
    if (!hasBreak(name) && Buffer.byteLength(name) <= LONGEST_NAME) {
      this.#scalar(name, 'name');
      this.#writer.indicator(':', false);
      return;
    }
    this.#writer.indicator('?', true, true);
    this.#scalar(name, 'value');
    this.#writer.newLine();
    this.#writer.indicator(':', true, true);
  }

  #scalar(value: Exclude<Value, readonly Value[] | Mapping>, context: Context): void {
    const before = this.#writer.indent;
    this.#writer.indent = this.#depth === 0 ? STEP : before + STEP;
    const split = context !== 'name';
    if (value instanceof Vaulted) this.#writer.literal('!vault', value.envelope);
    else this.#text(value, split);
    this.#writer.indent = before;
  }

  #text(value: Exclude<Value, readonly Value[] | Mapping>, split: boolean): void {
    const text = scalarText(value);
    const style = typeof value === 'string' || value instanceof Unsafe ? styleOf(text, !split) : 'plain';
    this.#writer[style](text, split);
  }

  /** The root's content is not indented. */
  #inside(deeper: boolean, write: () => void): void {
    const before = this.#writer.indent;
    if (deeper && this.#depth > 0) this.#writer.indent += STEP;
    this.#depth += 1;
    write();
    this.#depth -= 1;
    this.#writer.indent = before;
  }
}

function scalarText(value: Exclude<Value, readonly Value[] | Mapping>): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (value instanceof Unsafe) return value.text;
  return value instanceof LazyMapping ? '{}' : String(value);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  const text = pythonNumber(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

function isCollection(value: Value): value is readonly Value[] | Mapping {
  return typeof value === 'object' && value !== null && !(value instanceof Unsafe) && !(value instanceof LazyMapping);
}

/** Numbered in the order in which they are met for the second time. */
function anchorsIn(root: Value): ReadonlyMap<object, string> {
  const met = new Set<object>();
  const anchors = new Map<object, string>();
  const visit = (value: Value): void => {
    if (!isCollection(value)) return;
    if (met.has(value)) {
      if (!anchors.has(value)) anchors.set(value, `id${String(anchors.size + 1).padStart(3, '0')}`);
      return;
    }
    met.add(value);
    if (isList(value)) value.forEach(visit);
    else for (const name of sortedNames(value)) visit(value[name] ?? null);
  };
  visit(root);
  return anchors;
}
