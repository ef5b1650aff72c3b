import { isList, isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { equals } from '../../runtime/comparison.js';
import { TemplateError } from '../../runtime/errors.js';
import type { NamesBlock, NamesOfBlock, TemplateFrame } from '../../runtime/frame.js';
import { Namespace } from '../../runtime/loop.js';
import { asKey, describe, evaluateLazy, step, Undefined } from '../../runtime/result.js';

type Entries = Record<string, Value>;
type Changeable = Value[] | Entries | Namespace;

/**
 * Lists that a template may change, because it made them, each mapped to itself. A value from outside is copied at its first change,
 * because other templates must see the variable unchanged.
 */
const lists = new WeakMap<readonly Value[], Value[]>();
const mappings = new WeakMap<Mapping, Entries>();

/** How many arguments the methods need. */
const NEEDED: Readonly<Record<string, number>> = { append: 1, extend: 1, insert: 2, remove: 1, setdefault: 1 };

/** `{% set _ = list.append(1) %}`: Python's methods that change a list or a mapping, for names that `{% set %}` made. */
export const changes = {
  /**
   * `root` and `keys` say where `value` was found: `found["a"]` is the name `found` and the key `a`. No root: a call returned it.
   */
  change: callable('method, root, keys, value, ...arguments, **', (args) => {
    const method = args.text(0);
    if (args.rest.length < (NEEDED[method] ?? 0)) throw new TemplateError(`${method}: an argument is missing`);
    const value = asChangeable(args.value(3)) ?? take(args, method);
    if (value instanceof Namespace) throw refused(method, 'a namespace', 'write {% set name.key = value %}');
    return Array.isArray(value) ? changeList(args, method, value) : changeMapping(args, method, value);
  }),
  /** Changes of the copy do not change the original. */
  copy: callable('value', (args) => {
    const value = args.value(0);
    if (isList(value)) return madeHere([...value], args.frame);
    return isMapping(value) ? madeHere({ ...value }, args.frame) : value;
  }),
} satisfies Family;

function refused(method: string, what: string, hint: string): TemplateError {
  return new TemplateError(`${method}: ${what} cannot be changed`, { hint });
}

function asChangeable(value: Value): Changeable | undefined {
  if (value instanceof Namespace) return value;
  if (isList(value)) return lists.get(value);
  return isMapping(value) ? mappings.get(value) : undefined;
}

/** A copy that may be changed; undefined for a value that is neither list nor mapping. */
function copyCollection(value: Value): Value[] | Entries | undefined {
  if (isList(value)) return changeable([...value]);
  return isMapping(value) ? changeable({ ...value }) : undefined;
}

function changeable<T extends Value[] | Entries>(value: T): T {
  if (Array.isArray(value)) lists.set(value, value);
  else mappings.set(value, value);
  return value;
}

/** What a template makes with brackets, braces, copy, list or dict: a change is seen wherever it is. Only text leaves a template that has blocks. */
export function madeHere<T extends Value[] | Entries>(value: T, { block }: TemplateFrame): T {
  return block === undefined ? value : changeable(value);
}

/** The value at `root` and `keys`, which is a copy from now on. */
function take(args: CallableArguments, method: string): Changeable {
  const root = args.optional(1);
  const value = args.value(3);
  if (typeof root !== 'string') throw refused(method, describe(value), 'give it a name with {% set %} first');
  let current = takeName(root, args.frame, method, value);
  for (const key of args.list(2)) current = takeEntry(current, asKey(key), method);
  return current;
}

function takeName(name: string, frame: TemplateFrame, method: string, value: Value): Changeable {
  const block = findBlock(name, frame.block);
  const found = block?.names.get(name);
  const known = found === undefined || found instanceof Undefined ? undefined : asChangeable(found);
  if (known !== undefined) return known;
  if (block === undefined || found === undefined || found instanceof Undefined || block.items?.has(name) === true)
    throw refused(
      method,
      `"${name}", which {% set %} did not make,`,
      `write {% set mine = ${name} %}, and change that`,
    );
  const copy = copyCollection(found);
  if (copy === undefined) throw refused(method, describe(value), 'only lists and mappings can');
  // Other names of the same value see the change, as in Python.
  for (let one: NamesOfBlock | undefined = frame.block; one !== undefined; one = one.outer)
    if (one.type === 'names') for (const [other, same] of one.names) if (same === found) one.names.set(other, copy);
  return copy;
}

function findBlock(name: string, block: NamesOfBlock | undefined): NamesBlock | undefined {
  for (let one = block; one !== undefined; one = one.outer) {
    if (one.type === 'names' && one.names.has(name)) return one;
    if (one.type === 'value' && one.params.has(name)) return undefined;
  }
  return undefined;
}

function takeEntry(outer: Changeable, key: string, method: string): Changeable {
  const found = (outer instanceof Namespace ? outer.get(key) : step(outer, key)) ?? null;
  const known = asChangeable(found);
  if (known !== undefined) return known;
  const copy = copyCollection(found);
  if (copy === undefined) throw refused(method, describe(found), 'only lists and mappings can');
  put(outer, key, copy);
  return copy;
}

function put(outer: Changeable, key: string, value: Value): void {
  if (outer instanceof Namespace) outer.set(key, value);
  else if (Array.isArray(outer)) outer.splice(Number(key), 1, value);
  else Object.defineProperty(outer, key, { value, writable: true, enumerable: true, configurable: true });
}

function changeList(args: CallableArguments, method: string, list: Value[]): Value {
  const value = args.rest[0] ?? null;
  if (method === 'append') return insert(method, list, list.length, value);
  if (method === 'extend') return extend(method, list, args.requireItems(value));
  if (method === 'insert') return insert(method, list, wholeNumber(method, value), args.rest[1] ?? null);
  if (method === 'pop') return popped(list, args.rest.length === 0 ? -1 : wholeNumber(method, value));
  if (method !== 'remove') throw new TemplateError(`${method}: a list has no such method`);
  const place = list.findIndex((one) => equals(one, value));
  if (place < 0) throw new TemplateError(`remove: ${describe(value)} is not in the list`);
  list.splice(place, 1);
  return null;
}

function wholeNumber(method: string, value: Value): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new TemplateError(`${method}: a whole number is needed, not ${describe(value)}`);
}

