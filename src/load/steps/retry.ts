import type { Until } from '../../model/playbook/step.js';
import { conditions } from './conditions.js';
import type { Cursor } from '../cursor.js';
import { quantity } from '../templated.js';

/** How often a task is tried; undefined if once. */
export function untilOf(task: Cursor): Until | undefined {
  const until = conditions(task.get('until'));
  const retries = quantity(task.get('retries'), { least: 0, whole: true });
  const delay = quantity(task.get('delay'), { least: 0 });
  const backoff = quantity(task.get('backoff'), { least: 1 });
  if (until !== undefined || task.get('retries') !== undefined) return { until, retries, delay, backoff };
  for (const idle of [task.get('delay'), task.get('backoff')]) {
    if (idle !== undefined) {
      task.diagnostics.warn(`"${idle.name}" does nothing without "until" or "retries"`, idle.keySource);
    }
  }
  return undefined;
}
