import { didYouMean } from '../../../core/model/source/suggestion.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { form, callable, type Bound, type Family } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import type { TemplateFrame } from '../../runtime/frame.js';
import { currentLoop, Cycler, ForLoopState, Joiner, Namespace } from '../../runtime/loop.js';
import { asKey, asText, characters, describe, listKeys, step, Undefined, type Result } from '../../runtime/result.js';
import { madeHere } from './changes.js';

/** What the notations mean: `[a, b]`, `{"k": v}`, `x[i]` and `x[1:3]`. */
export const collections = {
  array: callable('...items', (args) => madeHere([...args.rest], args.frame)),
  object: callable('...pairs', (args) => madeHere(Object.fromEntries(pairs(args.rest)), args.frame)),
  item: form('value, key', lookUp),
  cut: callable('value, from?, to?, step?', cut),
} satisfies Family;

function pairs(flat: readonly Value[]): readonly [string, Value][] {
  const found: [string, Value][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    found.push([asKey(flat[index] ?? null), flat[index + 1] ?? null]);
  return found;
}

/** Anything inside an undefined value is undefined, so `a[b].c | default(x)` works at any depth. */
function lookUp({ slots: [value, key] }: Bound, frame: TemplateFrame): Result {
  const container = value?.(frame) ?? null;
  const part = key?.(frame) ?? null;
  if (container instanceof Undefined) return container;
  if (part instanceof Undefined) return part;
  const found = step(container, asKey(part));
  return found === undefined ? new Undefined(() => missing(container, asKey(part))) : found;
}

function missing(container: Value, part: string): TemplateError {
  if (isList(container) && /^-?\d+$/.test(part)) {
    const items = container.length === 1 ? '1 item' : `${container.length} items`;
    return new TemplateError(`there is no item ${part}: the list has ${items}`, { undefinedName: part });
  }
  // In Python, dates and durations have these parts.
  const isDate = typeof container === 'number' && /^(?:year|month|day|second)s?$/.test(part);
  const hint = isDate ? 'dates are seconds: for days, write (a - b) // 86400' : didYouMean(part, listKeys(container));
  return new TemplateError(`there is no "${part}" in ${describe(container)}`, { undefinedName: part, hint });
}

/** Python's slices, of lists and texts. */
function cut(args: CallableArguments): Value {
  const value = args.value(0);
  if (!isList(value) && typeof value !== 'string')
    throw args.error(`only lists and texts can be cut, not ${describe(value)}`);
  const by = bound(args, 3) ?? 1;
  if (by === 0) throw args.error('the step is 0');
  const items = typeof value === 'string' ? characters(value) : value;
  const indices = range(items.length, bound(args, 1), bound(args, 2), by);
  return typeof value === 'string'
    ? indices.map((index) => asText(items[index] ?? '')).join('')
    : indices.map((index) => items[index] ?? null);
}

function bound(args: CallableArguments, index: number): number | undefined {
  return args.value(index) === null ? undefined : args.number(index);
}

function range(length: number, from: number | undefined, to: number | undefined, by: number): readonly number[] {
  const forward = by > 0;
  const lowest = forward ? 0 : -1;
  const clamp = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + length : index, lowest), forward ? length : length - 1);
  const start = from === undefined ? (forward ? 0 : length - 1) : clamp(from);
  const end = to === undefined ? (forward ? length : -1) : clamp(to);
  const indices: number[] = [];
  for (let index = start; forward ? index < end : index > end; index += by) indices.push(index);
  return indices;
}

/** Filters that only templates with `{% for %}` and `{% set %}` call. */
export const loops = {
  /** `loop.cycle("odd", "even")`: takes turns. */
  cycle: callable('loop, first, ...others', (args) => {
    const values = [args.value(1), ...args.rest];
    return values[requireLoop(args).index % values.length] ?? null;
  }),
  /** `loop.changed(item.zone)`: whether it differs from the last call. */
  has_changed: callable('loop, ...values', (args) => requireLoop(args).changed(args.rest)),
  /** `loop(item.children)`: the text of a recursive loop, for other items. */
  loop: callable('items', (args) => {
    const loop = currentLoop(args.frame);
    if (loop?.recurse === undefined)
      throw args.error('only a recursive loop can be called', 'write {% for item in list recursive %}');
    return loop.recurse(args.value(0));
  }),
  cycler: callable('first, ...others', (args) => new Cycler([args.value(0), ...args.rest])),
  joiner: callable('separator?', (args) => new Joiner(args.text(0, ', '))),
  /** `row.next()` of a cycler; `comma()` of a joiner. */
  next: callable('value', (args) => {
    const value = args.value(0);
    if (value instanceof Cycler || value instanceof Joiner) return value.next();
    throw args.error(`it works on a cycler() or joiner(), not on ${describe(value)}`);
  }),
  reset: callable('cycler', (args) => {
    const value = args.value(0);
    if (!(value instanceof Cycler)) throw args.error(`it works on a cycler(), not on ${describe(value)}`);
    value.reset();
    return null;
  }),
  /** Values that `{% set ns.name = value %}` changes, inside loops too. */
  namespace: callable('**', (args) => new Namespace(args.named)),
} satisfies Family;

function requireLoop(args: CallableArguments): ForLoopState {
  const value: Value = args.value(0);
  if (value instanceof ForLoopState) return value;
  throw args.error(`it belongs to "loop" inside {% for %}, not to ${describe(value)}`);
}
