import type { Emit } from '../../model/run/event.js';
import type { Controller } from '../../model/inventory/inventory.js';
import type { Value } from '../../model/values/value.js';
import type { StopSignals } from '../control/stop_signals.js';
import type { LoopYielder } from '../control/loop_yielder.js';
import type { Confirmation } from '../batch/confirmation.js';
import type { ControllerLocks } from '../execution/controller_locks.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { Fleet } from '../controllers/fleet.js';
import type { PlayVariables } from '../controllers/play_variables.js';
import type { RunInput } from '../input.js';
import type { StepKeys } from '../journal/step_keys.js';
import type { LiveInventory } from '../controllers/live_inventory.js';
import type { SecretFinder } from '../../secrets/secret_finder.js';
import type { SessionPool } from '../controllers/session_pool.js';
import type { Start } from '../keywords/selected_steps.js';
import type { CountedTask } from '../stats.js';
import type { Throttles } from '../execution/throttles.js';

/** What all plays of one run share. */
export interface RunContext {
  readonly input: RunInput;
  /** With the controllers and groups that the run itself added. */
  readonly inventory: LiveInventory;
  readonly emit: Emit;
  /** Counts in the recap what was told before the run was cut off. */
  readonly count: (task: CountedTask) => void;
  readonly fleet: Fleet;
  readonly sessions: SessionPool;
  /** How controllers are reached that tasks are delegated to, by play. */
  readonly delegates: WeakMap<PlayVariables, Map<Controller, ControllerConnections>>;
  readonly locks: ControllerLocks;
  readonly throttles: Throttles;
  readonly secrets: SecretFinder;
  readonly stopSignals: StopSignals;
  readonly loopYielder: LoopYielder;
  /** Absent: nothing is kept, and nothing was before. */
  readonly keys: StepKeys | undefined;
  /** `--start-at-task`. */
  readonly start: Start;
  /** `--step`. */
  readonly confirmation: Confirmation | undefined;
  /** The magic variable `groups`: every group with all its members. */
  readonly groups: Value;
}
