import type { ExecutionOptions } from '../request/options.js';

export interface RollbackOptions extends ExecutionOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  readonly allowLockout?: boolean | undefined;
}
