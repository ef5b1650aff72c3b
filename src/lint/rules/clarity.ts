import { isNumeric } from '../../core/model/values/json.js';
import { isMapping } from '../../core/model/values/value.js';
import type { Expression } from '../../language/syntax/expressions/nodes.js';
import type { Schema } from '../../module/schema.js';
import { allTasks, everyNode, writtenConditions, type Rule } from '../subject/subject.js';

/** As in ansible-lint: the only argument of such a task says what it does. */
const NAMELESS: ReadonlySet<string> = new Set(
  'debug meta include_tasks include_role import_tasks import_role'.split(' '),
);

export const name: Rule = {
  name: 'name',
  reason: 'The output, --start-at-task and the person on call rely on names.',
  severity: 'error',
  *check(subject) {
    for (const { play } of subject.plays) {
      if (isBlank(play.name)) yield { message: 'the play has no name', source: play.source, hint: NAME_IT };
    }
    for (const { step: task, handler } of allTasks(subject)) {
      if (!isBlank(task.name?.value) || NAMELESS.has(task.module)) continue;
      const message = `the ${handler ? 'handler' : 'task'} has no name (${task.module})`;
      yield { message, source: task.source, hint: NAME_IT, together: 'tasks or handlers have no name' };
    }
  },
};

const NAME_IT = 'add "name:", a few words that describe the result';

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

/** As in ansible-lint: a quote or a bracket may follow. */
const TEXT_AFTER_TEMPLATE = /\}\}[^{}]*[\p{L}\p{N}_][^{}]*$/u;

export const nameTemplate: Rule = {
  name: 'name-template',
  reason: 'Names that begin with plain words are easy to search for, and sort together.',
  severity: 'warning',
  *check(subject) {
    for (const { step: task } of allTasks(subject)) {
      if (task.name === undefined || !TEXT_AFTER_TEMPLATE.test(task.name.value)) continue;
      yield {
        message: 'the name has a template that is not at its end',
        source: task.name.source,
        hint: 'put the template last, as in "Cloud of {{site}}"',
      };
    }
  },
};

export const literalCompare: Rule = {
  name: 'literal-compare',
  reason: 'A boolean needs no comparison with true or false.',
  severity: 'warning',
  *check(subject) {
    for (const { step: task } of allTasks(subject)) {
      for (const { expression, source } of writtenConditions(task, subject)) {
        if (![...everyNode(expression)].some(isLiteralCompare)) continue;
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
    for (const { step: task } of allTasks(subject)) {
      const schema: Schema | undefined = subject.modules.get(task.module)?.args;
      if (!isMapping(task.args)) continue;
      for (const [name, value] of Object.entries(task.args)) {
        if (!isNumeric(value) && typeof value !== 'boolean') continue;
        if (schema?.properties?.[name]?.prose !== true) continue;
        yield {
          message: `"${name}" is the ${typeof value === 'boolean' ? 'boolean' : 'number'} ${value}, not text`,
          source: task.locate([...task.argsPath, name]),
          hint: 'put it in quotes',
        };
      }
    }
  },
};
