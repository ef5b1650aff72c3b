import type { TaskConfirmation } from './confirmation.js';
import type { LoopYielder } from './loop_yielder.js';
import type { StopSignals } from './stop_signals.js';
import type { ControllerLocks, Throttles } from './turns.js';

/** Decides when the tasks of a run may start. */
export interface RunControl {
  readonly stopSignals: StopSignals;
  readonly loopYielder: LoopYielder;
  readonly locks: ControllerLocks;
  readonly throttles: Throttles;
  /** The controller whose task saves a local file: another controller must not overwrite it. */
  readonly savedFiles: Map<string, string>;
  /** `--step`. */
  readonly confirmation: TaskConfirmation | undefined;
}
