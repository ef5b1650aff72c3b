import type { EventBody } from '../../model/event.js';
import type { Counted, StepLeft, StepSettled } from '../../model/journal.js';
import type { TaskResult } from '../../model/result.js';
import { hasTemplate } from '../../template/template.js';
import { notifiedBy } from './notify.js';
import { rememberAgain, type Remembered } from './remembered.js';
import { runTask } from './task.js';
import { secretsIn } from './task_arguments.js';
import type { TaskEnd } from './task_end.js';
import { isCensored } from './task_flags.js';
import type { TaskRun } from './task_run.js';

/** What a step came to before the run was cut off. */
export interface TakenOver {
  readonly end: TaskEnd;
  /** Whether what was done again came to the same; if not, it has been told anew. */
  readonly isSame: boolean;
}

/** Whether the step is still the one that was kept. A name with a template in it may have come to another text. */
export function isOf({ task, title }: TaskRun, settled: StepSettled): boolean {
  if (task.module !== settled.module) return false;
  return title === settled.title || (task.name !== undefined && hasTemplate(task.name.value));
}

/** Takes over what a step came to, without carrying it out: only what it does to the run itself is done again, without a word. */
export async function takeOver(run: TaskRun, settled: StepSettled): Promise<TakenOver> {
  if (settled.left?.again === true) return doAgain(run, settled);
  const { state, context, task } = run;
  const { end: status, title, counted, left } = settled;
  state.started = true;
  const remembered = rememberAgain(state, context.run.fleet, left);
  learnAgain(run, remembered);
  count(run, counted);
  const isNotifying = counted.status === 'changed' && task.notify.length > 0;
  const said = { status, title, counted, result: resultOf(counted, left), remembered };
  const notified = isNotifying ? notifiedBy(run, run.scope()) : [];
  return { isSame: true, end: { ...said, notified, included: [], again: false, unfinished: false } };
}

/** What the step would have learned to be secret. */
function learnAgain(run: TaskRun, { values, facts }: Remembered): void {
  const { secrets } = run.context.run;
  const scope = run.scope();
  secrets.learnAll(secretsIn(run, scope));
  if (isCensored(run, scope)) secrets.hide([values, facts]);
  else secrets.learn([values, facts]);
}

/** What is kept of a result; where nobody looks at more, only its status is. */
export function resultOf({ status }: Counted, left: StepLeft | undefined): TaskResult {
  if (left?.result !== undefined) return left.result;
  switch (status) {
    case 'ok':
      return { status, values: {} };
    case 'changed':
      return { status, values: {}, change: { kind: 'none' } };
    case 'skipped':
      return { status, values: {}, message: '' };
    case 'failed':
    case 'unreachable':
      return { status, values: {}, failure: { message: 'before the run was cut off' } };
    default:
      return status satisfies never;
  }
}

async function doAgain(run: TaskRun, { counted }: StepSettled): Promise<TakenOver> {
  const events: EventBody[] = [];
  const end = await runTask(quietly(run, events), () => undefined);
  const isSame = end.counted.status === counted.status;
  if (isSame) count(run, counted);
  else for (const event of events) run.context.run.emit(event);
  return { end, isSame };
}

/** The run with nobody listening; it must not write. */
export function quietly(run: TaskRun, events: EventBody[] = []): TaskRun {
  const emit = (event: EventBody): void => {
    events.push(event);
  };
  const { context } = run;
  return { ...run, again: true, visit: undefined, context: { ...context, run: { ...context.run, emit } } };
}

function count({ context, state, task }: TaskRun, counted: Counted): void {
  context.run.count({ controller: state.name, module: task.module, ...counted });
}
