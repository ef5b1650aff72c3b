import type { RunTaskResult } from '../../core/model/run/result.js';
import { joined } from '../../core/model/values/stored.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { TaskOutcome } from '../execution/perform.js';
import { failed, type FailedResult, isStale, registered } from '../keywords/failed_result.js';

export interface LoopItem {
  readonly outcome: TaskOutcome;
  /** The loop's variables, which the item's result carries too. */
  readonly variables: Mapping;
  readonly label: string;
}

/** As in Ansible, all items of a changed loop notify, but those that were skipped. */
export function notifyingItems(items: readonly LoopItem[]): readonly Mapping[] {
  return items.flatMap(({ outcome, variables }) => (outcome.performed.result.status === 'skipped' ? [] : [variables]));
}

export const EMPTY_LOOP: RunTaskResult = {
  status: 'skipped',
  message: 'No items in the list',
  values: { results: [], skipped_reason: 'No items in the list', msg: 'No items in the list' },
};

/** The result of a whole loop, in Ansible's format: `results` (one per item), `changed`, `failed`, `skipped`, `msg`. */
export function loopResult(items: readonly LoopItem[]): RunTaskResult {
  const all = items.map(({ outcome }) => outcome.performed.result);
  const results = items.map(itemResult);
  const has = (status: RunTaskResult['status']): boolean => all.some((result) => result.status === status);
  const base = { results, skipped: false };
  // Of a broken loop. A failed item may have changed something, too.
  const changed = results.some((result) => result['changed'] === true);
  const trouble = troubleIn(items);
  if (trouble !== undefined) {
    const what = trouble === 'failed' ? trouble : `were ${trouble}`;
    return broken(items, trouble, { ...base, changed, msg: `One or more items ${what}` });
  }
  // Of an `until` that was never met, if `failed_when` does not call that a failure.
  const hasFailed = results.some((result) => result['failed'] === true);
  const values = { ...base, msg: 'All items completed', ...(hasFailed && { failed: true }) };
  if (has('changed')) return { status: 'changed', values, change: { kind: 'none' } };
  if (has('ok')) return { status: 'ok', values };
  const message = 'All items skipped';
  return { status: 'skipped', message, values: { results, skipped: true, msg: message } };
}

/** As in Ansible, a failed item matters more than an unreachable one, but not if its failure is ignored and the other is not. */
function troubleIn(items: readonly LoopItem[]): FailedResult['status'] | undefined {
  for (const some of [items.filter(({ outcome }) => !outcome.ignored), items])
    for (const status of ['failed', 'unreachable'] as const)
      if (some.some(({ outcome }) => outcome.performed.result.status === status)) return status;
  return undefined;
}

/** One of the `results`. */
export function itemResult({ outcome, variables }: LoopItem): Mapping {
  return joined(registered(outcome.performed.result), variables);
}

/** The message is that of the first failed item, or of a stale one; the others were reported separately. */
function broken(items: readonly LoopItem[], status: FailedResult['status'], values: Mapping): FailedResult {
  const wrong = items.filter(({ outcome }) => outcome.performed.result.status === status);
  const first = wrong.find(({ outcome }) => isStale(outcome.performed.result)) ?? wrong[0];
  const result = first?.outcome.performed.result;
  if (result === undefined || !('failure' in result)) return failed('One or more items failed');
  const share = items.length === 1 ? '' : `${wrong.length} of ${items.length} items ${status}; `;
  const message = `${share}item ${first?.label ?? ''}: ${result.failure.message}`;
  return { status, values, failure: { ...result.failure, message } };
}
