import type { Draft } from './generate.js';
import type { Entry, Written } from './scene.js';

/** A block with an `always`. */
export interface Cleaned {
  /** Names of the tasks in it and in its `rescue`, however deep. */
  readonly tasks: readonly string[];
  /** The first task of the `always`. */
  readonly always: string;
}

/** The same with an extra task at the beginning of every `always` of the playbooks. */
export function cleaning(draft: Draft): { readonly draft: Draft; readonly blocks: readonly Cleaned[] } {
  const blocks: Cleaned[] = [];
  const playbooks = draft.playbooks.map((plays) => plays.map((play) => prepared(play, blocks)));
  return { draft: { ...draft, playbooks }, blocks };
}

function prepared(value: Written, blocks: Cleaned[]): Written {
  if (isList(value)) return value.map((one) => prepared(one, blocks));
  if (!isEntry(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, prepared(one, blocks)]));
  const { name: own, block, rescue = [], always } = inner;
  if (typeof own !== 'string' || block === undefined || !isList(always)) return inner;
  const name = `always of ${own}`;
  blocks.push({ tasks: [...taskNames(block), ...taskNames(rescue)], always: name });
  return { ...inner, always: [{ name, debug: { msg: 'clean' } }, ...always] };
}

function taskNames(value: Written): readonly string[] {
  if (isList(value)) return value.flatMap(taskNames);
  if (!isEntry(value)) return [];
  const { name, block, rescue = [], always = [] } = value;
  if (block !== undefined) return [block, rescue, always].flatMap(taskNames);
  return typeof name === 'string' ? [name] : [];
}

function isList(value: Written | undefined): value is readonly Written[] {
  return Array.isArray(value);
}

function isEntry(value: Written): value is Entry {
  return typeof value === 'object' && value !== null && !isList(value);
}
