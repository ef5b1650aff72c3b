import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Inventory } from '../../../src/core/model/inventory/inventory.js';
import { selectControllers, type Selection } from '../../../src/core/model/inventory/pattern.js';
import { joinPatterns } from '../../../src/core/model/inventory/pattern_terms.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { readLimit } from '../../../src/launch/load/limits.js';
import { loadInventory } from '../../../src/project/inventory/load.js';
import { ansiblePython } from '../../rig/ansible.js';

/** A pattern asked of one inventory file of a folder, in which files of `--limit` are, too. */
export interface Question {
  readonly folder: string;
  readonly inventory: string;
  readonly hosts: string;
  readonly limit: string | null;
}

export type Selected =
  | { readonly names: readonly string[]; readonly unmatched: readonly string[] }
  | { readonly error: string };

/** Ansible iterates over sets of groups, so the order, and the meaning of a part of a group, are sometimes random. */
export type Theirs = Selected | { readonly chance: 'order' | 'names'; readonly names: readonly string[] };

const DRIVER = path.join(import.meta.dirname, 'driver.py');

const SEEDS = ['0', '1', '2', '3', '4'];

/** What the installed Ansible selects: all questions in one process for each of some orders of its sets. */
export function ansibleSelected(asks: readonly Question[]): readonly Theirs[] {
  const [first = [], ...others] = SEEDS.map((seed) => selectedWith(seed, asks));
  return first.map((one, index) => ofChance([one, ...others.map((other) => other[index] ?? one)]));
}

function ofChance(answers: readonly Selected[]): Theirs {
  const [one] = answers;
  if (one === undefined) throw new Error('Ansible was not asked');
  const names = answers.map((answer) => ('names' in answer ? answer.names : []));
  const all = [...new Set(names.flat())].sort();
  if (new Set(names.map((list) => list.join())).size === 1) return one;
  const isOrder = names.every((list) => list.length === all.length);
  return { chance: isOrder ? 'order' : 'names', names: all };
}

function selectedWith(seed: string, asks: readonly Question[]): readonly Selected[] {
  const { stdout, stderr } = spawnSync(ansiblePython(), [DRIVER], {
    input: JSON.stringify({ asks }),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, PYTHONHASHSEED: seed },
  });
  if (stdout === '') throw new Error(`Ansible could not be driven: ${stderr}`);
  return JSON.parse(stdout) as readonly Selected[];
}

/** What we select. Ansible does not tell the part of a group that a pattern names: neither do we here. */
export async function ourSelected({ folder, inventory, hosts, limit }: Question): Promise<Selected> {
  const diagnostics = new Diagnostics();
  const known = await loadInventory([inventory], { cwd: folder, diagnostics });
  const wanted = selectControllers(known, hosts);
  if (limit === null) return answerOf([wanted], wanted.names);
  const parts = await readLimit(limit, folder, diagnostics);
  if (parts === undefined) return { error: 'the limit cannot be read' };
  return limited(known, wanted, joinPatterns(parts.map(({ pattern }) => pattern)));
}

function limited(known: Inventory, wanted: Selection, pattern: string): Selected {
  const limit = selectControllers(known, pattern);
  return answerOf(
    [wanted, limit],
    wanted.names.filter((name) => limit.names.includes(name)),
  );
}

function answerOf(selections: readonly Selection[], names: readonly string[]): Selected {
  const error = selections.map((one) => one.error).find((one) => one !== undefined);
  if (error !== undefined) return { error };
  const unmatched = selections.flatMap((one) =>
    one.unmatched.map((term) => term.replace(/\[(?:-?\d+|\d+[:-]\d*)\]$/, '')),
  );
  return { names, unmatched: [...new Set(unmatched)].sort() };
}

/** What Ansible was asked again, as far as both answers are more than chance; which they are is chance as well. */
export function certain(one: Theirs, other: Theirs): Theirs {
  if (!('names' in one) || !('names' in other) || !('chance' in one || 'chance' in other)) return one;
  const [few, many] = one.names.length < other.names.length ? [one, other] : [other, one];
  const isPart = few.names.every((name) => many.names.includes(name));
  const isOrder = [one, other].every((answer) => !('chance' in answer) || answer.chance === 'order');
  const names = isPart && !isOrder ? many.names : one.names;
  return { chance: isOrder ? 'order' : 'names', names: names.toSorted() };
}

/** Of an error, only its existence is compared: the messages differ. */
export function comparable(selected: Theirs): Theirs {
  return 'error' in selected ? { error: 'refused' } : selected;
}

/** Our answer, reduced to what is not random in theirs. */
export function comparableTo(theirs: Theirs, ours: Selected): Theirs {
  if (!('chance' in theirs) || !('names' in ours)) return comparable(ours);
  const names = theirs.chance === 'order' ? ours.names : [...ours.names, ...theirs.names];
  return { chance: theirs.chance, names: [...new Set(names)].sort() };
}
