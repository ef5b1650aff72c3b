import type { Variables } from '../../template/scope.js';
import { WriteKeeper } from '../journal/write_keeper.js';
import { isCensored } from './task_flags.js';
import type { TaskRun } from './task_run.js';

/** Keeps what the task writes; undefined if nothing is kept. */
export function keeperOf(run: TaskRun, scope: Variables): WriteKeeper | undefined {
  const { visit, context, task, title, state, delegate } = run;
  if (visit?.journal === undefined) return undefined;
  return new WriteKeeper(visit.journal, visit.ref, {
    target: (delegate ?? state).name,
    play: context.name,
    task: title,
    module: task.module,
    source: task.source,
    ...(isCensored(run, scope) && { hidden: true }),
  });
}
