import type { PlayOrder } from '../../core/model/run/choices.js';
import type { Source } from '../../core/model/source/diagnostic.js';
import { jsonText } from '../../core/model/values/json.js';
import { isList, type Value } from '../../core/model/values/value.js';
import { TaskProblem } from '../keywords/failed_result.js';

/**
 * Cuts controllers into `serial` batches, in order. Each entry of `serial` is a count or a share of all (`"30%"`: rounded
 * down, at least 1); the last entry repeats; 0 or less takes all that are left. Same as Ansible's.
 */
export function cutBatches(
  names: readonly string[],
  serial: readonly Value[] | undefined,
  source?: Source,
): readonly (readonly string[])[] {
  const entries = (serial ?? []).flatMap((entry) => (isList(entry) ? entry : [entry]));
  const sizes = entries.map((entry) => batchSize(entry, names.length, source));
  const batches: (readonly string[])[] = [];
  for (let start = 0; start < names.length;) {
    const size = sizes[Math.min(batches.length, sizes.length - 1)] ?? 0;
    const end = size > 0 ? start + size : names.length;
    batches.push(names.slice(start, end));
    start = end;
  }
  return batches;
}

function batchSize(entry: Value, controllers: number, source: Source | undefined): number {
  const text = typeof entry === 'string' ? entry.trim() : entry;
  if (typeof text === 'number' && Number.isInteger(text)) return text;
  if (typeof text !== 'string') throw serialProblem(entry, source);
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(text)?.[1];
  if (share !== undefined) return Math.max(1, Math.floor((Number(share) / 100) * controllers));
  if (/^-?\d+$/.test(text)) return Number(text);
  throw serialProblem(entry, source);
}

/**
 * The controllers of a play, sorted by its `order`. `inventory` keeps the given order. `shuffle` moves only those that start the play: the
 * others keep their places, so that a resume cuts the same batches.
 *
 * @param isStarting in a resume, those that may start the play and did not before go behind: they would move others to batches whose past is
 *   not theirs
 * @param before those that started the play before the interrupt, in their order; undefined if it had not begun
 */
export function inOrder(
  controllers: readonly string[],
  order: PlayOrder,
  isStarting: (controller: string) => boolean,
  before?: readonly string[],
): readonly string[] {
  const ordered = before ?? (order === 'shuffle' ? shuffled(controllers.filter(isStarting)) : []);
  const [given, moved] = [new Set(controllers), new Set(ordered)];
  const next = ordered.filter((name) => given.has(name)).values();
  const isAdded = (name: string): boolean => before !== undefined && !moved.has(name) && isStarting(name);
  const sorted = sortedBy(order, controllers);
  const known = sorted.filter((name) => !isAdded(name));
  return [...known.map((name) => (moved.has(name) ? (next.next().value ?? name) : name)), ...sorted.filter(isAdded)];
}

function sortedBy(order: PlayOrder, controllers: readonly string[]): readonly string[] {
  const isByName = order === 'sorted' || order === 'reverse_sorted';
  const sorted = isByName ? controllers.toSorted() : controllers;
  return order === 'reverse_inventory' || order === 'reverse_sorted' ? sorted.toReversed() : sorted;
}

/** Fisher and Yates. */
function shuffled(names: readonly string[]): readonly string[] {
  const left = [...names];
  return names.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0] ?? '');
}

/** A `serial` that is neither a count nor a percentage. */
function serialProblem(value: Value, source: Source | undefined): TaskProblem {
  const message = `serial takes a number, a percentage such as "25%", or a list of them, not ${jsonText(value)}`;
  return new TaskProblem(message, source);
}
