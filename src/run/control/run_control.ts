import type { Confirmation } from './confirmation.js';
import type { ControllerLocks } from './controller_locks.js';
import type { LoopYielder } from './loop_yielder.js';
import type { StopSignals } from './stop_signals.js';
import type { Throttles } from './throttles.js';

/** Decides when the tasks of a run may start. */
export interface RunControl {
  readonly stopSignals: StopSignals;
  readonly loopYielder: LoopYielder;
  readonly locks: ControllerLocks;
  readonly throttles: Throttles;
  /** The controller that each local file was saved for, by path: another one must not replace the file. */
  readonly savedFiles: Map<string, string>;
  /** `--step`. */
  readonly confirmation: Confirmation | undefined;
}
