import type { Value } from '../../model/values/value.js';
import { hasTemplate } from '../../template/language/template.js';
import { SecretFinder } from '../../secrets/secret_finder.js';
import { Confirmation } from '../control/confirmation.js';
import { ControllerLocks } from '../control/controller_locks.js';
import { LoopYielder } from '../control/loop_yielder.js';
import type { RunControl } from '../control/run_control.js';
import { savedFiles } from '../control/saved_files.js';
import { StopSignals } from '../control/stop_signals.js';
import { Throttles } from '../control/throttles.js';
import { Fleet } from '../controllers/fleet.js';
import { LiveInventory } from '../controllers/live_inventory.js';
import { SessionPool } from '../controllers/session_pool.js';
import type { RunState } from '../context/run_context.js';
import type { ConfirmTask, RunInput } from '../input/run_input.js';
import { StepKeys } from '../journal/step_keys.js';
import { Start } from '../keywords/selected_steps.js';
import type { FollowedPlan } from '../resource/followed_plan.js';

/** Where a run is recorded, and who confirms its tasks. */
interface Surroundings {
  /** Identifies steps. Absent: nothing is recorded. */
  readonly digest: ((value: Value) => string) | undefined;
  /** The journal cannot be written any more. Absent: there is no journal. */
  readonly broken: AbortSignal | undefined;
  readonly confirmTask?: ConfirmTask | undefined;
  readonly followed: FollowedPlan | undefined;
}

type Loaded = Pick<RunInput, 'sources' | 'settings' | 'selection' | 'connections' | 'stops'>;

/** Creates the state that all plays of a run share. */
export function newRunState(input: Loaded, { digest, broken, confirmTask, followed }: Surroundings): RunState {
  const inventory = new LiveInventory(input.sources.inventory, (controller) => {
    fleet.regroup(controller);
    secrets.learnWritten(controller.layers);
  });
  const fleet = new Fleet(inventory);
  const secrets = new SecretFinder(input.sources.secrets, inventory, hasTemplate);
  return {
    fleet,
    inventoryChanges: inventory,
    sessions: new SessionPool(input),
    secrets,
    control: controlOf(input, broken, confirmTask),
    followed,
    keys: digest && new StepKeys(digest),
    start: new Start(input.selection.startAtTask),
  };
}

function controlOf(
  { stops }: Pick<RunInput, 'stops'>,
  broken: AbortSignal | undefined,
  confirmTask: ConfirmTask | undefined,
): RunControl {
  return {
    stopSignals: new StopSignals({
      interrupt: stops.signal,
      refused: stops.credentialsRefused,
      givenUp: stops.abort,
      broken,
    }),
    loopYielder: new LoopYielder(),
    locks: new ControllerLocks(),
    savedFiles: savedFiles(),
    throttles: new Throttles(),
    confirmation: confirmTask && new Confirmation(confirmTask),
  };
}
