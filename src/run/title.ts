import type { Handler, Include, Task } from '../model/playbook.js';
import { renderText } from '../template/render.js';
import type { Variables } from '../template/scope.js';
import { hasTemplate } from '../template/template.js';
import { asText } from '../template/text.js';

/**
 * What a task is called: its name with its templates filled in (as it was written if they cannot be), else its module; with its
 * role before it, `web : reload`.
 */
export function titleOf({ role, name, module }: Task | Include | Handler, scope: () => Variables): string {
  const own = name === undefined ? module : rendered(name, scope);
  return role === undefined ? own : `${role} : ${own}`;
}

function rendered({ value, source }: NonNullable<Task['name']>, scope: () => Variables): string {
  if (!hasTemplate(value)) return value;
  try {
    return asText(renderText(value, scope(), source));
  } catch {
    return value;
  }
}
