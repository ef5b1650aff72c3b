import type { Playbook } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Task } from '../../core/model/playbook/step.js';
import { allSteps, tasksIn } from '../../core/model/playbook/steps.js';
import { placeText, type Source } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';

/**
 * Finds the arguments of a task as written in the file. Unknown for files that are included during the run, and for
 * loops whose variable is not `item`. Searches the playbooks on first use.
 */
export function writtenArguments(playbooks: readonly Playbook[]): (source: Source) => Value | undefined {
  let found: Map<string, Value> | undefined;
  return (source) => (found ??= argumentsByPlace(playbooks)).get(placeText(source));
}

function argumentsByPlace(playbooks: readonly Playbook[]): Map<string, Value> {
  const found = new Map<string, Value>();
  for (const play of playbooks.flatMap(({ plays }) => plays)) {
    for (const task of [...tasksIn(allSteps(play)), ...play.handlers.filter(isTask)]) {
      if ((task.loop?.variable ?? 'item') === 'item') found.set(placeText(task.source), task.args);
    }
  }
  return found;
}

function isTask(handler: Handler): handler is Extract<Handler, Task | Include> {
  return handler.type === 'task' || handler.type === 'include';
}
