import type { Include, Task } from '../../model/playbook/step.js';
import { isList, isMapping, type Value } from '../../model/values/value.js';
import { evaluate } from '../../template/condition.js';
import { TemplateError } from '../../template/errors.js';
import type { Scope } from '../../template/scope.js';

/** The value of an expression that stands among a task's arguments (`that`, `var`); what is wrong with it has its place. */
export function evaluateArgument(expression: Value, task: Task | Include, scope: Scope): Value {
  try {
    return evaluate(expression, scope);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw error.locate(() => task.locate([...task.argsPath, ...pathTo(expression, task.args)]));
  }
}

/** Where the expression stands in the arguments: an argument itself, or an item of its list. */
function pathTo(expression: Value, args: Value): readonly (string | number)[] {
  if (!isMapping(args)) return [];
  for (const [name, value] of Object.entries(args)) {
    if (value === expression) return [name];
    const index = isList(value) ? value.indexOf(expression) : -1;
    if (index >= 0) return [name, index];
  }
  return [];
}
