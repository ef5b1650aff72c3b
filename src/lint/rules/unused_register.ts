import type { Source } from '../../model/source.js';
import { layersOf } from '../layers.js';
import type { Rule } from '../rule.js';
import { tasksOf, type Subject } from '../subject.js';

/** With these, a name may be put together. */
const DYNAMIC = /\bvars\s*\[|lookup\s*\(?\s*["']vars["']|\bhostvars\b/;

export const unusedRegister: Rule = {
  name: 'unused-register',
  reason: 'A result that nobody looks at is either a leftover, or a check that was forgotten.',
  severity: 'warning',
  *check(subject) {
    if (!subject.complete) return;
    const text = everyLine(subject);
    if (DYNAMIC.test(text)) return;
    for (const { step: task } of tasksOf(subject)) {
      if (task.register === undefined || occurrences(task.register, text) > 1) continue;
      yield {
        message: `nothing uses "${task.register}"`,
        source: task.locate(['register']),
        hint: 'remove the "register", or use what it holds',
      };
    }
  },
};

/** All that was read, as one text: a name that stands nowhere else in it is used nowhere. */
function everyLine(subject: Subject): string {
  const files = new Set<string>();
  const add = ({ file }: Source): Set<string> => files.add(file);
  for (const { play, steps, handlers } of subject.plays) {
    add(play.source);
    for (const { step } of [...steps, ...handlers]) add(step.source);
  }
  for (const { locate } of layersOf(subject)) if (locate !== undefined) add(locate([]));
  return [...files].flatMap((file) => subject.lines(file) ?? []).join('\n');
}

function occurrences(name: string, text: string): number {
  return text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
}
