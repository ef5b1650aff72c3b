import type { Diagnostics } from '../../model/source/diagnostic.js';
import { entry, type Mapping } from '../../model/values/value.js';
import type { Given } from './draft.js';

const NAME = 'ansible_group_priority';

/** Takes `ansible_group_priority` out of a group's variables: it says how strong they are and is none of them (as in Ansible). */
export function splitPriority(
  { values, locate }: Given,
  group: string,
  diagnostics: Diagnostics,
): { values: Mapping; priority?: number } {
  const given = entry(values, NAME);
  if (given === undefined) return { values };
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => name !== NAME));
  const priority = typeof given === 'string' && /^\s*[-+]?[0-9]+\s*$/.test(given) ? Number(given) : given;
  if (typeof priority === 'number' && Number.isFinite(priority))
    return { values: rest, priority: Math.trunc(priority) };
  diagnostics.error(`${NAME} of group "${group}" must be a whole number`, locate?.([NAME]));
  return { values: rest };
}
