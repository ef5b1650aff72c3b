import type { Loop } from '../../core/model/playbook/step.js';
import type { TaskResult } from '../../core/model/run/result.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import { isMasked, ranInCheck } from '../context/task_flags.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import { mergeKept } from '../controllers/kept_variables.js';
import { outcomeOf, skippedBy, type Outcome } from '../execution/perform.js';
import { later } from '../execution/plan/planned.js';
import { firstBroken } from '../keywords/conditions.js';
import { failedBecause, interrupted, interruptedBecause } from '../keywords/failed_result.js';
import { loopItems } from '../keywords/loop_items.js';
import { EMPTY_LOOP, loopResult, type LoopItem } from './loop_result.js';
import { LoopRun } from './loop_run.js';

/** The results of a loop: of the whole and of each item. */
export interface Looped {
  readonly outcome: Outcome;
  readonly items: readonly LoopItem[];
}

/** A task with a loop. Never throws. */
export async function performLoop(run: TaskRun, loop: Loop): Promise<Looped> {
  const scope = run.scope();
  try {
    const items = loopItems(loop, run.used?.watch(run.scope()) ?? run.scope(), run.task.module);
    if (items.length === 0) return { outcome: outcomeOf(run, scope, { result: EMPTY_LOOP }, false), items: [] };
    const loopRun = new LoopRun(run, loop, items);
    const done = await loopRun.results();
    const finished = done.filter(({ outcome }) => outcome.performed.result.status !== 'interrupted');
    const isComplete = finished.length === items.length || (loopRun.ended && finished.length === done.length);
    const result = isComplete ? loopResult(done) : cutShort(done, finished.length, items.length);
    return { outcome: summary(run, done, result), items: done };
  } catch (error) {
    return { outcome: outcomeOf(run, scope, withoutItems(run, error), isMasked(run, scope)), items: [] };
  }
}

/** A failed loop is ignored if each of its failed items is; it names the delegate if that was the same for all. */
function summary(run: TaskRun, items: readonly LoopItem[], result: TaskResult): Outcome {
  const outcomes = items.map(({ outcome }) => outcome);
  const broken = outcomes.filter(
    ({
      performed: {
        result: { status },
      },
    }) => status === 'failed' || status === 'unreachable',
  );
  const [again, unfinished] = [
    outcomes.some(({ performed }) => performed.again === true),
    outcomes.some(({ performed }) => performed.unfinished === true),
  ];
  const delegates = new Set(outcomes.map(({ delegatedTo }) => delegatedTo));
  return {
    performed: { result, again, unfinished },
    kept: mergeKept(outcomes.map(({ kept }) => kept)),
    ignored: result.status !== 'interrupted' && broken.length > 0 && broken.every(({ ignored }) => ignored),
    masked: outcomes.some(({ masked }) => masked) || isMasked(run, run.scope()),
    check: outcomes.length === 0 ? ranInCheck(run, run.scope()) : outcomes.every(({ check }) => check),
    diff: outcomes.some(({ diff }) => diff),
    delegatedTo: delegates.size === 1 ? [...delegates][0] : undefined,
  };
}

function cutShort(done: readonly LoopItem[], finished: number, all: number): TaskResult {
  const { values } = loopResult(done);
  const message = `interrupted after ${finished} of ${all} items`;
  return interrupted(message, { values: { ...values, skipped: false, msg: message } });
}

/** The loop's items cannot be determined. That does not matter if `when` skips the task anyway, as in Ansible. */
function withoutItems(run: TaskRun, error: unknown): Performed {
  try {
    const broken = firstBroken(run.task.when, run.scope());
    if (broken !== undefined) return skippedBy(broken);
  } catch {
    // The condition may need an item, so report the loop.
  }
  if (error instanceof KnownAfterApply) return { result: later(run, error) };
  return {
    result: interruptedBecause(error, run.context.run.control.stopSignals) ?? failedBecause(error, run.module.name),
  };
}
