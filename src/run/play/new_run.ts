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
import type { RunContext } from '../context/run_context.js';
import type { RunInput, RunRecord } from '../input/run_input.js';
import { StepKeys } from '../journal/step_keys.js';
import { Start } from '../keywords/selected_steps.js';
import type { FollowedPlan } from '../resource/followed_plan.js';

/** Creates the state that all plays of a run share. */
export function newRunContext(
  input: RunInput,
  reporting: Pick<RunContext, 'emit' | 'count'>,
  followed: FollowedPlan | undefined,
): RunContext {
  const inventory = new LiveInventory(input.sources.inventory, (controller) => {
    fleet.regroup(controller);
    secrets.learnWritten(controller.layers);
  });
  const fleet = new Fleet(inventory);
  const secrets = new SecretFinder(input.sources.secrets, inventory, hasTemplate);
  return {
    input,
    ...reporting,
    fleet,
    inventoryChanges: inventory,
    sessions: new SessionPool(input),
    secrets,
    control: controlOf(input),
    followed,
    keys: keysOf(input.record),
    start: new Start(input.selection.startAtTask),
  };
}

function controlOf(input: RunInput): RunControl {
  return {
    stopSignals: new StopSignals({
      interrupt: input.stops.signal,
      refused: input.stops.credentialsRefused,
      givenUp: input.stops.abort,
      broken: input.record.journal?.broken,
    }),
    loopYielder: new LoopYielder(),
    locks: new ControllerLocks(),
    savedFiles: savedFiles(),
    throttles: new Throttles(),
    confirmation: input.user.confirmTask && new Confirmation(input.user.confirmTask),
  };
}

function keysOf({ plan, journal, past }: RunRecord): StepKeys | undefined {
  const keeper = plan ?? journal ?? past;
  return keeper && new StepKeys((value) => keeper.digest(value));
}
