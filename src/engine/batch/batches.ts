import { hash } from 'node:crypto';
import type { PlayOrder } from '../../core/model/run/choices.js';
import type { StartedBatch } from '../../core/model/run/past.js';
import type { Source } from '../../core/model/source/diagnostic.js';
import { jsonText, isList, type Value } from '../../core/model/values/value.js';
import { TaskProblem } from '../keywords/failed_result.js';

/**
 * Cuts controllers into `serial` batches, in order. Each entry of `serial` is a count or a share of all (`"30%"`: rounded
 * down, at least 1); the last entry repeats; 0 or less takes all that are left. Same as Ansible's.
 *
 * @param started before an interrupt, by number: these keep their controllers, because what the journal knows of a batch is true of no
 *   others
 */
export function cutBatches(
  names: readonly string[],
  serial: readonly Value[] | undefined,
  source?: Source,
  started: ReadonlyMap<number, StartedBatch> = new Map(),
): readonly (readonly string[])[] {
  const entries = (serial ?? []).flatMap((entry) => (isList(entry) ? entry : [entry]));
  const sizes = entries.map((entry) => batchSize(entry, names.length, source));
  const kept = new Set([...started.values()].flatMap(({ controllers }) => controllers));
  const [left, others] = [new Set(names), names.filter((name) => !kept.has(name))];
  const last = Math.max(0, ...started.keys());
  const batches: (readonly string[])[] = [];
  for (let start = 0; start < others.length || batches.length < last;) {
    const size = sizes[Math.min(batches.length, sizes.length - 1)] ?? 0;
    const { controllers, mayGetOthers } = started.get(batches.length + 1) ?? NOT_STARTED;
    const room = size > 0 ? Math.max(0, size - controllers.length) : others.length;
    const end = mayGetOthers ? start + room : start;
    // None is in two batches, whatever the journal says.
    batches.push([...controllers.filter((name) => left.delete(name)), ...others.slice(start, end)]);
    start = end;
  }
  return batches;
}

const NOT_STARTED: StartedBatch = { controllers: [], mayGetOthers: true };

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
 * The controllers of a play, sorted by its `order`. `inventory` keeps the given order.
 *
 * @param seed of `shuffle`: equal ones give the same order, so that a resume keeps it
 */
export function inOrder(controllers: readonly string[], order: PlayOrder, seed: string): readonly string[] {
  if (order === 'shuffle') return shuffled(controllers, seed);
  const sorted = order === 'sorted' || order === 'reverse_sorted' ? controllers.toSorted() : controllers;
  return order === 'reverse_inventory' || order === 'reverse_sorted' ? sorted.toReversed() : sorted;
}

/** By digests: names that come or go move no others. */
function shuffled(names: readonly string[], seed: string): readonly string[] {
  const digests = new Map(names.map((name) => [hash('sha256', `${seed} ${name}`), name]));
  return [...digests.keys()].toSorted().map((digest) => digests.get(digest) ?? '');
}

/** A `serial` that is neither a count nor a percentage. */
function serialProblem(value: Value, source: Source | undefined): TaskProblem {
  const message = `serial takes a number, a percentage such as "25%", or a list of them, not ${jsonText(value)}`;
  return new TaskProblem(message, source);
}
