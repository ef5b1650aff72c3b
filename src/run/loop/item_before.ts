import type { StepSettled } from '../../model/run/journal.js';
import type { Variables } from '../../template/scope.js';
import { delegateOf } from '../task/delegation.js';
import { outcomeOf, perform, type Outcome } from '../task/perform.js';
import { rememberAgain } from '../task/remembered.js';
import { isOf, quietly, resultOf } from '../task/settled_before.js';
import { isMasked } from '../task/task_flags.js';
import type { TaskRun } from '../task/task_run.js';

/**
 * What an item came to before the run was cut off; undefined if it is another one by now, or if what it does to the run came to
 * something else.
 */
export async function itemBefore(run: TaskRun, scope: Variables, settled: StepSettled): Promise<Outcome | undefined> {
  if (!isOf(run, settled)) return undefined;
  const { left, counted } = settled;
  if (left?.again === true) {
    const outcome = await perform(quietly(run), scope);
    return outcome.performed.result.status === counted.status ? outcome : undefined;
  }
  run.context.run.secrets.learnAll(left?.secrets ?? []);
  const remembered = rememberAgain(run.state, run.context.run.fleet, left);
  const performed = { result: resultOf(counted, left), remembered };
  const outcome = outcomeOf(run, scope, performed, isMasked(run, scope));
  return { ...outcome, kept: remembered, delegatedTo: delegateName(run, scope) };
}

function delegateName(run: TaskRun, scope: Variables): string | undefined {
  try {
    return delegateOf(run, scope)?.name;
  } catch {
    return undefined;
  }
}
