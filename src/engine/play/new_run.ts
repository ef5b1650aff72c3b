import { SecretFinder } from '../../core/secrets/secret_finder.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { RunControl, RunState } from '../context/run_context.js';
import { AutoForks, forkLimit, machineLoad } from '../control/auto_forks.js';
import { LoopYielder } from '../control/clock.js';
import { TaskConfirmation } from '../control/confirmation.js';
import { StopSignals } from '../control/stop_signals.js';
import { ControllerLocks, Throttles } from '../control/turns.js';
import { Fleet } from '../controllers/fleet.js';
import { LiveInventory } from '../controllers/live_inventory.js';
import { SessionPool } from '../controllers/session_pool.js';
import type { RunInput } from '../input/run_input.js';
import { StepKeys } from '../journal/step_keys.js';
import { StartAt } from '../keywords/selected_steps.js';
import type { FollowedPlan } from '../resource/followed_plan.js';

/** Creates the state that all plays of a run share. */
export function newRunState(input: RunInput, followed: FollowedPlan | undefined): RunState {
  const { plan, journal, past } = input.record;
  const keeper = plan ?? journal ?? past;
  const inventory = new LiveInventory(input.sources.inventory, (controller) => {
    fleet.regroup(controller);
    secrets.learnWritten(controller.layers);
  });
  const fleet = new Fleet(inventory);
  const secrets = new SecretFinder(input.sources.secrets, inventory, hasTemplate);
  const control = createControl(input);
  return {
    fleet,
    inventory,
    sessions: new SessionPool(input, control.forks),
    secrets,
    control,
    followed,
    keys: keeper && new StepKeys((value) => keeper.digest(value)),
    start: new StartAt(input.selection.startAtTask),
  };
}

function createControl({ settings, connections, stops, record, user: { confirmTask } }: RunInput): RunControl {
  const forks = forkLimit(settings.forks, machineLoad);
  if (forks instanceof AutoForks) connections.watchLoad?.(forks);
  return {
    forks,
    stopSignals: new StopSignals({
      interrupt: stops.signal,
      refused: stops.credentialsRefused,
      givenUp: stops.abort,
      broken: record.journal?.broken,
    }),
    loopYielder: new LoopYielder(),
    locks: new ControllerLocks(),
    savedFiles: new Map(),
    throttles: new Throttles(),
    confirmation: confirmTask && new TaskConfirmation(confirmTask),
  };
}
