import type { VariableLayer } from '../../model/values/variables.js';
import type { RoleRequest } from './request.js';
import { variableFiles, type RoleFolder } from './files.js';
import type { OwnLayers } from './layers.js';

/** Reads `defaults` and `vars` of a role. */
export async function ownLayers(
  { vars, params }: Pick<RoleRequest, 'vars' | 'params'>,
  folder: RoleFolder,
): Promise<OwnLayers> {
  return {
    defaults: await read('defaults', folder),
    vars: [...vars, ...(await read('vars', folder))],
    params,
  };
}

async function read(part: 'defaults' | 'vars', folder: RoleFolder): Promise<readonly VariableLayer[]> {
  const { at, files } = folder;
  const level = part === 'defaults' ? 'role defaults' : 'role vars';
  const layers: VariableLayer[] = [];
  for (const file of variableFiles(part, folder)) {
    const layer = await files.variables(file, level, at.diagnostics);
    if (layer !== undefined) layers.push(layer);
  }
  return layers;
}
