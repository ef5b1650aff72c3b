import type { Inventory } from '../../src/core/model/inventory/inventory.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import type { Value } from '../../src/core/model/values/value.js';
import { loadInventory, type LoadInventoryOptions } from '../../src/project/inventory/load.js';
import type { Files } from './folder.js';
import { worded } from './loaded.js';
import { inFolderWithScripts } from './scripts.js';

export interface Read {
  readonly inventory: Inventory;
  /** What was said, as `file:line:column message — hint`. */
  readonly said: readonly string[];
  /** The variables that a controller ends up with. */
  readonly of: (controller: string) => Readonly<Record<string, Value>>;
}

/** Loads an inventory out of files written for it. */
export function readInventory(
  files: Files,
  sources: readonly string[] = Object.keys(files).slice(0, 1),
  options: (cwd: string) => Partial<LoadInventoryOptions> = () => ({}),
): Promise<Read> {
  return inFolderWithScripts(files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const inventory = await loadInventory(sources, { cwd, diagnostics, ...options(cwd) });
    const said = diagnostics.list.map(worded).map((text) => text.replaceAll(`${cwd}/`, ''));
    return { inventory, said, of: (name) => variablesOf(inventory, name) };
  });
}

function variablesOf(inventory: Inventory, name: string): Readonly<Record<string, Value>> {
  const controller = inventory.controllers.get(name);
  if (controller === undefined) throw new Error(`there is no controller ${name}`);
  return Object.assign({}, ...controller.layers.map(({ values }) => values)) as Record<string, Value>;
}
