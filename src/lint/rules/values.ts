import { isMapping } from '../../model/values/value.js';
import type { Schema } from '../../module/schema.js';
import type { Expression } from '../../template/language/expressions/nodes.js';
import { conditionsOf, everyNode } from '../subject/expressions.js';
import type { Rule } from '../subject/rule.js';
import { tasksOf } from '../subject/subject.js';

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

export const unquotedText: Rule = {
  name: 'unquoted-text',
  reason: 'YAML reads an unquoted no as false and 1.10 as 1.1, so the message differs from what was written.',
  severity: 'warning',
  *check(subject) {
    for (const { step: task } of tasksOf(subject)) {
      const schema: Schema | undefined = subject.modules.get(task.module)?.args;
      if (!isMapping(task.args)) continue;
      for (const [name, value] of Object.entries(task.args)) {
        if (typeof value !== 'number' && typeof value !== 'boolean') continue;
        if (schema?.properties?.[name]?.prose !== true) continue;
        yield {
          message: `"${name}" is the ${typeof value} ${value}, not text`,
          source: task.locate([...task.argsPath, name]),
          hint: 'put it in quotes',
        };
      }
    }
  },
};
