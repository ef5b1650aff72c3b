import type { Inventory } from '../../model/inventory/inventory.js';

/** The inventory with these controllers only; all groups stay. */
export function restrict(inventory: Inventory, names: ReadonlySet<string>): Inventory {
  const groups = [...inventory.groups].map(
    ([name, group]) => [name, { ...group, controllers: group.controllers.filter((one) => names.has(one)) }] as const,
  );
  const controllers = [...inventory.controllers].filter(([name]) => names.has(name));
  return { ...inventory, groups: new Map(groups), controllers: new Map(controllers) };
}
