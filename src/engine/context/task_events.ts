import type { Inheritable } from '../../core/model/playbook/step.js';
import type { EventBody } from '../../core/model/run/event.js';
import type { CountedEnd } from '../../core/model/run/journal.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import { orElse, type Source } from '../../core/model/source/diagnostic.js';
import type { EvaluationScope } from '../../language/scope.js';
import type { RunSettings } from '../input/run_input.js';
import { isStale } from '../keywords/failed_result.js';
import { renderFlagOr } from '../keywords/rendered_keywords.js';
import { isBlocked, type Performed, type ReportedTask, type TaskRun } from './task_run.js';

/** The parts of a task's event other than its result. */
export interface ReportDetails {
  /** The item's label, if this is one of a loop. */
  readonly item?: string | undefined;
  readonly ignored: boolean;
  /** `no_log`: only the status is shown. */
  readonly masked: boolean;
  /** Whether it ran in check mode. */
  readonly check: boolean;
  readonly diff: boolean;
  /** The controller that the task contacted, if not its own. */
  readonly delegatedTo?: string | undefined;
  /** Number of files that an include added. */
  readonly included?: number | undefined;
  readonly seconds: number;
}

/** Replaces the message of a task with `no_log`. */
export const MASKED_MESSAGE =
  "the output has been hidden due to the fact that 'no_log: true' was specified for this result";

export function emitStarted(run: ReportedTask, delegatedTo: string | undefined): void {
  const { context, title, task, state, enclosing } = run;
  context.run.emit({
    type: 'task-started',
    play: context.play.name,
    task: title,
    module: task.module,
    controller: state.name,
    ...(delegatedTo !== undefined && { delegatedTo }),
    handler: enclosing.handler,
  });
}

/** @param message what the task waits for */
export function emitRetried(run: ReportedTask, attempt: number, attempts: number, message?: string): void {
  const { context, title, task, state } = run;
  context.run.emit({
    type: 'task-retried',
    play: context.play.name,
    task: title,
    controller: state.name,
    attempt,
    attempts,
    ...(message !== undefined && { message: run.used?.text(message) ?? message }),
    source: task.source,
  });
}

/** @param seconds how long the task waits from now on */
export function emitProgressed(run: ReportedTask, message: string, seconds?: number): void {
  const { context, title, task, state, used } = run;
  context.run.emit({
    type: 'task-progressed',
    play: context.play.name,
    task: title,
    controller: state.name,
    message: used?.text(message) ?? message,
    ...(seconds !== undefined && { seconds }),
    source: task.source,
  });
}

export function warn(run: ReportedTask, message: string, source: Source = run.task.source): void {
  const { context, state, used } = run;
  context.run.emit({ type: 'warning', message: used?.text(message) ?? message, controller: state.name, source });
}

/** The fields of the task for the recap. */
export function countOutcome(
  run: ReportedTask,
  performed: Performed,
  { ignored, included }: Pick<ReportDetails, 'ignored' | 'included'>,
): CountedEnd {
  const { result } = performed;
  const { status, values } = result;
  const isUndone = status === 'failed' || status === 'unreachable' || status === 'interrupted';
  return {
    status,
    ...(ignored && { ignored: true }),
    ...(isRescued(run, performed, ignored) && { rescued: true }),
    ...(isUndone && values['changed'] === true && { changed: true }),
    ...(included !== undefined && { included }),
    ...('notCompared' in result && result.notCompared !== undefined && { notCompared: result.notCompared }),
  };
}

export function emitFinished(
  run: ReportedTask,
  performed: Performed,
  closing: ReportDetails,
  counted: CountedEnd,
): void {
  const { context, title, task, state, enclosing } = run;
  const { status, ...others } = counted;
  const { tenant, address, result } = performed;
  const { values } = result;
  const words = shownWords(performed, context.run.input.settings);
  const about = { controller: state.name, target: closing.delegatedTo, play: context.play.name, task: title };
  context.run.input.record.onResult?.({ ...about, tenant, address, values });
  context.run.emit({
    type: 'task-finished',
    play: context.play.name,
    task: title,
    module: task.module,
    controller: state.name,
    ...(closing.delegatedTo !== undefined && { delegatedTo: closing.delegatedTo }),
    ...(tenant !== undefined && { tenant }),
    ...(address !== undefined && { address }),
    handler: enclosing.handler,
    ...(closing.item !== undefined && { item: closing.item }),
    status,
    ...(closing.check && { check: true }),
    ...others,
    ...(performed.unconfirmed === true && { unconfirmed: true }),
    seconds: closing.seconds,
    ...(closing.masked ? maskedWords(words) : withoutHidden(words, run)),
    diff: closing.diff,
    source: task.source,
  });
}

