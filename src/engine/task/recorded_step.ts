import type { EventBody } from '../../core/model/run/event.js';
import type { CountedEnd, StepLeft, StepSettled } from '../../core/model/run/journal.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import type { Variables } from '../../language/scope.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { isMasked } from '../context/task_flags.js';
import type { TaskRun } from '../context/task_run.js';
import type { KeptVariables } from '../controllers/kept_variables.js';
import { secretsIn } from '../execution/task_arguments.js';

/** Whether the step is still the recorded one. A step with a key was found by that key, so its name is not compared: a template in it may render differently now. */
export function isSameStep({ task, title }: TaskRun, settled: StepSettled): boolean {
  if (settled.key !== undefined) return true;
  if (task.module !== settled.module) return false;
  return title === settled.title || (task.name !== undefined && hasTemplate(task.name.value));
}

/** What a recorded step or item left. */
interface Restored {
  readonly keptVariables: KeptVariables;
  readonly result: RunTaskResult;
  /** Whether `no_log` hid it. */
  readonly masked: boolean;
}

/** Restores what a step or item left, and learns the secrets that it would have learned. */
export function restoreStep(run: TaskRun, scope: Variables, { counted, left }: StepSettled): Restored {
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
  switch (status) {
    case 'ok':
      return { status, values: {} };
    case 'changed':
      return { status, values: {}, change: { kind: 'none' } };
    case 'skipped':
    case 'interrupted':
      return { status, values: {}, message: '' };
    case 'failed':
    case 'unreachable':
      return { status, values: {}, failure: { message: 'before the run was cut off' } };
  }
}

/** The run with its events collected. */
export function holdingEvents(run: TaskRun, events: EventBody[]): TaskRun {
  const emit = (event: EventBody): void => {
    events.push(event);
  };
  const { context } = run;
  return { ...run, context: { ...context, run: { ...context.run, emit } } };
}
