import type { StepEnd } from '../batch/batch_state.js';
import type { Barrier, Strategy } from '../batch/strategy.js';
import type { PlayContext } from '../walk/play_context.js';
import { walkThrough } from '../walk/walk.js';

/** The number of a batch in its play, from 1. */
export interface BatchNumber {
  readonly batch: number;
  readonly batches: number;
}

/** Runs the play on the controllers of one batch. Returns those that failed or were unreachable. */
export async function runBatch(
  context: PlayContext,
  number: BatchNumber,
  strategy: Strategy,
  isNeededLater: (controller: string) => boolean,
): Promise<readonly string[]> {
  const { play, run } = context;
  const { batch: controllers, name } = play;
  run.emit({ type: 'batch-started', play: name, ...number, controllers });
  const watch = watchFirst(context);
  await strategy(controllers, async (controller, barrier) => {
    watch(await walk(context, controller, barrier));
    context.batchState.once.leave(controller);
    if (!isNeededLater(controller) || run.sessions.size > run.control.forks.now) await run.sessions.close(controller);
  });
  const { fleet } = run;
  const failed = controllers.filter((controller) => !fleet.isAlive(controller));
  const undone = controllers.filter((controller) => fleet.isAlive(controller) && !fleet.hasFinished(controller));
  const unstarted = undone.filter((controller) => !fleet.hasStarted(controller));
  const cutOff = undone.filter((controller) => fleet.hasStarted(controller));
  run.emit({
    type: 'batch-finished',
    play: name,
    batch: number.batch,
    failed,
    ...(unstarted.length > 0 && { unstarted }),
    ...(cutOff.length > 0 && { cutOff }),
  });
  return failed;
}

/** If this many controllers are unreachable, they probably share one cause. */
const FIRST = 10;

/** Warns if none of the first controllers can be reached: a fleet that does not answer takes a long time to fail. */
function watchFirst({ run, play: { batch } }: PlayContext): (end: StepEnd | undefined) => void {
  let lost = 0;
  let isOver = batch.length <= FIRST;
  return (end) => {
    if (isOver || end === undefined) return;
    lost += 1;
    isOver = end !== 'unreachable' || lost === FIRST;
    if (end !== 'unreachable' || lost < FIRST) return;
    const rest = `${batch.length - FIRST} still to try`;
    const message = `none of the first ${FIRST} controllers could be reached, ${rest}: is the network, VPN or proxy up? Ctrl-C stops the run; a shorter controller_timeout or controller_patience makes it give up sooner`;
    run.emit({ type: 'warning', message });
  };
}

/** Undefined if the controller did not begin. */
async function walk(context: PlayContext, name: string, barrier: Barrier): Promise<StepEnd | undefined> {
  const state = context.run.fleet.find(name);
  if (state === undefined || (context.run.control.stopSignals.isStopping && !hasBegun(context, name))) return undefined;
  const end = await walkThrough(context, state, barrier);
  if (end === 'failed' || end === 'unreachable' || end === 'stale') context.run.fleet.lose(state, end);
  if (end === 'halted') context.batchState.leaveHalted();
  state.finished = end === 'completed' || end === 'left';
  context.run.emit({ type: 'controller-finished', play: context.play.name, controller: name });
  return end;
}

/** Whether the controller ran a part of the play before the interrupt. */
export function hasBegun({ run, area }: Pick<PlayContext, 'run' | 'area'>, name: string): boolean {
  return run.input.record.past?.reached(name, area) !== undefined;
}
