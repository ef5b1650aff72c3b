import type { VariableLayer } from '../../model/variables.js';
import type { Means } from '../means.js';
import { readVariables } from '../variables/variables_file.js';
import type { RoleRequest } from './request.js';
import { variableFiles, type RoleFolder } from './files.js';
import type { OwnLayers } from './layers.js';

/** Reads `defaults` and `vars` of a role. */
export async function ownLayers(
  { vars, params }: Pick<RoleRequest, 'vars' | 'params'>,
  folder: RoleFolder,
  means: Means,
): Promise<OwnLayers> {
  return {
    defaults: await read('defaults', folder, means),
    vars: [...vars, ...(await read('vars', folder, means))],
    params,
  };
}

async function read(part: 'defaults' | 'vars', folder: RoleFolder, means: Means): Promise<readonly VariableLayer[]> {
  const { at, files } = folder;
  const level = part === 'defaults' ? 'role defaults' : 'role vars';
  const layers: VariableLayer[] = [];
  for (const file of variableFiles(part, folder)) {
    const layer = await readVariables(file, level, at.diagnostics, files.show(file), means);
    if (layer !== undefined) layers.push(layer);
  }
  return layers;
}
