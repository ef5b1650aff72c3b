import type { Source } from '../../model/source/source.js';
import { conditionsOf, parsed } from '../expressions.js';
import { layersOf } from '../layers.js';
import { namesRead } from '../names.js';
import type { Rule } from '../rule.js';
import { callsModule, tasksOf, type Standing, type Subject } from '../subject.js';

/** With these, a name may be put together. */
const DYNAMIC = /\bvars\s*\[|lookup\s*\(?\s*["']vars["']|\bhostvars\b/;

export const unusedRegister: Rule = {
  name: 'unused-register',
  reason: 'A result that nobody looks at is either a leftover, or a check that was forgotten.',
  severity: 'warning',
  *check(subject) {
    const text = everyLine(subject);
    if (!subject.complete || DYNAMIC.test(text)) return;
    const used = new Set([...wordsInTemplates(text), ...namesInConditions(subject)]);
    for (const { step: task } of tasksOf(subject)) {
      if (task.register === undefined || used.has(task.register)) continue;
      yield {
        message: `nothing uses "${task.register}"`,
        source: task.locate(['register']),
        hint: 'remove the "register", or use what it holds',
      };
    }
  },
};

/** All that was read, as one text. */
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

/** Wherever a template may stand, the names in it are words between braces. */
function wordsInTemplates(text: string): readonly string[] {
  return [...text.matchAll(/\{\{.*?\}\}|\{%.*?%\}/gs)].flatMap(([template]) => template.match(/\w+/g) ?? []);
}

function namesInConditions(subject: Subject): readonly string[] {
  const standings = subject.plays.flatMap(({ steps, handlers }) => [...steps, ...handlers]);
  const expressions = standings
    .flatMap((standing) => conditions(standing, subject))
    .map(({ expression }) => expression);
  return [...namesRead(expressions).read];
}

function conditions(standing: Standing, subject: Subject): ReturnType<typeof conditionsOf> {
  if (callsModule(standing)) return conditionsOf(standing.step, subject);
  const { step } = standing;
  return step.type === 'meta' ? step.when.flatMap((condition) => parsed(condition, subject) ?? []) : [];
}
