import { isMapping } from '../../model/values/value.js';
import type { Schema } from '../../module/schema.js';
import type { Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

export const unquotedText: Rule = {
  name: 'unquoted-text',
  reason: 'YAML reads an unquoted no as false and 1.10 as 1.1, so the message is not the one that was written.',
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
