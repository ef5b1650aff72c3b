import type { Diagnostics } from '../model/diagnostic.js';
import type { Handler, Task } from '../model/playbook.js';
import { didYouMean } from '../model/suggestion.js';
import { hasTemplate } from '../template/check.js';

/**
 * Reports what tasks and handlers notify that no handler answers to. Names with templates, on either side, can only be
 * compared during the run.
 */
export function checkNotifications(
  tasks: readonly Task[],
  handlers: readonly Handler[],
  diagnostics: Diagnostics,
): void {
  const known = handlers.flatMap(({ name, listen }) => (name === undefined ? listen : [name.value, ...listen]));
  if (known.some(hasTemplate)) return;
  const names = new Set(known);
  for (const { value, source } of [...tasks, ...handlers].flatMap((task) => task.notify)) {
    if (names.has(value) || hasTemplate(value)) continue;
    diagnostics.error(`no handler of this play is named "${value}" or listens to it`, source, didYouMean(value, known));
  }
}
