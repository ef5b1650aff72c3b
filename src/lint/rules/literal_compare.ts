import type { Expression } from '../../template/nodes.js';
import { conditionsOf, everyNode } from '../expressions.js';
import type { Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

export const literalCompare: Rule = {
  name: 'literal-compare',
  reason: 'What is true or false needs no comparison with true or false.',
  severity: 'warning',
  *check(subject) {
    for (const { step: task } of tasksOf(subject)) {
      for (const { expression, source } of conditionsOf(task, subject)) {
        const found = [...everyNode(expression)].find(isLiteralCompare);
        if (found === undefined) continue;
        yield {
          message: 'this compares with a literal true or false',
          source,
          hint: 'write the name alone, or "not" before it',
        };
      }
    }
  },
};

function isLiteralCompare(node: Expression): boolean {
  if (node.type !== 'SubExpression' || !['eq', 'ne'].includes(node.name)) return false;
  return node.params.some(({ type }) => type === 'BooleanLiteral');
}
