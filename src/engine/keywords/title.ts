import type { Handler, Include, Task } from '../../core/model/playbook/step.js';
import { entry, isMapping } from '../../core/model/values/value.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import { renderText } from '../../language/render.js';
import { asText } from '../../language/runtime/text.js';
import type { Variables } from '../../language/scope.js';
import { hasTemplate } from '../../language/syntax/template.js';

/**
 * What a task is called: its name with its templates filled in (as it was written if they cannot be), else its module; with its
 * role before it, `web : reload`.
 *
 * @param used absent: no task hides anything
 */
export function renderTitle(
  step: Task | Include | Handler,
  scope: () => Variables,
  used: UsedVariables | undefined,
): string {
  const { role, name } = step;
  const own = name === undefined ? stepKind(step) : rendered(name, scope, used);
  return role === undefined ? own : `${role} : ${own}`;
}

function stepKind(step: Task | Include | Handler): string {
  if (step.type === 'meta') return `meta: ${step.action}`;
  // An include_role says which role, as in Ansible.
  const role = step.module === 'include_role' && isMapping(step.args) ? entry(step.args, 'name') : undefined;
  return typeof role === 'string' ? `${step.module} : ${role}` : step.module;
}

function rendered(
  { value, source }: NonNullable<Task['name']>,
  scope: () => Variables,
  used: UsedVariables | undefined,
): string {
  if (!hasTemplate(value)) return value;
  try {
    const text = asText(renderText(value, used === undefined ? scope() : used.watch(scope()), source));
    return used === undefined ? text : used.text(text);
  } catch {
    return value;
  }
}
