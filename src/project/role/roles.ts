import type { Included } from '../../core/model/playbook/step.js';
import { listItems, type Cursor } from '../document/cursor.js';
import type { InnerContext } from '../task/read_context.js';
import { requestedRole } from './entry.js';
import { expandRole } from './expand.js';
import type { ExpandedRole } from './request.js';

/**
 * The `roles` of a play, each after its dependencies; adds their names to the parts of the play. The whole play sees their
 * defaults and vars.
 */
export async function loadRoles(
  cursor: Cursor | undefined,
  around: InnerContext,
): Promise<Omit<Included, 'title' | 'key'>> {
  const expanded: ExpandedRole[] = [];
  const advice = 'include_role in "tasks" can choose a role during the run';
  for (const item of listItems(cursor)) {
    const found = requestedRole(item, around, [], advice);
    if (found !== undefined) expanded.push(await expandRole(found.request, found.inside));
  }
  const { parts } = around.context;
  parts.roles.push(...expanded.map(({ name }) => name));
  parts.dependencies.push(...expanded.flatMap(({ dependencies }) => dependencies));
  return {
    steps: expanded.flatMap(({ steps }) => steps),
    // Each entry repeats its handlers: if several have the same name, the last one is notified.
    handlers: expanded.flatMap(({ handlers }) => handlers),
    layers: expanded.flatMap(({ seen }) => [...seen.defaults, ...seen.vars]),
  };
}
