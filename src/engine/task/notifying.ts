import type { Handler, Located } from '../../core/model/playbook/step.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { isList, type Mapping } from '../../core/model/values/value.js';
import { renderValue } from '../../language/render.js';
import { asText, OMIT } from '../../language/runtime/result.js';
import type { EvaluationScope } from '../../language/scope.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { TaskRun } from '../context/task_run.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { loopLayer } from '../keywords/rendered_keywords.js';

/**
 * The handlers that a changed task notifies: with a loop, those that its items name. Throws a `TaskProblem` if one does not exist: only
 * possible for a name with a template, or one that an include might have added.
 */
export function notifiedBy(run: TaskRun, items: readonly Mapping[] = [{}]): readonly Handler[] {
  const scope = run.scope();
  const names: OwnNames = new Map();
  const found = run.task.notify.flatMap((name) =>
    hasTemplate(name.value)
      ? items.flatMap((item) => handlersNamed(run, name, scope.child(loopLayer(item)), names))
      : handlersNamed(run, name, scope, names),
  );
  return [...new Set(found)];
}

/** The names of handlers, rendered with their own variables: once for all items of a loop, because there may be many of both. */
type OwnNames = Map<Handler, string | undefined>;

function handlersNamed(
  run: TaskRun,
  { value, source }: Located<string>,
  scope: EvaluationScope,
  names: OwnNames,
): readonly Handler[] {
  const rendered = renderValue(value, scope, () => source);
  if (rendered === OMIT) return [];
  return (isList(rendered) ? rendered.map(asText) : [asText(rendered)]).flatMap((name) => {
    const matching = run.context.handlers.find(name, (handler) => handlerName(handler, run, scope, names));
    if (matching.length === 0) throw new TaskProblem(`there is no handler "${name}"`, source);
    return matching;
  });
}

/**
 * The name as this controller sees it; undefined if it has none, or one that cannot be rendered. The handler's own variables come first: a
 * role that is used twice has two handlers, `restart {{ instance }}`.
 *
 * @param notifying variables of the task that notifies
 */
function handlerName(handler: Handler, run: TaskRun, notifying: EvaluationScope, names: OwnNames): string | undefined {
  const { name } = handler;
  if (name === undefined || !hasTemplate(name.value)) return name?.value;
  const render = (scope: EvaluationScope): string => asText(renderValue(name.value, scope));
  const own = names.has(handler) ? names.get(handler) : orElse(undefined, () => render(run.handlerScope(handler)));
  names.set(handler, own);
  return own ?? orElse(undefined, () => render(notifying));
}
