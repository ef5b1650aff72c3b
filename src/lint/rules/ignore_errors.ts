import type { Source } from '../../model/source/source.js';
import { hasReason } from '../reasons.js';
import type { Remark, Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

export const ignoreErrors: Rule = {
  name: 'ignore-errors',
  reason: 'A failure that is ignored hides the next one, which nobody expected; a comment says why this one may be.',
  severity: 'error',
  *check(subject) {
    for (const { step: task } of tasksOf(subject)) {
      const { ignoreErrors: ignored, failedWhen = [], source } = task;
      if (ignored?.value === true && !hasReason(subject.lines, ignored.source, source)) {
        yield remark('ignore_errors', ignored.source);
      }
      for (const { expression, source: at } of failedWhen) {
        if (expression === false && !hasReason(subject.lines, at, source)) yield remark('failed_when: false', at);
      }
    }
  },
};

function remark(what: string, source: Source): Remark {
  return {
    message: `"${what}" hides every failure, and nothing says why`,
    source,
    hint: 'say which failures are fine with "failed_when", or write the reason in a comment above',
  };
}
