import type { Block, Meta } from '../../core/model/playbook/step.js';
import type { TaskFinished } from '../../core/model/run/event.js';
import { orElse, type Source } from '../../core/model/source/diagnostic.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import type { Halt } from '../batch/batch_state.js';
import type { Barrier } from '../batch/strategy.js';
import { isMasked, MASKED_MESSAGE } from '../context/task_events.js';
import { keepVariables, NO_VARIABLES, type ControllerState } from '../controllers/controller_state.js';
import { variablesBefore } from '../controllers/play_variables.js';
import { refusedLater } from '../execution/plan/planned.js';
import { failed, failedBecause, type FailedResult, interruptedBecause, registered } from '../keywords/failed_result.js';
import { renderFlagOr } from '../keywords/rendered_keywords.js';
import { countLost, fatalKeyword } from './finish_task.js';
import type { PlayContext, WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

/** A step that is not a task, such as the loop of a block, and cannot be carried out. */
interface BrokenStep {
  /** The step's name in reports. */
  readonly title: string;
  readonly module: string;
  readonly source: Source;
  readonly judged: Pick<TaskFinished, 'ignored' | 'rescued'>;
}

/**
 * The controller fails at the step, which counts for `max_fail_percentage` unless a `rescue` catches it. A check goes on if only an apply
 * makes known what the step does (`later`). An interrupt is no failure (`stopped`).
 */
export function failAt(
  walk: Walker,
  frame: WalkFrame,
  step: Block | Meta,
  error: unknown,
): 'failed' | 'ignored' | 'later' | 'stopped' {
  const { context, state, barrier, journal } = walk;
  const { stopSignals } = context.run.control;
  if (interruptedBecause(error, stopSignals) !== undefined) return 'stopped';
  const { rescuable, layers, position } = frame;
  const { type: module, source } = step;
  const what = module === 'meta' ? 'meta step' : module;
  const reason =
    error instanceof KnownAfterApply
      ? refusedLater(walk, error, `what the ${what} does`)
      : failedBecause(error, module);
  if (reason === undefined) return 'later';
  const title = step.type === 'meta' ? `meta: ${step.action}` : (step.name?.value ?? module);
  const scope = (): Variables => walk.variables.scope([...layers, ...step.layers]);
  const why = isMasked({ task: step }, scope()) ? failed(MASKED_MESSAGE) : reason;
  // As in Ansible, that of a meta step ignores nothing.
  const { ignoreErrors } = step.type === 'meta' ? {} : step;
  const ignored = orElse(false, () => renderFlagOr(false, 'ignore_errors', ignoreErrors, scope()));
  const judged = ignored ? { ignored } : rescuable ? { rescued: true } : {};
  // As a failed task, a resume tries it again.
  if (stopSignals.isStopping) journal.isCutOff = true;
  const isReported = journal.recordFailure(frame, { module, title, ...judged });
  reportBrokenStep(context, state, { title, module, source, judged }, why, isReported);
  if (ignored) return 'ignored';
  if (rescuable) {
    const values = { ansible_failed_task: { name: title, action: module }, ansible_failed_result: registered(why) };
    keepVariables(state, { ...NO_VARIABLES, values });
    return 'failed';
  }
  if (stopSignals.isStopping) return 'failed';
  haltIfFatal(context, state, { title, keyword: fatalKeyword(step, scope), opening: barrier.opening, position });
  countLost(walk, frame);
  return 'failed';
}

/** The controller fails before the first step, because a file of `vars_files` cannot be used. */
export function failBeforeSteps(
  context: PlayContext,
  state: ControllerState,
  { opening }: Barrier,
  why: FailedResult,
): 'failed' {
  const { definition } = context.play;
  const { source } = definition;
  const title = 'vars_files';
  reportBrokenStep(context, state, { title, module: title, source, judged: {} }, why);
  const variables = (): Variables => variablesBefore(definition, context.run.input.sources);
  haltIfFatal(context, state, { title, keyword: fatalKeyword(definition, variables), opening });
  context.batchState.fail(state.name, { opening });
  return 'failed';
}

interface FatalFailure extends Pick<Halt, 'opening' | 'position'> {
  readonly title: string;
  /** Undefined: it is not fatal for all. */
  readonly keyword: string | undefined;
}

/** Ends the batch if the failure of a step that is not a task is fatal for all. */
function haltIfFatal({ batchState }: PlayContext, { name }: ControllerState, failure: FatalFailure): void {
  const { title, keyword, opening, position } = failure;
  if (keyword === undefined) return;
  batchState.halt({ reason: `"${title}" failed on ${name}, which ${keyword} makes fatal for all`, opening, position });
}

/** Reports it as a failed task, because the controller cannot continue. */
function reportBrokenStep(
  { run, play }: PlayContext,
  state: ControllerState,
  { title, module, source, judged }: BrokenStep,
  { failure, values }: FailedResult,
  isReported = false,
): void {
  if (isReported) return run.count({ controller: state.name, status: 'failed', ...judged });
  const { message, hint, source: cause = source } = failure;
  run.emit({
    type: 'task-finished',
    play: play.name,
    task: title,
    module,
    controller: state.name,
    handler: false,
    status: 'failed',
    ...judged,
    seconds: 0,
    message,
    ...(hint !== undefined && { hint }),
    ...(run.input.settings.verbosity > 0 && { values }),
    diff: false,
    source: cause,
  });
}
