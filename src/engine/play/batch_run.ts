import type { Controller } from '../../core/model/inventory/inventory.js';
import { SecretFinder } from '../../core/secrets/secret_finder.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { Strategy } from '../batch/strategy.js';
import type { RunContext, RunControl, RunState } from '../context/task_run.js';
import { AutoForks, forkLimit, machineLoad } from '../control/auto_forks.js';
import { LoopYielder } from '../control/clock.js';
import { controllerLocks, StopSignals, throttles } from '../control/start_conditions.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { Expectations } from '../controllers/expected_objects.js';
import { Fleet } from '../controllers/fleet.js';
import { LiveInventory } from '../controllers/live_inventory.js';
import { adjacentLayers } from '../controllers/play_variables.js';
import { SessionPool } from '../controllers/session_pool.js';
import type { RunInput } from '../input/run_input.js';
import { StepKeys } from '../journal/step_keys.js';
import { StartAt } from '../keywords/selected_steps.js';
import type { FollowedPlan } from '../resource/followed_plan.js';
import type { PlayContext } from '../walk/play_context.js';
import { walkThrough } from '../walk/walk.js';

/** The number of a batch in its play, from 1. */
export interface BatchNumber {
  readonly batch: number;
  readonly batches: number;
}

export function batchText({ batch, batches }: BatchNumber): string {
  return batches === 1 ? 'the play' : `batch ${batch} of ${batches}`;
}

/** Runs the play on the controllers of one batch that are left. Returns those that failed or were unreachable. */
export async function runBatch(
  context: PlayContext,
  number: BatchNumber,
  strategy: Strategy,
  isNeededLater: (controller: string) => boolean,
): Promise<readonly string[]> {
  const { play, run } = context;
  const { batch, name } = play;
  const controllers = batch.filter((controller) => run.fleet.isAlive(controller));
  const lost = batch.filter((controller) => !run.fleet.isAlive(controller));
  for (const controller of lost) context.batchState.once.leave(controller);
  run.emit({ type: 'batch-started', play: name, ...number, controllers, ...(lost.length > 0 && { lost }) });
  const watch = watchFirst(run, controllers.length);
  await strategy(controllers, async (controller, barrier) => {
    const isToBegin = !run.control.stopSignals.isStopping || hasBegun(context, controller);
    const state = isToBegin ? run.fleet.find(controller) : undefined;
    if (state !== undefined) watch(endOnController(context, state, await walkThrough(context, state, barrier)));
    context.batchState.once.leave(controller);
    const isLast = !isNeededLater(controller);
    if (isLast) run.expected.release(controller);
    if (isLast || run.sessions.size > run.control.forks.now) await run.sessions.close(controller);
  });
  const { fleet } = run;
  fleet.setHasLeftPlay(fleet.known(batch), false);
  const failed = controllers.filter((controller) => !fleet.isAlive(controller));
  const undone = controllers.filter((controller) => fleet.isAlive(controller) && !fleet.hasFinished(controller));
  const unstarted = undone.filter((controller) => !fleet.hasStarted(controller));
  const cutOff = undone.filter((controller) => fleet.hasStarted(controller));
  const without = { ...(unstarted.length > 0 && { unstarted }), ...(cutOff.length > 0 && { cutOff }) };
  run.emit({ type: 'batch-finished', play: name, batch: number.batch, failed, ...without });
  return failed;
}

/** If this many controllers are unreachable, they probably share one cause. */
const FIRST = 10;

/** Warns if none of the first controllers can be reached: a fleet that does not answer takes a long time to fail. */
function watchFirst(run: RunContext, controllers: number): (end: StepEnd) => void {
  let unreachable = 0;
  let isOver = controllers <= FIRST;
  return (end) => {
    if (isOver) return;
    unreachable += 1;
    isOver = end !== 'unreachable' || unreachable === FIRST;
    if (end !== 'unreachable' || unreachable < FIRST) return;
    const rest = `${controllers - FIRST} still to try`;
    const message = `none of the first ${FIRST} controllers could be reached, ${rest}: is the network, VPN or proxy up? Ctrl-C stops the run; a shorter controller_timeout or controller_patience makes it give up sooner`;
    run.emit({ type: 'warning', message });
  };
}

function endOnController({ run, play, batchState }: PlayContext, state: ControllerState, end: StepEnd): StepEnd {
  if (end === 'failed' || end === 'unreachable' || end === 'stale') run.fleet.lose(state, end);
  if (end === 'left') run.fleet.setHasLeftPlay([state], true);
  if (end === 'halted') batchState.leaveHalted();
  state.finished = end === 'completed' || end === 'left';
  const isCutOff = end === 'stopped' || end === 'halted';
  run.emit({ type: 'controller-finished', play: play.name, controller: state.name, ...(isCutOff && { cutOff: true }) });
  return end;
}

/** Whether the controller ran a part of the play before the interrupt. */
export function hasBegun({ run, area }: Pick<PlayContext, 'run' | 'area'>, name: string): boolean {
  return run.input.record.past?.reached(name, area) !== undefined;
}

/** Creates the state that all plays of a run share. */
export async function newRunState(input: RunInput, followed: FollowedPlan | undefined): Promise<RunState> {
  const { plan, journal, past } = input.record;
  const keeper = plan ?? journal ?? past;
  const plays = input.selection.plays.map(({ play }) => play);
  const onChange = (controller: Controller): void => {
    fleet.regroup(controller);
    secrets.learnWritten([controller.layers, ...plays.map((play) => adjacentLayers(controller, play))].flat());
  };
  const inventory = new LiveInventory(input.sources.inventory, onChange, plays);
  const fleet = new Fleet(inventory);
  const secrets = new SecretFinder(input.sources.secrets, inventory, hasTemplate);
  const control = await createControl(input);
  return {
    fleet,
    inventory,
    sessions: new SessionPool(input, control.forks),
    secrets,
    control,
    followed,
    keys: keeper && new StepKeys(keeper.digest.bind(keeper)),
    expected: new Expectations(),
    start: new StartAt(input.selection.startAtTask),
  };
}

async function createControl({
  settings,
  connections,
  stops,
  record,
  user: { confirmTask },
}: RunInput): Promise<RunControl> {
  const forks = forkLimit(settings.forks, machineLoad);
  if (forks instanceof AutoForks) connections.watchLoad?.(forks);
  return {
    forks,
    stopSignals: new StopSignals(stops, record.journal?.broken),
    loopYielder: new LoopYielder(),
    locks: controllerLocks(),
    savedFiles: new Map(),
    throttles: throttles(),
    confirmation: confirmTask && new (await import('../control/task_confirmation.js')).TaskConfirmation(confirmTask),
  };
}
