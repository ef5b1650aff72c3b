import { placeText } from '../../core/model/source/source.js';
import { isMapping, type Value } from '../../core/model/values/value.js';
import type { Module } from '../../module/contract.js';
import type { OnceResult, StepEnd } from '../batch/batch_state.js';
import type { Turn } from '../batch/once.js';
import type { Barrier } from '../batch/strategy.js';
import type { TaskRun } from '../context/task_run.js';
import { renderFlagOr } from '../keywords/rendered_keywords.js';
import type { TaskEnd } from '../task/task_end.js';
import { shareResult } from '../task/task.js';
import { rememberFailure } from './finish_task.js';
import type { Frame } from './frame.js';
import type { Walker } from './walker.js';

/** Whether one controller carries out the task for its whole batch. False if `run_once` fails to render. */
export function isOnce({ task, module, scope }: TaskRun, { lockstep }: Barrier): boolean {
  if (bypassesOthers(module, task.args, lockstep)) return true;
  if (task.runOnce === undefined) return false;
  try {
    // For Ansible `omit` is true here, and one write is safer than many.
    return renderFlagOr(true, 'run_once', task.runOnce, scope());
  } catch {
    return false;
  }
}

/** Some modules, such as `add_host`, always run once. */
function bypassesOthers(module: Module, written: Value, lockstep: boolean): boolean {
  const { once } = module.type === 'action' ? module : {};
  const said = typeof once === 'function' ? once(isMapping(written) ? written : {}) : once;
  return said === true || (said === 'in step' && lockstep);
}

/**
 * Runs the task if this controller is the first of its batch, else takes the first one's result. A waiting controller rests, because the
 * first one may need the fork.
 */
export async function takeTurn(
  walk: Walker,
  run: TaskRun,
  frame: Frame,
  begin: () => Promise<TaskEnd | StepEnd>,
): Promise<TaskEnd | StepEnd> {
  const { context, state, barrier } = walk;
  const turn = context.batchState.once.turn(state.name, placeText(run.task.source), frame.position);
  if (!(turn instanceof Promise) && turn.type === 'perform') return perform(walk, turn, begin);
  barrier.waitForOthers();
  const known = turn instanceof Promise ? await barrier.fork.rest(() => turn) : turn;
  return known.type === 'perform' ? perform(walk, known, begin) : takeOverResult(walk, run, frame, known.result);
}

async function perform(
  walk: Walker,
  { done }: Extract<Turn<OnceResult>, { type: 'perform' }>,
  begin: () => Promise<TaskEnd | StepEnd>,
): Promise<TaskEnd | StepEnd> {
  let result: OnceResult = { type: 'step', end: 'stopped' };
  try {
    const end = await begin();
    result = typeof end === 'string' ? { type: 'step', end } : { type: 'task', end };
    if (typeof end !== 'string' && walk.barrier.lockstep) shareWithBatch(walk, end);
    return end;
  } finally {
    done(result);
  }
}

/**
 * In lockstep, controllers that skip the task (in a `rescue` that they do not need) get the result, too, as in Ansible. Without lockstep,
 * the result would depend on timing.
 */
function shareWithBatch({ context }: Walker, { keptVariables }: TaskEnd): void {
  context.run.fleet.give(context.play.batch, keptVariables);
}

/**
 * All controllers get the registered result. A failure fails all, but only one is counted. Handlers run on the controller that notified
 * them.
 */
function takeOverResult(walk: Walker, run: TaskRun, frame: Frame, result: OnceResult): StepEnd {
  if (result.type === 'step') return result.end;
  const { end } = result;
  shareResult(walk.state, end);
  if (end.interrupted) {
    walk.journal.cutOff();
    return 'stopped';
  }
  if (end.status === 'unreachable' || end.status === 'stale') return 'halted';
  if (end.status !== 'failed') return end.status;
  // Without a rescue, the batch has ended. This controller has not failed, but does not continue.
  if (!frame.rescuable) return 'halted';
  rememberFailure(walk, run.task, end);
  return end.status;
}
