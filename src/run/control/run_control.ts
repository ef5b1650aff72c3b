import type { Confirmation } from './confirmation.js';
import type { ControllerLocks } from './controller_locks.js';
import type { LoopYielder } from './loop_yielder.js';
import type { SavedFiles } from './saved_files.js';
import type { StopSignals } from './stop_signals.js';
import type { Throttles } from './throttles.js';

/** Decides when the tasks of a run may start. */
export interface RunControl {
  readonly stopSignals: StopSignals;
  readonly loopYielder: LoopYielder;
  readonly locks: Pick<ControllerLocks, 'hold'>;
  readonly throttles: Pick<Throttles, 'through'>;
  readonly savedFiles: SavedFiles;
  /** `--step`. */
  readonly confirmation: Pick<Confirmation, 'confirm'> | undefined;
}
