import type { Invocation } from '../request/invocation.js';
import { brokerOf } from '../request/nats_options.js';
import type { RunRequest } from '../request/run_request.js';
import { typedOptions } from '../request/typed_options.js';

export interface RollbackOptions extends Omit<RunRequest, 'command'> {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  /** Write also what may lock Evenkeel out. */
  readonly allowLockout?: boolean | undefined;
}

type Kept = Pick<
  Invocation,
  | 'cwd'
  | 'inventory'
  | 'env'
  | 'extraVars'
  | 'vaultId'
  | 'vaultPasswordFile'
  | 'askVaultPass'
  | 'user'
  | 'askPass'
  | 'nats'
  | 'natsCreds'
  | 'natsCa'
>;

/** The options of a rollback: the inventory, environment and credentials of the run that is rolled back, and what is given now. */
export function invokedOptions(given: RollbackOptions, kept: Kept, cwd: string): RollbackOptions {
  const options = typedOptions(given, cwd, kept.cwd);
  const { inventory, env, extraVars } = options;
  return {
    ...options,
    inventory: inventory ?? (env === undefined ? kept.inventory : undefined),
    env: env ?? kept.env,
    extraVars: [...(kept.extraVars ?? []), ...(extraVars ?? [])],
    vaultId: options.vaultId ?? kept.vaultId,
    vaultPasswordFile: options.vaultPasswordFile ?? kept.vaultPasswordFile,
    askVaultPass: options.askVaultPass ?? kept.askVaultPass,
    user: options.user ?? kept.user,
    askPass: options.askPass ?? kept.askPass,
    ...brokerOf(kept, options),
  };
}
