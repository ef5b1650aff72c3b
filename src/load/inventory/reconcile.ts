import type { InventoryBuilder } from './builder.js';

/**
 * What holds for every inventory once all sources are read (as in Ansible): every group is below `all`; `ungrouped` has
 * exactly the controllers that are in no other group.
 */
export function reconcile(builder: InventoryBuilder): void {
  const { groups, controllers, diagnostics } = builder;
  for (const group of groups.values()) {
    if (group.name !== 'all' && group.parents.size === 0) builder.addChild('all', group.name, group.place);
  }
  const ungrouped = builder.addGroup('ungrouped', () => undefined);
  for (const controller of controllers.values()) {
    const named = [...controller.groups].some((name) => name !== 'all' && name !== 'ungrouped');
    if (named) {
      controller.groups.delete('ungrouped');
      ungrouped.controllers.delete(controller.name);
    } else {
      controller.groups.add('ungrouped');
      ungrouped.controllers.add(controller.name);
    }
    if (groups.has(controller.name)) {
      diagnostics.warn(
        `"${controller.name}" is the name of a group and of a controller; patterns mean the controller, but behind "&" and "!" the group`,
        controller.place(),
      );
    }
  }
}