function extend(method: string, list: Value[], items: readonly Value[]): null {
  checkLength(method, list.length + items.length);
  for (const one of items) checkInner(method, one, list);
  for (const one of items === list ? [...items] : items) list.push(one);
  return null;
}

function insert(method: string, list: Value[], place: number, item: Value): null {
  checkLength(method, list.length + 1);
  checkInner(method, item, list);
  list.splice(place, 0, item);
  return null;
}

function checkLength(method: string, length: number): void {
  if (length > MOST_ITEMS) throw new TemplateError(`${method}: the list gets more than ${MOST_ITEMS} items`);
}

function popped(list: Value[], place: number): Value {
  const item = list.at(place);
  if (item === undefined) throw new TemplateError(`pop: the list has no item ${place}`);
  list.splice(place, 1);
  return item;
}

function changeMapping(args: CallableArguments, method: string, entries: Entries): Value {
  const [first = null, second = null] = args.rest;
  const key = asKey(first);
  const known = step(entries, key);
  switch (method) {
    case 'update':
      for (const [name, value] of [...givenPairs(args), ...args.named]) {
        checkInner(method, value, entries);
        put(entries, name, value);
      }
      return null;
    case 'setdefault': {
      const value = known === undefined ? second : known;
      if (known === undefined) checkInner(method, value, entries);
      const kept = asChangeable(value) ?? copyCollection(value) ?? value;
      put(entries, key, kept);
      return kept;
    }
    case 'pop':
      if (known === undefined && args.rest.length < 2) throw new TemplateError(`pop: the mapping has no "${key}"`);
      Reflect.deleteProperty(entries, key);
      return known === undefined ? second : known;
    default:
      throw new TemplateError(`${method}: a mapping has no such method`);
  }
}

/** The argument of `update`: a mapping, or a list of pairs. */
function givenPairs(args: CallableArguments): readonly (readonly [string, Value])[] {
  const [given] = args.rest;
  const mapping = given === undefined ? {} : evaluateLazy(args.call('dict', given));
  return isMapping(mapping) ? Object.entries(mapping) : [];
}

/** A value that contains itself cannot be printed. */
function checkInner(method: string, value: Value, outer: Value): void {
  if (value === outer) throw new TemplateError(`${method}: the value would contain itself`);
  if (isList(value)) for (const one of value) checkInner(method, one, outer);
  else if (isMapping(value)) for (const one of Object.values(value)) checkInner(method, one, outer);
}
