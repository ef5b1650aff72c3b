import path from 'node:path';
import type { Inventory } from '../../core/model/inventory/inventory.js';
import type { Play } from '../../core/model/playbook/playbook.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { appendTo } from '../../core/model/values/groups.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { FileServices } from '../../project/document/read_file_text.js';
import { loadGroupVars } from '../../project/variables/group_vars.js';

/** `group_vars` and `host_vars` beside playbooks, which can contain connection variables. */
export type AdjacentVariables = Pick<Play, 'groupLayers' | 'controllerLayers'>;

/** The absolute folders of a run's playbooks. */
export function playbookFolders(playbooks: readonly string[], cwd: string): readonly string[] {
  return [...new Set(playbooks.map((file) => path.dirname(path.resolve(cwd, file))))];
}

/** @param added controllers that are in no inventory */
export async function readAdjacent(
  folders: readonly string[],
  cwd: string,
  diagnostics: Diagnostics,
  { inventory, ...files }: FileServices & { readonly inventory: Inventory },
  added: readonly string[] = [],
): Promise<AdjacentVariables> {
  const groupLayers = new Map<string, VariableLayer[]>();
  const controllerLayers = new Map<string, VariableLayer[]>();
  const wanted = { groups: inventory.groups, controllers: new Set([...inventory.controllers.keys(), ...added]) };
  for (const folder of folders) {
    const shown = path.relative(cwd, folder);
    const { groups, controllers } = await loadGroupVars(folder, 'playbook', { ...files, diagnostics }, wanted, shown);
    for (const [name, layers] of groups) for (const layer of layers) appendTo(groupLayers, name, layer);
    for (const [name, layers] of controllers) for (const layer of layers) appendTo(controllerLayers, name, layer);
  }
  return { groupLayers, controllerLayers };
}
