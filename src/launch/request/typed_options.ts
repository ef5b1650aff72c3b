import path from 'node:path';
import type { InventorySource } from '../../project/inventory/load.js';
import type { RunOptions } from './run_request.js';

/** Makes file names in options absolute, because the earlier run may have started in another folder. */
export function typedOptions<T extends RunOptions>(options: T, typedIn: string, startedIn: string): T {
  if (typedIn === startedIn) return options;
  const absolute = (file: string): string => path.resolve(typedIn, file);
  const { inventory, extraVars, vaultId, vaultPasswordFile, limit } = options;
  return {
    ...options,
    ...(inventory !== undefined && { inventory: inventory.map(absoluteSource(absolute)) }),
    ...(extraVars !== undefined && { extraVars: extraVars.map(absoluteAfterAt(absolute)) }),
    ...(vaultId !== undefined && { vaultId: vaultId.map(absoluteAfterLabel(absolute)) }),
    ...(vaultPasswordFile !== undefined && { vaultPasswordFile: vaultPasswordFile.map(absolute) }),
    ...(limit !== undefined && { limit: absoluteAfterAt(absolute)(limit) }),
  };
}

type Absolute = (file: string) => string;

/** A list of names (`lb1,`) is not a file. */
function absoluteSource(absolute: Absolute): (source: InventorySource) => InventorySource {
  return (source) => (typeof source !== 'string' || source.includes(',') ? source : absolute(source));
}

function absoluteAfterAt(absolute: Absolute): (text: string) => string {
  return (text) => (text.startsWith('@') ? `@${absolute(text.slice(1))}` : text);
}

/** `label@file`, `label@prompt` or `file`. */
function absoluteAfterLabel(absolute: Absolute): (id: string) => string {
  return (id) => {
    const at = id.indexOf('@') + 1;
    return id.endsWith('@prompt') ? id : id.slice(0, at) + absolute(id.slice(at));
  };
}
