import type { Mapping, Value } from '../../core/model/values/value.js';
import type { TaskRun } from '../context/task_run.js';
import type { StepJournal } from '../journal/step_journal.js';
import { loopItems, loopVariables } from '../keywords/rendered_keywords.js';

/** The variables of the items of a recorded loop that ran and were not skipped; undefined if there is no loop. */
export function itemsBefore(run: TaskRun): readonly Mapping[] | undefined {
  const { scope } = run;
  const { loop, module } = run.task;
  if (loop === undefined) return undefined;
  const items = loopItems(loop, scope(), module);
  const journals = itemJournals(run, items);
  const hasRun = (index: number): boolean => {
    const before = journals[index]?.finishedBefore();
    // An item that was random has no record, nor has one that `break_when` left out.
    return before === undefined ? loop.breakWhen === undefined : before.counted.status !== 'skipped';
  };
  return items.flatMap((_, index) => (hasRun(index) ? [loopVariables(loop, items, index, scope())] : []));
}

/** One for each item; empty if nothing is recorded. */
export function itemJournals({ stepJournal, context }: TaskRun, items: readonly Value[]): readonly StepJournal[] {
  const { keys } = context.run;
  return stepJournal && keys ? stepJournal.items(items.map((item) => keys.digest(item))) : [];
}
