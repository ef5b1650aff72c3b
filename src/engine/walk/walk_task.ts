import type { Include, Task } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import type { StepSettled } from '../../core/model/run/journal.js';
import { orElse, placeText } from '../../core/model/source/diagnostic.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { layersText, type OnceResult, type SharedResult, type StepEnd } from '../batch/batch_state.js';
import type { OnceTurn } from '../batch/once.js';
import type { Barrier } from '../batch/strategy.js';
import type { TaskRun } from '../context/task_run.js';
import { keepVariables } from '../controllers/controller_state.js';
import { evaluateThrottle, renderFlagOr, renderTitle } from '../keywords/rendered_keywords.js';
import type { ReplayedStep } from '../task/replay.js';
import { runTask, type RanTask } from '../task/task.js';
import type { TaskEnd } from '../task/task_end.js';
import { applyEnd, bypassesOthers, finishTask, othersContinueWithout, rememberFailure } from './finish_task.js';
import type { WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

/** Not `async`: in a linear run, all controllers wait in here, and each pending `async` function takes 500 bytes. */
export function walkTask(walk: Walker, task: Task, frame: WalkFrame): Promise<StepEnd> {
  return runStep(walk, task, frame).then((end) => (typeof end === 'string' ? end : end.status));
}

/**
 * Runs a task or an include when its turn has come, or takes the result of the controller that ran it. Returns why it was not started, if
 * it was not.
 */
export async function runStep(walk: Walker, task: Task | Include, frame: WalkFrame): Promise<TaskEnd | StepEnd> {
  const { context, state, barrier } = walk;
  const reached = walk.journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  context.batchState.once.arrive(state.name, frame.position);
  await barrier.beginStep(frame.position);
  const run = taskRun(walk, task, frame);
  try {
    return await (mayBeOnce(run, barrier) ? takeTurn(walk, run, frame) : begin(walk, run, frame));
  } finally {
    barrier.endStep();
  }
}

/**
 * Takes over the result from before the interrupt. Otherwise begins the step, if new steps may start and the user
 * confirms it.
 */
async function begin(walk: Walker, run: TaskRun, frame: WalkFrame): Promise<TaskEnd | StepEnd> {
  const { context } = walk;
  const turn = context.run.control.loopYielder.yieldLoop();
  if (turn !== undefined) await turn;
  if (run.stepJournal?.isAmbiguous === true) {
    const { ambiguousStep } = await import('../task/replay.js');
    return finishReplayed(walk, run, frame, ambiguousStep(run));
  }
  const settled = run.stepJournal?.finishedBefore();
  if (settled !== undefined) {
    // An `always` may have undone it because of an interrupt.
    if (run.stepJournal?.wasCleanedUp === true) return runThrottled(walk, run, frame, settled);
    const { replayStep } = await import('../task/replay.js');
    return finishReplayed(walk, run, frame, await replayStep(run, settled));
  }
  const refused = walk.refusal(frame);
  if (refused !== undefined) return refused;
  const { confirmation } = context.run.control;
  if (confirmation !== undefined) {
    if (run.stepJournal?.wasDeclined === true) return 'completed';
    const step = `${context.area} ${placeText(run.task.source)}`;
    if (!(await confirmation.confirm(step, frame.position, run.title))) {
      if (!context.run.control.stopSignals.isStopping) run.stepJournal?.decline();
      return walk.refusal(frame) ?? 'completed';
    }
  }
  return runThrottled(walk, run, frame, undefined);
}

/**
 * Works on a step when its throttle lets it. It may finish even if the batch ends meanwhile.
 *
 * @param settled its recorded end, if it is repeated
 */
function runThrottled(walk: Walker, run: TaskRun, frame: WalkFrame, settled?: StepSettled): Promise<TaskEnd | StepEnd> {
  return throttled(run, async () => {
    const refused = walk.refusal(frame);
    if (refused !== undefined) return refused;
    const { journal } = walk.context.batchState;
    if (!walk.journal.isCutOff) journal?.begin(walk.state.name, frame.position);
    const end =
      settled === undefined
        ? finishRan(walk, run, frame, await runTask(run))
        : finishReplayed(walk, run, frame, await (await import('../task/replay.js')).repeatStep(run, settled));
    journal?.finishStep(walk.state.name);
    return end;
  });
}

/**
 * Does the work when the task's `throttle` permits it. A `throttle` that fails to render fails the task; until then, it
 * admits one controller at a time.
 */
function throttled<T>(run: TaskRun, work: () => Promise<T>): Promise<T> {
  if (run.task.throttle === undefined) return work();
  const limit = orElse(1, () => evaluateThrottle(run.task, run.scope()));
  return limit <= 0
    ? work()
    : run.context.run.control.throttles.take(placeText(run.task.source), limit, run.fork.wait, work);
}

function finishRan(walk: Walker, run: TaskRun, frame: WalkFrame, { end, report }: RanTask): TaskEnd {
  finishTask(walk, run, frame, end);
  report();
  walk.notified.notify(end.notified, 'new');
  return end;
}

function finishReplayed(walk: Walker, run: TaskRun, frame: WalkFrame, { end, isSame }: ReplayedStep): TaskEnd {
  if (isSame) applyEnd(walk, run, frame, end);
  else finishTask(walk, run, frame, end);
  walk.notified.notify(end.notified, isSame ? 'reported' : 'new');
  return end;
}

function taskRun(walk: Walker, task: Task | Include, frame: WalkFrame): TaskRun {
  const { context, state, connections } = walk;
  const layers = [...frame.layers, ...task.layers];
  const scope = () => {
    const variables = walk.variables.scope(layers);
    if (layers.length > 0) context.run.secrets.learnLayers(layers, variables);
    return variables;
  };
  const { maskedWords } = context.run.fleet;
  maskedWords.isPossible ||= task.noLog !== undefined;
  const used = state.used();
  return {
    context,
    state,
    task,
    module: context.modules.get(task.module),
    title: renderTitle(task, scope, used),
    used,
    enclosing: frame,
    stepJournal: walk.journal.stepJournal(frame, task),
    connections,
    fork: walk.barrier.fork,
    scope,
    handlerScope: (handler) => walk.variables.scope(handler.layers),
  };
}

/** A template in `run_once` may differ between controllers: the first one decides for all. */
function mayBeOnce(run: TaskRun, barrier: Barrier): boolean {
  const value = run.task.runOnce?.value;
  return (typeof value === 'string' && hasTemplate(value)) || isOnce(run, barrier);
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
async function takeTurn(walk: Walker, run: TaskRun, frame: WalkFrame): Promise<TaskEnd | StepEnd> {
  const { context, state, barrier } = walk;
  const { step, position } = sharedPlace(walk, run.task, frame);
  const { once } = context.batchState;
  const turn = once.turn(state.name, step, position, run.stepJournal?.earlierTurn(context.membersBefore));
  if (turn instanceof Promise || turn.type === 'share') barrier.waitForOthers();
  const known = turn instanceof Promise ? await barrier.fork.wait(() => turn) : turn;
  if (known.type === 'share')
    return known.result.type === 'each' ? begin(walk, run, frame) : takeOverResult(walk, run, frame, known.result);
  if (isOnce(run, barrier)) {
    const stepJournal = run.stepJournal?.continuing(context.membersBefore, {
      hasLeft: (name) => once.hasLeft(name),
      isOnly: () => context.run.keys?.isOnly(run.task, context.steps) === true,
    });
    return performForBatch(walk, { ...run, stepJournal }, frame, known);
  }
  known.done({ type: 'each' });
  return begin(walk, run, frame);
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
  frame: WalkFrame,
  { done }: Extract<OnceTurn<OnceResult>, { type: 'perform' }>,
): Promise<TaskEnd | StepEnd> {
  let result: OnceResult = { type: 'step', end: 'stopped' };
  try {
    const end = await begin(walk, run, frame);
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
