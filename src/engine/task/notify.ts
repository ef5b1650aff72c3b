import type { Handler } from '../../core/model/playbook/step.js';
import { isList } from '../../core/model/values/value.js';
import { renderValue } from '../../language/render.js';
import { asText } from '../../language/runtime/text.js';
import type { EvaluationScope } from '../../language/scope.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { TaskRun } from '../context/task_run.js';
import { TaskProblem } from '../keywords/failed_result.js';

/**
 * The handlers that a changed task notifies. Throws a `TaskProblem` if one does not exist: only possible for a name with a
 * template, or one that an include might have added.
 */
export function notifiedBy({ task, context: { handlers } }: TaskRun, scope: EvaluationScope): readonly Handler[] {
  const found = new Set<Handler>();
  for (const { value, source } of task.notify) {
    const rendered = renderValue(value, scope, () => source);
    for (const name of isList(rendered) ? rendered.map(asText) : [asText(rendered)]) {
      const matching = handlers.find(name, (handler) => handlerName(handler, scope));
      if (matching.length === 0) throw new TaskProblem(`there is no handler "${name}"`, source);
      for (const handler of matching) found.add(handler);
    }
  }
  return [...found];
}

/** The name as this controller sees it; undefined if it has none, or one that cannot be rendered. */
function handlerName({ name }: Handler, scope: EvaluationScope): string | undefined {
  if (name === undefined || !hasTemplate(name.value)) return name?.value;
  try {
    return asText(renderValue(name.value, scope));
  } catch {
    return undefined;
  }
}
