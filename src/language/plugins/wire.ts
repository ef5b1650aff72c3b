import { toWholeNumber } from '../../core/model/values/json.js';
import { isList, isMapping, LazyMapping, mapValues, Unsafe, type Value } from '../../core/model/values/value.js';
import { TemplateError } from '../runtime/errors.js';
import { PythonObject } from '../runtime/plugins.js';
import { asString, asText, evaluatePlain, Undefined, type Result } from '../runtime/result.js';

type WireValue = null | boolean | number | string | readonly WireValue[] | { readonly [key: string]: WireValue };

/** What JSON lacks is `{"$": TYPE, "v": VALUE}`, as in `bridge.py`. Remembers the types of lists and mappings from Python. */
export class Wire {
  /** The form in which Python sent it. */
  readonly #types = new WeakMap<object, { readonly $: string; readonly keys?: readonly WireValue[] }>();
  /** The number of objects that arrived so far. */
  objects = 0;

  encode(result: Result): WireValue {
    if (result instanceof Undefined)
      return result.items === undefined
        ? { $: 'undefined', v: result.explain().undefinedName ?? 'it' }
        : result.items.map((one) => this.encode(one));
    const value = evaluatePlain(result);
    if (value instanceof PythonObject) return { $: 'object', v: value.data };
    if (typeof value === 'bigint') return { $: 'int', v: String(value) };
    if (typeof value === 'number' && !Number.isFinite(value)) return { $: 'float', v: asString(value) };
    const type = typeof value === 'object' && value !== null ? this.#types.get(value) : undefined;
    if (isList(value)) {
      const items = value.map((one) => this.encode(one));
      return type === undefined ? items : { $: type.$, v: items };
    }
    if (value instanceof Unsafe) return value.text;
    if (!isMapping(value)) return value instanceof LazyMapping ? {} : value;
    const { keys } = type ?? {};
    if (keys === undefined && !Object.hasOwn(value, '$')) return mapValues(value, (one) => this.encode(one));
    const known = (key: string, index: number) => (keys === undefined ? key : (keys[index] ?? null));
    return { $: 'dict', v: Object.entries(value).map(([key, one], index) => [known(key, index), this.encode(one)]) };
  }

  decode(wire: unknown): Result {
    if (isList(wire)) return wire.map((one) => this.#value(one));
    if (!isMapping(wire)) return scalar(wire);
    const { $: type, v: given, t: text } = wire;
    if (typeof type !== 'string') return mapValues(wire, (one) => this.#value(one));
    if (type === 'int') return toWholeNumber(BigInt(asText(given ?? null)));
    if (type === 'float') return given === 'nan' ? NaN : given === 'inf' ? Infinity : -Infinity;
    if (type === 'undefined') {
      const undefinedName = asText(given ?? null);
      return new Undefined(() => new TemplateError(`"${undefinedName}" is not defined`, { undefinedName }));
    }
    if (type === 'object') {
      this.objects += 1;
      return new PythonObject(asText(text ?? null), asText(given ?? null));
    }
    const list = isList(given) ? given : [];
    return type === 'dict' ? this.#mapping(list) : this.#typed(type, list);
  }

  #value(wire: unknown): Value {
    const value = this.decode(wire);
    if (value instanceof Undefined) throw new TemplateError('it returned a list or mapping with undefined values');
    return value;
  }

  #typed(type: string, given: readonly unknown[]): Value {
    const list = given.map((one) => this.#value(one));
    this.#types.set(list, { $: type });
    return list;
  }

  /** Keys become texts, but the mapping keeps those of Python for other plugins. */
  #mapping(pairs: readonly Value[]): Value {
    const read = pairs.map((pair) => (isList(pair) ? pair : []));
    const names = read.map(([, , name]) => asText(name ?? null));
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new TemplateError(`it returned a mapping with two keys that read "${twice}"`);
    const mapping = Object.fromEntries(read.map(([, one], index) => [names[index] ?? '', this.#value(one)]));
    const order = Object.keys(mapping);
    const keys = order.map((name) => read[names.indexOf(name)]?.[0] ?? null);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came from JSON
    this.#types.set(mapping, { $: 'dict', keys: keys as readonly WireValue[] });
    return mapping;
  }
}

function scalar(wire: unknown): Value {
  if (wire === null || typeof wire === 'string' || typeof wire === 'boolean' || typeof wire === 'number') return wire;
  return null;
}

/** The value with the text of each object in it. */
export function withObjectTexts(value: Value): Value {
  if (value instanceof PythonObject) return value.text;
  if (isList(value)) return value.map(withObjectTexts);
  return isMapping(value) ? mapValues(value, withObjectTexts) : value;
}
