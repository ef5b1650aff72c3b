import type { Handler, Include, Included, Task } from '../../core/model/playbook/step.js';
import type { CountedEnd } from '../../core/model/run/journal.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import type { KeptVariables } from '../controllers/controller_state.js';
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
