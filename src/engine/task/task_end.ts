import type { Handler, Include, Included, Task } from '../../core/model/playbook/step.js';
import type { CountedEnd, StepLeft, StepSettled } from '../../core/model/run/journal.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Variables } from '../../language/scope.js';
import { countOutcome, isMasked } from '../context/task_events.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import { type KeptVariables, asStepLeft } from '../controllers/controller_state.js';
import type { TaskOutcome } from '../execution/perform.js';
import { secretsIn } from '../execution/task_arguments.js';
import { isFailedResult } from '../keywords/failed_result.js';
import { loopLayer } from '../keywords/rendered_keywords.js';

/** The end of a task, and how its controller continues. */
export interface TaskEnd {
  /** An ignored failure is completed; a task that an interrupt ended early is stopped. */
  readonly status: 'completed' | 'failed' | 'unreachable' | 'stale' | 'stopped';
  readonly title: string;
  readonly result: RunTaskResult;
  /** The variables that it set: facts, the registered result. With `run_once`, all other controllers get them. */
  readonly keptVariables: KeptVariables;
  /** Whether `no_log` hides it. */
  readonly masked: boolean;
  readonly notified: readonly Handler[];
  /** The steps that an include added, for each item of its loop. */
  readonly included: readonly IncludedRun[];
  readonly counted: CountedEnd;
  /** The task changed the run itself, so a resume must repeat it. */
  readonly again: boolean;
  /** The interrupt affected the result, so a resume runs it again. */
  readonly interrupted: boolean;
}

/** The steps that one controller included, and their variables. */
export interface IncludedRun {
  readonly included: Included;
  readonly layers: readonly VariableLayer[];
}

/** The steps of an include, with the variables that they see besides their own: the include's `vars`, and its loop's. */
export function includedRun(task: Task | Include, included: Included, loopVariables?: Mapping): IncludedRun {
  return { included, layers: [...includeParameters(task), ...loopLayer(loopVariables, 'include params')] };
}

/** An include whose `vars` are stronger than facts, as the included steps see them, as in Ansible. */
export function withIncludeParameters(run: TaskRun): TaskRun {
  const parameters = run.task.type === 'include' ? includeParameters(run.task) : [];
  return parameters.length === 0 ? run : { ...run, scope: () => run.scope().child(parameters) };
}

function includeParameters({ layers }: Task | Include): readonly VariableLayer[] {
  return layers.flatMap((layer): VariableLayer[] =>
    layer.level === 'task vars' ? [{ ...layer, level: 'include params' }] : [],
  );
}

/** The public variables of included roles, lowest precedence first: a role that is included again moves to the end. */
export function withPublished(
  published: readonly VariableLayer[],
  { layers }: Pick<Included, 'layers'>,
): readonly VariableLayer[] {
  return [...published.filter((layer) => !layers.includes(layer)), ...layers];
}

/**
 * Whether a resume runs the task again: it was interrupted, or it failed during an interrupt, which may be the cause.
 */
export function isInterrupted(
  { context }: TaskRun,
  { result, unfinished = false }: Pick<Performed, 'result' | 'unfinished'>,
): boolean {
  return (
    unfinished ||
    result.status === 'interrupted' ||
    (isFailedResult(result) && context.run.control.stopSignals.isStopping)
  );
}

type Settled = Pick<StepSettled, 'end' | 'counted' | 'left'> & Pick<TaskEnd, 'masked'>;

/** Records that a task has finished, and the parts of its result that are used later. */
export function recordEnd(run: TaskRun, end: TaskEnd): void {
  const { status, counted, result, keptVariables, masked, again } = end;
  if (run.stepJournal === undefined || status === 'stopped') return;
  // A repeated step sets its variables again.
  const left = again
    ? { again }
    : withResult(asStepLeft(keptVariables), run.enclosing.rescuable && status === 'failed' ? result : undefined);
  recordFinished(run, { end: status, counted, left, masked });
}

/** Records that one item of a loop has finished, unless an interrupt of the run affected the result. */
export function recordItem(run: TaskRun, outcome: TaskOutcome): void {
  const { performed, keptVariables, ignored, masked } = outcome;
  const { result, again } = performed;
  if (run.stepJournal === undefined || isInterrupted(run, performed)) return;
  const end = ignored || !isFailedResult(result) ? 'completed' : result.status;
  const counted = countOutcome(run, performed, outcome);
  // In the result of the loop, only its status counts if nothing else is used.
  const isUsed = run.task.register !== undefined || run.enclosing.rescuable || isFailedResult(result);
  const left = again === true ? { again } : withResult(asStepLeft(keptVariables), isUsed ? result : undefined);
  recordFinished(run, { end, counted, masked, left });
}

function withResult(left: StepLeft | undefined, result: RunTaskResult | undefined): StepLeft | undefined {
  return result === undefined ? left : { ...left, result };
}

function recordFinished({ stepJournal, task, title }: TaskRun, { left, masked, ...settled }: Settled): void {
  const { knownSecrets: secrets = [] } = stepJournal ?? {};
  const known = secrets.length === 0 ? left : { ...left, secrets };
  const all = known === undefined || task.noLog === undefined ? known : { ...known, masked };
  stepJournal?.recordFinished({ module: task.module, title, ...settled, ...(all !== undefined && { left: all }) });
}

/** Restores what a step or item left, and learns the secrets that it would have learned. `masked`: `no_log` hid it. */
export function restoreStep(run: TaskRun, scope: Variables, { counted, left }: StepSettled) {
  const { fleet, secrets } = run.context.run;
  const keptVariables = fleet.restore(run.state, left);
  const result = recordedResult(counted, left);
  const masked = left?.masked ?? isMasked(run, scope);
  const { values, facts } = keptVariables;
  secrets.learnAll([...secretsIn(run, scope), ...(left?.secrets ?? [])]);
  secrets.learnResult(result, masked);
  if (masked) secrets.learnMasked([values, facts]);
  else secrets.learn([values, facts]);
  return { keptVariables, result, masked };
}

/** The recorded part of a result; only its status if nothing else is used. */
export function recordedResult({ status }: CountedEnd, left: StepLeft | undefined): RunTaskResult {
  if (left?.result !== undefined) return left.result;
  if (status === 'ok') return { status, values: {} };
  if (status === 'changed') return { status, values: {}, change: { kind: 'none' } };
  if (status === 'skipped' || status === 'interrupted') return { status, values: {}, message: '' };
  return { status, values: {}, failure: { message: 'before the run was cut off' } };
}