/** The same task, which adds its events to these in place of reporting them. */
export function collectingEvents(run: TaskRun, events: EventBody[]): TaskRun {
  const emit = (event: EventBody): unknown => events.push(event);
  const { context } = run;
  return { ...run, context: { ...context, run: { ...context.run, emit } } };
}

type Words = Pick<
  Extract<EventBody, { type: 'task-finished' }>,
  'change' | 'maskedChange' | 'resumed' | 'message' | 'hint' | 'route' | 'cause' | 'values' | 'spoken'
>;

function shownWords({ result, spoken }: Performed, { verbosity, results }: RunSettings): Words {
  const change =
    'change' in result && result.change !== undefined && result.change.kind !== 'none' ? result.change : undefined;
  return {
    ...(change !== undefined && { change }),
    ...('resumed' in result && result.resumed !== undefined && { resumed: result.resumed }),
    ...words(result),
    ...((spoken === true || verbosity > 0 || results === true) && { values: result.values }),
    ...(spoken === true && { spoken }),
  };
}

function words(result: RunTaskResult): Pick<Words, 'message' | 'hint' | 'route' | 'cause'> {
  if ('failure' in result) {
    const { message, hint, route, source } = result.failure;
    return {
      message,
      ...(hint !== undefined && { hint }),
      ...(route !== undefined && { route }),
      ...(source !== undefined && { cause: source }),
    };
  }
  return result.message === undefined ? {} : { message: result.message };
}

/** Of a change, only that there is one, and how a resume resolved it. */
function maskedWords({ change, resumed }: Words): Words {
  return {
    message: MASKED_MESSAGE,
    ...(change !== undefined && { maskedChange: true }),
    ...(resumed !== undefined && { resumed }),
  };
}

/** Ignores ordinary words that `no_log` hides in the variables that the task uses. */
function withoutHidden(words: Words, { used }: ReportedTask): Words {
  if (used === undefined) return words;
  const { change, message, hint, values } = words;
  return {
    ...words,
    ...(change !== undefined && { change: used.change(change) }),
    ...(message !== undefined && { message: used.text(message) }),
    ...(hint !== undefined && { hint: used.text(hint) }),
    ...(values !== undefined && { values: used.value(values) }),
  };
}

/** Whether a `rescue` handles the failure. After an interrupt, none runs. */
function isRescued(run: ReportedTask, { result }: Performed, ignored: boolean): boolean {
  if (!run.enclosing.rescuable || result.status !== 'failed' || isStale(result)) return false;
  return !ignored && !isBlocked(run);
}

/** `check_mode` of the task, else of the run. A read-only run never leaves check mode. */
function isCheck({ task, context }: TaskRun, scope: EvaluationScope): boolean {
  const { check, readOnly } = context.run.input.settings;
  return renderFlagOr(check, 'check_mode', task.checkMode, scope) || readOnly === true;
}

/** `isCheck` of a task that starts. Warns about one that would leave the check mode of a read-only run. */
export function startsInCheck(run: TaskRun, scope: EvaluationScope): boolean {
  const { task, context } = run;
  if (context.run.input.settings.readOnly === true && !renderFlagOr(true, 'check_mode', task.checkMode, scope))
    warn(run, FORCED, task.checkMode?.source);
  return isCheck(run, scope);
}

const FORCED = 'check_mode: false has no effect, because this run only reads: the task runs in check mode';

/** `isCheck` for reports: a `check_mode` that fails to render has already failed the task. */
export function ranInCheck(run: TaskRun, scope: EvaluationScope): boolean {
  return orElse(run.context.run.input.settings.check, () => isCheck(run, scope));
}

/** `diff` of the task, else of the run. */
export function wantsDiff({ task, context }: TaskRun, scope: EvaluationScope): boolean {
  const { diff } = task;
  return orElse(false, () => renderFlagOr(context.run.input.settings.diff, 'diff', diff, scope));
}

/** Whether to show only the status. True also if `no_log` fails to render. */
export function isMasked(
  { task: { noLog } }: { readonly task: Partial<Pick<Inheritable, 'noLog'>> },
  scope: EvaluationScope,
): boolean {
  return orElse(true, () => renderFlagOr(false, 'no_log', noLog, scope));
}

/** Whether the controller continues after a failure, or although it was unreachable. A flag that fails to render has already failed the task. */
export function ignores(
  { task }: TaskRun,
  what: 'ignore_errors' | 'ignore_unreachable',
  scope: EvaluationScope,
): boolean {
  const flag = what === 'ignore_errors' ? task.ignoreErrors : task.ignoreUnreachable;
  return orElse(false, () => renderFlagOr(false, what, flag, scope));
}
