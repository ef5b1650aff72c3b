import { isNumeric } from '../../core/model/values/json.js';
import {
  jsonText,
  entry,
  isList,
  isMapping,
  lazyEntries,
  LazyMapping,
  mapValues,
  Unsafe,
} from '../../core/model/values/value.js';
import type { Value } from '../../core/model/values/value.js';
import { parseLiteral } from '../python/literal.js';
import { pythonNumber } from '../python/representation.js';
import { TemplateError } from './errors.js';

/** The result of an expression. */
export type Result = Value | Undefined;

/**
 * The value of an expression that names something undefined. `default` and `defined` accept it, everything else raises it (Ansible:
 * a strict undefined whose attributes are undefined, too).
 */
export class Undefined {
  constructor(
    /** Makes the error that names the missing variable and similar names. Called only when the message is needed. */
    readonly explain: () => TemplateError,
    /** The value that replaces it in output, as in Ansible: `x if y` without `else` is empty text. */
    readonly substitute?: Value,
    /** The items, if it is a list with undefined items: `map(attribute="tls")`. */
    readonly items?: readonly Result[],
  ) {}
}

/** Whether it is undefined as a whole. */
export function isUndefined(result: Result): result is Undefined {
  return result instanceof Undefined && result.items === undefined;
}

export function isValue(result: Result): result is Value {
  return !(result instanceof Undefined);
}

/** The list of these items; if some are undefined, only filters that accept undefined items may use it. */
export function toListResult(items: readonly Result[]): Result {
  if (items.every(isValue)) return items;
  const [missing] = items.filter((one) => one instanceof Undefined);
  return missing === undefined ? [] : new Undefined(missing.explain, undefined, items);
}

/** The value, or the error that names what is undefined. */
export function requireDefined(result: Result): Value {
  if (!(result instanceof Undefined)) return result;
  if (result.substitute !== undefined) return result.substitute;
  throw result.explain();
}

class Omit extends LazyMapping {
  #uses = 0;

  /** How often templates have used it. Lists and mappings are searched for it only after they did. */
  get uses(): number {
    return this.#uses;
  }

  use(): this {
    this.#uses += 1;
    return this;
  }

  get(): undefined {
    return undefined;
  }

  keys(): readonly string[] {
    return [];
  }
}

/** The value of the variable `omit`: a key or list item with this value is left out, as if it had never been written. */
export const OMIT = new Omit();

/** The value without the keys and items that are `omit`. */
export function withoutOmitted(value: Value): Value {
  if (isList(value)) return value.filter((one) => one !== OMIT).map(withoutOmitted);
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).filter(([, one]) => one !== OMIT);
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutOmitted(one)]));
}

/** What leaves the templates as text cannot be left out any more. */
export function refuseOmit(): never {
  const hint = 'omit must be the whole value: "{{x | default(omit)}}"';
  throw new TemplateError('omit must be the whole value', { hint });
}

/** How a value appears in the middle of a text, as in Ansible: `True` and `False`, null as nothing. Lists and mappings are JSON. */
export function asText(value: Value): string {
  return value === null ? '' : asString(value);
}

/** Python's `str()`, which filters and `~` apply to values that are not text: null is `None`. Lists and mappings are JSON. */
export function asString(value: Value): string {
  if (typeof value === 'string') return value;
  if (isNumeric(value)) return pythonNumber(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  return value instanceof Unsafe ? value.text : jsonText(evaluateLazy(value, refuseOmit));
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map(Object.entries({ True: true, False: false }));

/** As in Ansible, text from a template becomes a list, a mapping, true or false if it reads like one. */
export function converted(text: string): Value {
  return (/^[[{]/.test(text) ? parseLiteral(text, 'of JSON too')?.value : BOOLEANS.get(text)) ?? text;
}

/** The name of a value as a key of a mapping: keys are text, spelled as in JSON and YAML. */
export function asKey(value: Value): string {
  return typeof value === 'boolean' || value === null ? String(value) : asString(value);
}

/** A description of a value, for messages: `a text`, `the number 5`. Quotes no text: it may be a secret that nothing masks yet. */
export function describe(value: Value): string {
  if (value === null) return 'null';
  if (value === OMIT) return 'omit';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  if (isNumeric(value)) return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Unsafe) return describe(value.text);
  return isList(value) ? 'a list' : 'a mapping';
}

/** The value one step inside another: an own key, an index from either end, `length`. Never anything inherited. */
export function step(value: Value, part: string): Value | undefined {
  if (isMapping(value)) return entry(value, part);
  if (value instanceof LazyMapping) return value.get(part);
  if (isList(value)) return part === 'length' ? value.length : at(part, (index) => value.at(index));
  if (typeof value !== 'string') return undefined;
  return part === 'length' ? countCharacters(value) : at(part, (index) => characterAt(value, index));
}

/** The value at a path. */
export function walk(start: Value, parts: readonly string[]): Value | undefined {
  let value: Value | undefined = start;
  for (const part of parts) {
    if (value === undefined) return undefined;
    value = step(value, part);
  }
  return value;
}

const INDEX = /^-?\d+$/;

function at(part: string, item: (index: number) => Value | undefined): Value | undefined {
  return INDEX.test(part) ? item(Number(part)) : undefined;
}

/** The keys that `step` finds, for messages. */
export function listKeys(value: Value): readonly string[] {
  if (isMapping(value)) return Object.keys(value);
  return value instanceof LazyMapping ? [...value.keys()] : [];
}

/** The value, with every lazy mapping but `omit` evaluated now. */
export function evaluateLazy(value: Value, omit: () => Value = keepOmit): Value {
  if (value === OMIT) return omit();
  if (value instanceof LazyMapping)
    return Object.fromEntries(lazyEntries(value).map(([key, one]) => [key, evaluateLazy(one, omit)]));
  if (isList(value)) return value.some(holdsLazy) ? value.map((one) => evaluateLazy(one, omit)) : value;
  if (!isMapping(value) || !holdsLazy(value)) return value;
  return mapValues(value, (one) => evaluateLazy(one, omit));
}

/** The same for another program, or for JavaScript. */
export function evaluatePlain(value: Value): Value {
  const evaluated = evaluateLazy(value);
  return holdsLazy(evaluated) ? evaluateLazy(withoutOmitted(evaluated), refuseOmit) : evaluated;
}

function keepOmit(): Value {
  return OMIT;
}

function holdsLazy(value: Value): boolean {
  if (value instanceof LazyMapping) return true;
  if (isList(value)) return value.some(holdsLazy);
  return isMapping(value) && Object.values(value).some(holdsLazy);
}

/** Surrogates. Most texts have none, so each character is one UTF-16 unit. */
const PAIRS = /[\ud800-\udfff]/;

/** The characters as Python counts them: an emoji is one. */
export function characters(text: string): readonly string[] {
  return PAIRS.test(text) ? Array.from(text) : text.split('');
}

export function countCharacters(text: string): number {
  return PAIRS.test(text) ? Array.from(text).length : text.length;
}

/** A negative index counts from the end. */
function characterAt(text: string, index: number): string | undefined {
  return PAIRS.test(text) ? Array.from(text).at(index) : text.at(index);
}
