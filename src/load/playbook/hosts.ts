import type { Located } from '../../model/playbook/step.js';
import type { Inventory } from '../../model/inventory/inventory.js';
import { nearestTarget, selectControllers } from '../../model/inventory/pattern.js';
import { joinPatterns } from '../../model/inventory/pattern_terms.js';
import type { Hosts } from '../../model/playbook/playbook.js';
import { hasTemplate } from '../../template/check.js';
import type { Cursor } from '../cursor.js';
import { checkTemplatesOf } from '../templated.js';
import { texts } from '../texts.js';

/** What patterns are compared with. */
interface Targets {
  /** If given, patterns are compared with it. */
  readonly inventory: Inventory | undefined;
  /** Whether plays before may add controllers and groups. */
  readonly mayGrow: boolean;
}

/** The pattern of a play; terms that match nothing in the inventory get a warning, as Ansible gives one. */
export function hostsOf(play: Cursor, { inventory, mayGrow }: Targets): Hosts | undefined {
  const cursor = play.get('hosts');
  if (cursor === undefined) {
    play.error('a play needs "hosts": the controllers it is for');
    return undefined;
  }
  checkTemplatesOf(cursor);
  const patterns = texts(cursor);
  const value = joinPatterns(patterns.map((one) => one.value));
  if (value.trim() === '' && patterns.length === cursor.items().length)
    cursor.error('"hosts" is empty', 'for every controller, write "all"');
  else if (inventory !== undefined)
    for (const pattern of patterns) checkPattern(pattern, { inventory, mayGrow }, cursor);
  return { value, source: cursor.source, late: mayGrow || hasTemplate(value) };
}

function checkPattern(
  { value, source }: Located<string>,
  { inventory, mayGrow }: Targets & { readonly inventory: Inventory },
  cursor: Cursor,
): void {
  if (hasTemplate(value)) return;
  const { unmatched, error } = selectControllers(inventory, value);
  if (error !== undefined) cursor.diagnostics.error(error, source);
  for (const term of mayGrow ? [] : unmatched) {
    cursor.diagnostics.warn(`"${term}" matches no controller of the inventory`, source, nearestTarget(inventory, term));
  }
}
