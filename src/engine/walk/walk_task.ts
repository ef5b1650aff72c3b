import type { Include, Task } from '../../core/model/playbook/step.js';
import type { StepSettled } from '../../core/model/run/journal.js';
import { placeText } from '../../core/model/source/source.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { TaskRun } from '../context/task_run.js';
import { throttled } from '../execution/throttle.js';
import { titleOf } from '../keywords/title.js';
import { isSameStep } from '../task/recorded_step.js';
import { ambiguousStep, repeatStep, replayStep, type ReplayedStep } from '../task/replay.js';
import type { TaskEnd } from '../task/task_end.js';
import { runTask } from '../task/task.js';
import { applyEnd, beginStep, finishTask } from './finish_task.js';
import type { Frame } from './frame.js';
import { isOnce, takeTurn } from './run_once.js';
import type { Walker } from './walker.js';

export async function walkTask(walk: Walker, task: Task, frame: Frame): Promise<StepEnd> {
  const end = await runStep(walk, task, frame);
  return typeof end === 'string' ? end : end.status;
}

/**
 * Runs a task or an include when its turn has come, or takes the result of the controller that ran it. Returns why it was not started, if
 * it was not.
 */
export async function runStep(walk: Walker, task: Task | Include, frame: Frame): Promise<TaskEnd | StepEnd> {
  const { context, state, barrier } = walk;
  const reached = walk.journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  context.batchState.once.arrive(state.name, frame.position);
  await barrier.beginStep(frame.position);
  const run = taskRun(walk, task, frame);
  const carried = (): Promise<TaskEnd | StepEnd> => begin(walk, run, frame);
  try {
    return await (isOnce(run, barrier) ? takeTurn(walk, run, frame, carried) : carried());
  } finally {
    barrier.endStep();
  }
}

/**
 * Takes over the result from before the interrupt. Otherwise begins the step, if new steps may start and the user
 * confirms it.
 */
async function begin(walk: Walker, run: TaskRun, frame: Frame): Promise<TaskEnd | StepEnd> {
  const { context } = walk;
  await context.run.control.loopYielder.yieldLoop();
  if (run.stepJournal?.isAmbiguous === true) return finishReplayed(walk, run, frame, ambiguousStep(run));
  const settled = run.stepJournal?.finishedBefore();
  if (settled !== undefined && isSameStep(run, settled)) {
    if (run.stepJournal?.wasCleanedUp === true) return repeatCleanedUp(walk, run, frame, settled);
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
  return carryOut(walk, run, frame);
}

function carryOut(walk: Walker, run: TaskRun, frame: Frame): Promise<TaskEnd | StepEnd> {
  return throttled(run, async () => {
    const refused = walk.refusal(frame);
    if (refused !== undefined) return refused;
    beginStep(walk, frame);
    const { end, report } = await runTask(run);
    finishTask(walk, run, frame, end);
    report();
    walk.notified.notify(end.notified, 'new');
    return end;
  });
}

/** Runs a step again that an `always` may have undone because of an interrupt. */
function repeatCleanedUp(walk: Walker, run: TaskRun, frame: Frame, settled: StepSettled): Promise<TaskEnd | StepEnd> {
  return throttled(run, async () => {
    const refused = walk.refusal(frame);
    if (refused !== undefined) return refused;
    beginStep(walk, frame);
    const end = finishReplayed(walk, run, frame, await repeatStep(run, settled));
    walk.context.batchState.journal?.finishStep(walk.state.name);
    return end;
  });
}

function finishReplayed(walk: Walker, run: TaskRun, frame: Frame, { end, isSame }: ReplayedStep): TaskEnd {
  if (isSame) applyEnd(walk, run.task, frame, end);
  else finishTask(walk, run, frame, end);
  walk.notified.notify(end.notified, isSame ? 'reported' : 'new');
  return end;
}

function taskRun(walk: Walker, task: Task | Include, frame: Frame): TaskRun {
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
    title: titleOf(task, scope, used),
    used,
    enclosing: frame,
    stepJournal: walk.journal.stepJournal(frame, task),
    connections,
    fork: walk.barrier.fork,
    scope,
  };
}
