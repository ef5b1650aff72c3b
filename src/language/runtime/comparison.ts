import { compareNumbers, isNumeric } from '../../core/model/values/json.js';
import {
  entry,
  isList,
  isMapping,
  LazyMapping,
  Unsafe,
  type Mapping,
  type Value,
} from '../../core/model/values/value.js';
import { TemplateError } from './errors.js';
import { asKey, describe, evaluateLazy } from './result.js';

/**
 * Whether a value is true in conditions: all values except null, false, 0 and empty ones. The text `false` is true, as in Ansible.
 */
export function isTrue(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '' || Number.isNaN(value)) return false;
  if (isList(value)) return value.length > 0;
  if (value instanceof LazyMapping) return [...value.keys()].length > 0;
  return isMapping(value) ? Object.keys(value).length > 0 : true;
}

/** Python's `==`: deep, without regard to the order of keys; true is 1 and false is 0; a text is never a number. */
export function equals(left: Value, right: Value): boolean {
  const a = plain(left);
  const b = plain(right);
  if (a instanceof Unsafe && b instanceof Unsafe) return a.text === b.text;
  if (a === b || (isNumeric(a) && isNumeric(b) && compareNumbers(a, b) === 0)) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((one, index) => equals(one, b[index] ?? null));
  return isMapping(a) && isMapping(b) && equalMappings(a, b);
}

function plain(value: Value): Value {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof LazyMapping ? evaluateLazy(value) : value;
}

function equalMappings(a: Mapping, b: Mapping): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equals(entry(a, key) ?? null, entry(b, key) ?? null));
}

/** Compares two numbers, two texts or two lists: negative, zero or positive. Throws for other values, as Python does. */
export function order(left: Value, right: Value): number {
  const a = plain(left);
  const b = plain(right);
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  if (isList(a) && isList(b)) return orderLists(a, b);
  const texts = [a, b].filter((one) => typeof one === 'string');
  const hint = texts.length > 0 ? 'turn the text into a number first: value | int' : undefined;
  throw new TemplateError(`${describe(left)} and ${describe(right)} cannot be put in order`, { hint });
}

function orderLists(a: readonly Value[], b: readonly Value[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (!equals(one, other)) return order(one, other);
  }
  return a.length - b.length;
}

/** Python's `in`: an item of a list, a key of a mapping, a part of a text. */
export function contains(container: Value, item: Value): boolean {
  if (typeof container === 'string') {
    if (typeof item === 'string') return container.includes(item);
    const hint = 'write value | string';
    throw new TemplateError(`a text can only contain a text, not ${describe(item)}`, { hint });
  }
  if (isList(container)) return container.some((one) => equals(one, item));
  if (container instanceof LazyMapping) return typeof item === 'string' && container.get(item) !== undefined;
  if (isMapping(container)) return (item === null || typeof item !== 'object') && Object.hasOwn(container, asKey(item));
  throw new TemplateError(`"in" needs a list, a mapping or a text on its right, not ${describe(container)}`);
}
