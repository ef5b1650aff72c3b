import type { Inventory } from './inventory.js';

/**
 * The controllers of a group and of all groups below it, without duplicates: the group's own first, then level by
 * level. This is the order in which Ansible runs `hosts: GROUP`. Empty if the group does not exist.
 */
export function membersOf(inventory: Inventory, group: string): readonly string[] {
  const members = new Set<string>();
  for (const name of descendantsOf(inventory, group)) {
    for (const controller of inventory.groups.get(name)?.controllers ?? []) members.add(controller);
  }
  return [...members];
}

/** The group and every group below it, level by level. */
function descendantsOf(inventory: Inventory, group: string): ReadonlySet<string> {
  const found = new Set([group]);
  // Iterating over a set also visits the entries that the loop adds.
  for (const name of found) for (const child of inventory.groups.get(name)?.children ?? []) found.add(child);
  return found;
}
