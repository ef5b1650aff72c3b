import type { Inventory } from './inventory.js';

/**
 * The controllers of a group and of all groups below it, each once: the group's own first, then those of its children,
 * then of theirs. This is the order in which Ansible runs `hosts: GROUP`. Empty if there is no such group.
 */
export function membersOf(inventory: Inventory, group: string): readonly string[] {
  const members = new Set<string>();
  for (const name of descendantsOf(inventory, group)) {
    for (const controller of inventory.groups.get(name)?.controllers ?? []) members.add(controller);
  }
  return [...members];
}

/** The group itself and every group below it, level by level. */
function descendantsOf(inventory: Inventory, group: string): ReadonlySet<string> {
  const found = new Set([group]);
  // A set may grow while it is walked: what is added is visited too.
  for (const name of found) for (const child of inventory.groups.get(name)?.children ?? []) found.add(child);
  return found;
}
