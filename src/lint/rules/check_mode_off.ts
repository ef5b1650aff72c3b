import { isMapping, type Value } from '../../model/values/value.js';
import type { Module } from '../../module/contract.js';
import { validateArguments } from '../../module/validation.js';
import { needsRendering } from '../../template/static.js';
import { hasReason } from '../reasons.js';
import type { Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

export const checkModeOff: Rule = {
  name: 'check-mode-off',
  reason: 'Whoever runs --check trusts that nothing is written.',
  severity: 'error',
  *check(subject) {
    for (const { step: task } of tasksOf(subject)) {
      const module = subject.modules.get(task.module);
      const { checkMode, source } = task;
      if (checkMode?.value !== false || module === undefined || !writes(module, task.args)) continue;
      if (hasReason(subject.lines, checkMode.source, source)) continue;
      yield {
        message: `"check_mode: false" lets ${task.module} write even under --check, and nothing says why`,
        source: checkMode.source,
        hint: 'leave it out, or write the reason in a comment above',
      };
    }
  },
};

/** Whether it is sure to: an action that only reads runs in check mode anyway. */
function writes(module: Module, args: Value): boolean {
  if (module.type === 'resource') return true;
  if (typeof module.check === 'boolean') return false;
  if (!isMapping(args) || needsRendering(args)) return false;
  const checked = validateArguments(module, args, 'static');
  return 'args' in checked && !module.check({ ...checked.args });
}
