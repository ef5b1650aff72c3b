import type { Include, Task } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import { orElse, placeText } from '../../core/model/source/diagnostic.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { layersText, type OnceResult, type SharedResult, type StepEnd } from '../batch/batch_state.js';
import type { OnceTurn } from '../batch/once.js';
import type { Barrier } from '../batch/strategy.js';
import type { TaskRun } from '../context/task_run.js';
import { keepVariables } from '../controllers/controller_state.js';
import { renderFlagOr } from '../keywords/rendered_keywords.js';
import type { TaskEnd } from '../task/task_end.js';
import { bypassesOthers, othersContinueWithout, rememberFailure } from './finish_task.js';
import type { WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

type Begin = (run: TaskRun) => Promise<TaskEnd | StepEnd>;

/** Begins a task that one controller may carry out for its batch, or takes over the result. */
export async function runForBatch(walk: Walker, run: TaskRun, frame: WalkFrame, begin: Begin): ReturnType<Begin> {
  return hasOwnValue(run) || isOnce(run, walk.barrier) ? takeTurn(walk, run, frame, begin) : begin(run);
}

/** A template may differ between controllers: the first one decides for all, also if another one has begun the task for itself. */
function hasOwnValue({ task: { runOnce } }: TaskRun): boolean {
  return typeof runOnce?.value === 'string' && hasTemplate(runOnce.value);
}

/**
 * Whether one controller carries out the task for its whole batch. If `run_once` fails to render, the task fails for all. If only an apply
 * makes it known, each may be the one.
 */
function isOnce({ task, module, scope }: TaskRun, { lockstep }: Barrier): boolean {
  if (bypassesOthers(module, task.args, lockstep)) return true;
  const { runOnce } = task;
  // For Ansible `omit` is true here, and one write is safer than many.
  const render = (): boolean => renderFlagOr(true, 'run_once', runOnce, scope());
  return runOnce !== undefined && orElse(true, () => orElse(false, render, KnownAfterApply));
}

/**
 * Runs the task if this controller is the first of its batch, else takes the first one's result. A waiting controller rests, because the
 * first one may need the fork.
 */
async function takeTurn(walk: Walker, run: TaskRun, frame: WalkFrame, begin: Begin): ReturnType<Begin> {
  const { context, state, barrier } = walk;
  const { step, position } = sharedPlace(walk, run.task, frame);
  const { once } = context.batchState;
  const earlier = hasOwnValue(run) ? undefined : run.stepJournal?.earlierTurn(context.membersBefore);
  const turn = once.turn(state.name, step, position, earlier);
  if (turn instanceof Promise || turn.type === 'share') barrier.waitForOthers();
  const known = turn instanceof Promise ? await barrier.fork.wait(() => turn) : turn;
  if (known.type === 'share')
    return known.result.type === 'each' ? begin(run) : takeOverResult(walk, run, frame, known.result);
  if (isOnce(run, barrier)) {
    const stepJournal = run.stepJournal?.continuing(context.membersBefore, {
      isAbsent: (name) => once.isAbsent(name),
      isOnly: () => context.run.keys?.isOnly(run.task, context.steps) === true,
    });
    return performForBatch(walk, { ...run, stepJournal }, known, begin);
  }
  known.done({ type: 'each' });
  return begin(run);
}

/**
 * Where the controllers of a batch share a step. In a loop, what the step sees tells whether it is the same, as in Ansible. Without lockstep,
 * loops over other items and other handlers put it at another position for each controller, which may reach it until it has left the loop.
 */
function sharedPlace(
  walk: Walker,
  { source, layers: own }: Task | Include,
  { position, loopPosition, layers }: WalkFrame,
): { readonly step: string; readonly position: StepPosition } {
  const step = placeText(source);
  if (loopPosition === undefined) return { step, position };
  const seen = `${step} ${layersText([...layers, ...own])}`;
  if (walk.barrier.lockstep) return { step: seen, position };
  const visit = walk.journal.visit(`${loopPosition.join('.')} ${seen}`);
  return { step: `${visit} ${seen}`, position: [...loopPosition, Infinity] };
}

async function performForBatch(
  walk: Walker,
  run: TaskRun,
  { done }: Extract<OnceTurn<OnceResult>, { type: 'perform' }>,
  begin: Begin,
): ReturnType<Begin> {
  let result: OnceResult = { type: 'step', end: 'stopped' };
  try {
    const end = await begin(run);
    if (typeof end === 'string') result = { type: 'step', end };
    else result = { type: 'task', end: othersContinueWithout(run, end) ? { ...end, status: 'completed' } : end };
    // Without lockstep, the result would depend on timing. In lockstep, controllers that skip the task (in a `rescue` that they do not
    // need) get the result, too, as in Ansible.
    const { context, barrier } = walk;
    if (typeof end !== 'string' && barrier.lockstep) context.run.fleet.give(context.play.batch, end.keptVariables);
    return end;
  } finally {
    done(result);
  }
}

/**
 * All controllers get the registered result. A failure fails all, but only one is counted. Handlers run on the controller that notified
 * them.
 */
function takeOverResult(walk: Walker, run: TaskRun, frame: WalkFrame, result: SharedResult): StepEnd {
  if (result.type === 'step') return walk.refusal(frame) ?? result.end;
  const { end } = result;
  keepVariables(walk.state, end.keptVariables);
  if (end.interrupted) {
    walk.journal.isCutOff = true;
    return 'stopped';
  }
  if (end.status === 'unreachable' || end.status === 'stale') return 'halted';
  if (end.status !== 'failed') return end.status;
  // Without a rescue, the batch has ended. This controller has not failed, but does not continue.
  if (!frame.rescuable) return 'halted';
  rememberFailure(walk, run.task, end);
  return end.status;
}
