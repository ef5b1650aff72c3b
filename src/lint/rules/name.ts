import type { Rule } from '../rule.js';
import { tasksOf } from '../subject.js';

/** As in ansible-lint: what such a task does says its one argument. */
const NAMELESS: ReadonlySet<string> = new Set([
  'debug',
  'meta',
  'include_tasks',
  'include_role',
  'import_tasks',
  'import_role',
]);

export const name: Rule = {
  name: 'name',
  reason: 'The output, --start-at-task and the person on call go by names.',
  severity: 'error',
  *check(subject) {
    for (const { play } of subject.plays) {
      if (isBlank(play.name)) yield { message: 'the play has no name', source: play.source, hint: SAY };
    }
    for (const { step: task, handler } of tasksOf(subject)) {
      if (!isBlank(task.name?.value) || NAMELESS.has(task.module)) continue;
      const what = handler ? 'handler' : 'task';
      yield { message: `the ${what} has no name (${task.module})`, source: task.source, hint: SAY };
    }
  },
};

const SAY = 'add "name:", a few words that say what is so afterwards';

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}
