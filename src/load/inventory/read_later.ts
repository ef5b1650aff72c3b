import { Diagnostics } from '../../model/source/diagnostic.js';
import type { Inventory } from '../../model/inventory/inventory.js';
import { LoadError } from '../../model/source/load_error.js';
import { loadGroupVars, type Wanted } from '../variables/group_vars.js';
import type { Means } from '../means.js';

const NOTHING: Wanted = { has: () => false };

/**
 * Reads `group_vars` and `host_vars` of names that come up while a run goes on.
 *
 * @param folders beside which they are looked for, in the order of the sources, each with what messages call it
 */
export function laterReader(folders: ReadonlyMap<string, string>, means: Means): NonNullable<Inventory['readBeside']> {
  return async (folder, name) => {
    const only: Wanted = { has: (one) => one === name };
    const wanted =
      folder === 'group_vars' ? { groups: only, controllers: NOTHING } : { groups: NOTHING, controllers: only };
    const diagnostics = new Diagnostics();
    const found = [];
    for (const [directory, shown] of folders) {
      const { groups, controllers } = await loadGroupVars(directory, 'inventory', diagnostics, wanted, shown, means);
      found.push(...(groups.get(name) ?? []), ...(controllers.get(name) ?? []));
    }
    const wrong = diagnostics.list.find(({ severity }) => severity === 'error');
    if (wrong !== undefined) throw new LoadError(wrong.message, wrong.source, wrong.hint);
    return found;
  };
}
