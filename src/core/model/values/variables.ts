import type { Locate } from '../source/diagnostic.js';
import type { Mapping } from './value.js';

/** The levels of groups and controllers, in the inventory and next to playbooks. */
const OF_CONTROLLERS = [
  'inventory group vars',
  'inventory group_vars/all',
  'playbook group_vars/all',
  'inventory group_vars/*',
  'playbook group_vars/*',
  'inventory host vars',
  'inventory host_vars/*',
  'playbook host_vars/*',
] as const;

/**
 * The sources of variables, weakest first (`docs/playbooks.md`, Variables). The last level that defines a name wins;
 * values are replaced, never merged.
 */
export const LEVELS = [
  'role defaults',
  ...OF_CONTROLLERS,
  'facts',
  'play vars',
  'vars_prompt',
  'vars_files',
  'role vars',
  'block vars',
  'task vars',
  'include_vars',
  'set_fact and registered',
  'role params',
  'include params',
  'extra vars',
  'magic',
] as const;

export type VariableLevel = (typeof LEVELS)[number];

/** Whether variables of that level belong to groups or controllers. */
export function isOfControllers(level: VariableLevel): boolean {
  return OF_CONTROLLERS.some((one) => one === level);
}

/** The levels that a rollback knows without the steps of the playbook. */
export const KNOWN_TO_ROLLBACK: ReadonlySet<VariableLevel> = new Set<VariableLevel>([...OF_CONTROLLERS, 'extra vars']);

/** Variables from one place: one `vars:` block, one file, one group of an inventory. */
export interface VariableLayer {
  readonly level: VariableLevel;
  readonly values: Mapping;
  /** For messages: `group_vars/all.yml`, `play vars`. */
  readonly origin: string;
  /** Absent for values that do not come from a file. */
  readonly locate?: Locate | undefined;
  /** True for results and facts: their text is data, never a template. */
  readonly literal?: boolean | undefined;
  /** True for values of an encrypted file, which must never be shown. */
  readonly secret?: boolean | undefined;
}

/** The `vars` of a task itself, among the layers around it. */
export function taskVars(layers: readonly VariableLayer[]): readonly Mapping[] {
  return layers.filter(({ level }) => level === 'task vars').map(({ values }) => values);
}

/** Weakest first: by level, and within a level in the order given. */
export function inPrecedence(layers: readonly VariableLayer[]): readonly VariableLayer[] {
  const rank = (layer: VariableLayer): number => LEVELS.indexOf(layer.level);
  return layers.toSorted((a, b) => rank(a) - rank(b));
}
