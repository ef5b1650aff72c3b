import type { Confirmation } from './confirmation.js';
import type { ControllerLocks } from './controller_locks.js';
import type { LoopYielder } from './loop_yielder.js';
import type { StopSignals } from './stop_signals.js';
import type { Throttles } from './throttles.js';

/** What decides when the tasks of a run may start. */
export interface RunControl {
  readonly stopSignals: StopSignals;
  readonly loopYielder: LoopYielder;
  readonly locks: ControllerLocks;
  readonly throttles: Throttles;
  /** Which controller has a local file, by path: another one must not replace what was saved for it. */
  readonly savedFiles: Map<string, string>;
  /** `--step`. */
  readonly confirmation: Confirmation | undefined;
}
