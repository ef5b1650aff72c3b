import type { Step } from '../../model/playbook/step.js';
import type { Expression } from '../../template/nodes.js';
import { parsed } from '../expressions.js';
import type { Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

/** They only look or say something, and may well do so in between. */
const TALK: ReadonlySet<string> = new Set(['debug', 'fail', 'assert', 'set_fact', 'pause']);

export const noHandler: Rule = {
  name: 'no-handler',
  reason: 'What is to happen after a change is a handler: it runs once, and also if the run is taken up later.',
  severity: 'warning',
  *check(subject) {
    for (const { step: task, before, handler } of tasksOf(subject)) {
      const [condition, ...others] = task.when;
      const registered = registeredBy(before);
      if (condition === undefined || others.length > 0 || registered === undefined || handler) continue;
      if (TALK.has(task.module)) continue;
      const written = parsed(condition, subject);
      if (written === undefined || changedName(written.expression) !== registered) continue;
      yield {
        message: `this task runs only after a change of the one before it`,
        source: condition.source,
        hint: 'make it a handler, and "notify" it there',
      };
    }
  },
};

function registeredBy(step: Step | undefined): string | undefined {
  return step?.type === 'task' && step.loop === undefined ? step.register : undefined;
}

/** The name in `name is changed` and `name.changed`. */
function changedName(expression: Expression): string | undefined {
  if (expression.type === 'PathExpression') {
    const [name, field, ...more] = expression.parts;
    return field === 'changed' && more.length === 0 ? name : undefined;
  }
  if (expression.type !== 'SubExpression' || !['changed', 'change'].includes(expression.name)) return undefined;
  const [result] = expression.params;
  return result?.type === 'PathExpression' && result.parts.length === 1 ? result.parts[0] : undefined;
}
