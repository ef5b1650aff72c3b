import path from 'node:path';
import type { Invocation } from '../request/invocation.js';
import type { InventorySource } from '../../load/inventory/load.js';
import type { RunRequest } from '../request/run_request.js';

export interface RollbackOptions extends Omit<RunRequest, 'command'> {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  /** Write also what may lock Evenkeel out. */
  readonly allowLockout?: boolean | undefined;
}

type Kept = Pick<
  Invocation,
  'cwd' | 'inventory' | 'env' | 'extraVars' | 'vaultId' | 'vaultPasswordFile' | 'askVaultPass' | 'user' | 'askPass'
>;

/**
 * The options of a rollback: the inventory, environment and credentials of the run that is rolled back, and what is given now. File
 * names that are given now are relative to `cwd`.
 */
export function invokedOptions(options: RollbackOptions, kept: Kept, cwd: string): RollbackOptions {
  const { inventory, env, extraVars, vaultId, vaultPasswordFile, limit } = options;
  return {
    ...options,
    inventory: inventory?.map(absoluteIn(cwd)) ?? (env === undefined ? kept.inventory : undefined),
    env: env ?? kept.env,
    extraVars: [...(kept.extraVars ?? []), ...(extraVars ?? []).map(atFileIn(cwd))],
    vaultId: vaultId?.map(labelledIn(cwd)) ?? kept.vaultId,
    vaultPasswordFile: vaultPasswordFile?.map((file) => path.resolve(cwd, file)) ?? kept.vaultPasswordFile,
    askVaultPass: options.askVaultPass ?? kept.askVaultPass,
    limit: limit === undefined ? undefined : atFileIn(cwd)(limit),
    user: options.user ?? kept.user,
    askPass: options.askPass ?? kept.askPass,
  };
}

function absoluteIn(cwd: string): (source: InventorySource) => InventorySource {
  return (source) => (typeof source !== 'string' || source.includes(',') ? source : path.resolve(cwd, source));
}

function atFileIn(cwd: string): (text: string) => string {
  return (text) => (text.startsWith('@') ? `@${path.resolve(cwd, text.slice(1))}` : text);
}

/** `label@file`, `label@prompt` or `file`. */
function labelledIn(cwd: string): (id: string) => string {
  return (id) => {
    const at = id.indexOf('@') + 1;
    return id.endsWith('@prompt') ? id : id.slice(0, at) + path.resolve(cwd, id.slice(at));
  };
}
