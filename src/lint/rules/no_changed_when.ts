import { entry, isMapping, type Value } from '../../model/values/value.js';
import type { Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

const WRITES: ReadonlySet<Value> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export const noChangedWhen: Rule = {
  name: 'no-changed-when',
  reason: 'A raw write is sent, and counts as a change, on every run.',
  severity: 'error',
  *check(subject) {
    for (const { step: task, handler } of tasksOf(subject)) {
      const { args, when, changedWhen } = task;
      const method = isMapping(args) ? entry(args, 'method') : undefined;
      if (typeof method !== 'string') continue;
      if (task.module !== 'api_request' || handler || !WRITES.has(method)) continue;
      if (changedWhen !== undefined || when.length > 0) continue;
      yield {
        message: `this ${method} is sent on every run, and always counts as a change`,
        source: task.locate([...task.argsPath, 'method']),
        hint: 'use resource_present, which compares first; or say when it is needed ("when") or changes something ("changed_when")',
      };
    }
  },
};
