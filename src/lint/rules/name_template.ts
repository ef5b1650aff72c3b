import type { Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

const TEXT_AFTER_TEMPLATE = /\}\}[^{}]*\S[^{}]*$/;

export const nameTemplate: Rule = {
  name: 'name-template',
  reason: 'A name that begins with plain words can be searched for and sorts with its like.',
  severity: 'warning',
  *check(subject) {
    for (const { step: task } of tasksOf(subject)) {
      if (task.name === undefined || !TEXT_AFTER_TEMPLATE.test(task.name.value)) continue;
      yield {
        message: 'a template stands in the middle of the name',
        source: task.name.source,
        hint: 'put the template last, as in "Cloud of {{site}}"',
      };
    }
  },
};
