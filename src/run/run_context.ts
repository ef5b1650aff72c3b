import type { Emit } from '../model/run/event.js';
import type { Controller } from '../model/inventory/inventory.js';
import type { Value } from '../model/values/value.js';
import type { Brake } from './brake.js';
import type { Breather } from './breather.js';
import type { Confirmation } from './play/confirmation.js';
import type { ControllerLocks } from './task/controller_locks.js';
import type { ControllerConnections } from './fleet/controller_connections.js';
import type { Fleet } from './fleet/fleet.js';
import type { PlayVariables } from './play/play_variables.js';
import type { RunInput } from './input.js';
import type { StepKeys } from './journal/step_keys.js';
import type { LiveInventory } from './fleet/live_inventory.js';
import type { SecretFinder } from '../secrets/secret_finder.js';
import type { SessionPool } from './fleet/session_pool.js';
import type { Start } from './play/start_at.js';
import type { CountedTask } from './stats.js';
import type { Throttles } from './task/throttles.js';

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
  readonly brake: Brake;
  readonly breather: Breather;
  /** Absent: nothing is kept, and nothing was before. */
  readonly keys: StepKeys | undefined;
  /** `--start-at-task`. */
  readonly start: Start;
  /** `--step`. */
  readonly confirmation: Confirmation | undefined;
  /** The magic variable `groups`: every group with all its members. */
  readonly groups: Value;
}
