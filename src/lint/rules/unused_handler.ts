import type { Handler } from '../../model/playbook/step.js';
import { placeText } from '../../model/source/source.js';
import { hasTemplate } from '../../template/check.js';
import type { Rule } from '../rule.js';
import { callsModule, type PlaySubject } from '../subject.js';

export const unusedHandler: Rule = {
  name: 'unused-handler',
  reason: 'A handler that nothing notifies never runs.',
  severity: 'error',
  *check({ plays, complete }) {
    if (!complete) return;
    const used = new Set(plays.flatMap(notifiedIn).map(({ source }) => placeText(source)));
    for (const { handlers } of plays) {
      for (const { step: handler } of handlers) {
        if (used.has(placeText(handler.source))) continue;
        yield {
          message: `nothing notifies ${titleOf(handler)}`,
          source: handler.name?.source ?? handler.source,
          hint: 'name it in the "notify" of a task, or remove it',
          // Another playbook may use the role, and notify it.
          severity: handler.role === undefined ? undefined : 'warning',
        };
      }
    }
  },
};

/** The handlers that something in the play may notify. */
function notifiedIn({ steps, handlers }: PlaySubject): readonly Handler[] {
  const notes = new Set(
    [...steps, ...handlers].filter(callsModule).flatMap(({ step }) => step.notify.map(({ value }) => value)),
  );
  if ([...notes].some(hasTemplate)) return handlers.map(({ step }) => step);
  return handlers
    .map(({ step }) => step)
    .filter((handler) => namesOf(handler).some((name) => notes.has(name) || hasTemplate(name)));
}

function namesOf({ name, role, listen }: Handler): readonly string[] {
  if (name === undefined) return listen;
  return role === undefined ? [name.value, ...listen] : [name.value, `${role} : ${name.value}`, ...listen];
}

function titleOf({ name, listen }: Handler): string {
  if (name !== undefined) return `the handler "${name.value}"`;
  return listen.length === 0 ? 'this handler: it has no name' : `the topic "${listen.join('", "')}"`;
}
