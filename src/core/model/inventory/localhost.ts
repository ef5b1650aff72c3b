import type { VariableLayer } from '../values/variables.js';
import type { Controller, Inventory } from './inventory.js';

/** The names of the machine that runs Evenkeel, which playbooks can use without an inventory entry. */
export const LOCALHOST_NAMES: readonly string[] = ['localhost', '127.0.0.1', '::1'];

const LOCAL: VariableLayer = {
  level: 'inventory host vars',
  origin: 'the implicit localhost',
  values: { ansible_connection: 'local' },
};

/** The controller of that name, or the implicit `localhost` if it is one of its names. */
export function findController(inventory: Inventory, name: string): Controller | undefined {
  const written = inventory.controllers.get(name);
  if (written !== undefined || !LOCALHOST_NAMES.includes(name)) return written;
  return inventory.controllers.get(localName(inventory, name)) ?? implicitLocalhost(inventory, name);
}

/** Resolves a name of the local machine to the one that the inventory contains, if any. */
export function localName(inventory: Inventory, name: string): string {
  return LOCALHOST_NAMES.find((one) => inventory.controllers.has(one)) ?? name;
}

/**
 * Not a member of any group, not even `all`, but sees the variables of `all` and its own `host_vars` (as in Ansible).
 */
export function implicitLocalhost(inventory: Inventory, name: string): Controller {
  const shared = inventory.groups.get('all')?.layers ?? [];
  const own = inventory.localhostLayers?.get(name) ?? [];
  return { name, groups: [], layers: [...shared, LOCAL, ...own], implicit: true };
}
