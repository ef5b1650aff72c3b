import type { Handler } from '../../model/playbook/step.js';
import { placeText } from '../../model/source/source.js';
import type { Rule } from '../rule.js';
import { callsModule, type PlaySubject } from '../subject.js';

export const duplicateHandler: Rule = {
  name: 'duplicate-handler',
  reason: 'Of two handlers with one name, only the last ever runs.',
  severity: 'error',
  *check({ plays }) {
    for (const play of plays) {
      const notified = notifiedIn(play);
      const before = new Map<string, Handler>();
      for (const { step: handler } of play.handlers) {
        if (handler.name === undefined) continue;
        const { value: title, source } = handler.name;
        const other = before.get(title);
        before.set(title, handler);
        // Those of several roles can be told apart by "role : name", unless somebody does not.
        const distinct = other?.role !== handler.role && !notified.has(title);
        if (other === undefined || distinct || placeText(other.source) === placeText(handler.source)) continue;
        yield {
          message: `the handler "${title}" at ${placeText(other.source)} never runs: this one has the same name`,
          source,
          hint: 'give each a name of its own; several can "listen" to one topic',
        };
      }
    }
  },
};

function notifiedIn({ steps, handlers }: PlaySubject): ReadonlySet<string> {
  const notes = [...steps, ...handlers].filter(callsModule).flatMap(({ step }) => step.notify);
  return new Set(notes.map(({ value }) => value));
}
