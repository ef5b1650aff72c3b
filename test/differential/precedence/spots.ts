/**
 * The places of a project where a variable may be given, finer than the levels of `docs/playbooks.md`: where two places
 * share a level, it is settled which of them wins, too. Their order here means nothing.
 */
export const SPOTS = [
  'role defaults',
  'dependency defaults',
  'inventory vars of all',
  'inventory vars of the parent',
  'inventory vars of a sibling',
  'inventory vars of the child',
  'inventory vars of a sibling with priority',
  'inventory group_vars/all',
  'inventory group_vars/parent',
  'inventory group_vars/sibling',
  'inventory group_vars/child',
  'playbook group_vars/all',
  'playbook group_vars/parent',
  'playbook group_vars/child',
  'inventory host vars',
  'inventory host_vars',
  'playbook host_vars',
  'play vars',
  'vars_prompt',
  'vars_files',
  'later vars_files',
  'role vars',
  'dependency vars',
  'vars of the call',
  'params of the call',
  'apply vars of the call',
  'block vars around the call',
  'import_tasks vars',
  'block vars',
  'inner block vars',
  'task vars',
  'include_vars',
  'set_fact',
  'cacheable set_fact',
  'registered',
  'include_tasks vars',
  'inner include_tasks vars',
  '-e NAME=VALUE',
  '-e @FILE',
] as const;

export type Spot = (typeof SPOTS)[number];

export interface Pair {
  /** The variable that both places set, and no other. */
  readonly variable: string;
  readonly spots: readonly [Spot, Spot];
}

/** Each two spots once. */
export const PAIRS: readonly Pair[] = SPOTS.flatMap((one, index) =>
  SPOTS.slice(index + 1).map((other, distance) => ({
    variable: `p${index}_${index + 1 + distance}`,
    spots: [one, other] as const,
  })),
);

/** A loop variable that one place sets, too. */
export function loopVariable(spot: Spot): string {
  return `l${SPOTS.indexOf(spot)}`;
}

/** The values that a place sets: its own name for each of its variables. */
export function valuesAt(spot: Spot): Readonly<Record<string, string>> {
  const variables = PAIRS.filter(({ spots }) => spots.includes(spot)).map(({ variable }) => variable);
  return Object.fromEntries([...variables, loopVariable(spot)].map((name) => [name, spot]));
}
