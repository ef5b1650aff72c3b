import type { Holder } from '../../locks/lock.js';
import { accountName, ownIdentity } from '../../locks/process_identity.js';
import { controllerIdentity } from '../../model/inventory/route.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { Connect } from '../../run/input/run_input.js';
import type { RunPorts } from '../load/ports.js';

export type LockPorts = Pick<RunPorts, 'env' | 'caller' | 'report' | 'signals' | 'cwd'>;

/** The locks of a run, for as long as it lasts. */
export interface RunLock {
  /**
   * Locks a controller, by its identity, that became known during the run. Resolves to the reason if that fails, to undefined if it is
   * locked.
   */
  lockLate(controller: string): Promise<string | undefined>;
  /** Refuses each controller that another run has locked. */
  guard(connect: Connect): Connect;
  /** Never throws. */
  release(): Promise<void>;
  /** Aborted when another run takes over the locks. Absent: no other run can. */
  readonly lost?: AbortSignal | undefined;
}

export type LockAnswer =
  | { readonly status: 'granted'; readonly lock: RunLock }
  | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  /** Interrupted while it waited for other runs. */
  | { readonly status: 'interrupted' };

/** For a run that writes to no controller. */
export const NO_LOCK: RunLock = {
  lockLate: () => Promise.resolve(undefined),
  guard: (connect) => connect,
  release: () => Promise.resolve(),
};

/** Refuses each controller that cannot be locked. */
export function guarded(connect: Connect, lock: (controller: string) => Promise<string | null | undefined>): Connect {
  return async (settings, variables) => {
    const refusal = (await lock(controllerIdentity(settings))) ?? undefined;
    if (refusal !== undefined) throw new Error(refusal);
    return connect(settings, variables);
  };
}

export function holderOf(run: string, command: string): Holder {
  const since = new Date().toISOString();
  return { run, process: ownIdentity(), user: accountName(), command, since };
}
