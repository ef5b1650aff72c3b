import type { Include, Task } from '../../core/model/playbook/step.js';
import type { StepSettled } from '../../core/model/run/journal.js';
import { orElse, placeText } from '../../core/model/source/diagnostic.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { TaskRun } from '../context/task_run.js';
import { evaluateThrottle, renderTitle } from '../keywords/rendered_keywords.js';
import type { ReplayedStep } from '../task/replay.js';
import { runTask, type RanTask } from '../task/task.js';
import type { TaskEnd } from '../task/task_end.js';
import { applyEnd, bypassesOthers, finishTask } from './finish_task.js';
import type { WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

/** Not `async`: in a linear run, all controllers wait in here, and each pending `async` function takes 500 bytes. */
export function walkTask(walk: Walker, task: Task, frame: WalkFrame): Promise<StepEnd> {
  return runStep(walk, task, frame).then((end) => (typeof end === 'string' ? end : end.status));
}

/** Runs an include, then its content. */
export async function walkInclude(walk: Walker, include: Include, frame: WalkFrame): Promise<StepEnd> {
  const end = await runStep(walk, include, frame);
  if (typeof end === 'string') return end;
  if (end.status !== 'completed' || end.included.length === 0) return end.status;
  // Not all playbooks include something.
  const { walkIncluded } = await import('./walk_include.js');
  return walkIncluded(walk, include, end.included, frame);
}

/**
 * Runs a task or an include when its turn has come, or takes the result of the controller that ran it. Returns why it was not started, if
 * it was not.
 */
async function runStep(walk: Walker, task: Task | Include, frame: WalkFrame): Promise<TaskEnd | StepEnd> {
  const { context, state, barrier } = walk;
  const reached = walk.journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  context.batchState.once.arrive(state.name, frame.position);
  await barrier.beginStep(frame.position);
  const run = taskRun(walk, task, frame);
  try {
    const { runOnce, args } = task;
    if (runOnce === undefined && !bypassesOthers(run.module, args, barrier.lockstep))
      return await begin(walk, run, frame);
    // Few tasks are done by one controller for all.
    const { runForBatch } = await import('./run_once.js');
    return await runForBatch(walk, run, frame, (own) => begin(walk, own, frame));
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
