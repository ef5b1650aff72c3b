import type { RunTaskResult } from '../../core/model/run/result.js';
import { joined } from '../../core/model/values/stored.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { TaskOutcome } from '../execution/perform.js';
import { failed, isStale, type FailedResult } from '../keywords/failed_result.js';
import { registered } from '../keywords/registered.js';

/** One completed item. */
export interface LoopItem {
  readonly outcome: TaskOutcome;
  /** The loop's variables, which the item's result carries too. */
  readonly variables: Mapping;
  readonly label: string;
}

/** The result of a loop over an empty list. */
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
  if (has('unreachable')) return broken(items, 'unreachable', { ...base, msg: 'One or more items were unreachable' });
  if (has('failed')) {
    // A failed item may have changed something, too.
    const changed = results.some((result) => result['changed'] === true);
    return broken(items, 'failed', { ...base, changed, msg: 'One or more items failed' });
  }
  if (has('changed'))
    return { status: 'changed', values: { ...base, msg: 'All items completed' }, change: { kind: 'none' } };
  if (has('ok')) return { status: 'ok', values: { ...base, msg: 'All items completed' } };
  return {
    status: 'skipped',
    message: 'All items skipped',
    values: { results, skipped: true, msg: 'All items skipped' },
  };
}

/** One of the `results`. */
export function itemResult({ outcome, variables }: LoopItem): Mapping {
  return joined(registered(outcome.performed.result), variables);
}

/** The message is that of the first failed item; the others were reported separately. */
function broken(items: readonly LoopItem[], status: 'failed' | 'unreachable', values: Mapping): FailedResult {
  const wrong = items.filter(({ outcome }) => outcome.performed.result.status === status);
  const results = wrong.map(({ outcome }) => outcome.performed.result);
  const first = results.find(isStale) ?? results[0];
  if (first === undefined || !('failure' in first)) return failed('One or more items failed');
  const share = items.length === 1 ? '' : `${wrong.length} of ${items.length} items ${status}; `;
  const message = `${share}item ${wrong[0]?.label ?? ''}: ${first.failure.message}`;
  return { status, values, failure: { ...first.failure, message } };
}
