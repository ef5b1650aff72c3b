import { notifyingNames, withRole } from '../../core/model/playbook/playbook.js';
import type { Handler } from '../../core/model/playbook/step.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import { Handlers } from '../../engine/batch/handlers.js';
import { hasTemplate } from '../../language/check.js';
import type { Expression } from '../../language/syntax/expressions/nodes.js';
import { allTasks, parsedCondition, type PlaySubject, type Rule } from '../subject/subject.js';

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
          message: `nothing notifies ${handlerTitle(handler)}`,
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
function notifiedIn(play: PlaySubject): readonly Handler[] {
  const notes = namesNotifiedIn(play);
  const handlers = play.handlers.map(({ step }) => step);
  if ([...notes].some(hasTemplate)) return handlers;
  return handlers.filter((handler) => notifyingNames(handler).some((name) => notes.has(name) || hasTemplate(name)));
}

function handlerTitle({ name, listen }: Handler): string {
  if (name !== undefined) return `the handler "${name.value}"`;
  return listen.length === 0 ? 'this handler: it has no name' : `the topic "${listen.join('", "')}"`;
}

export const duplicateHandler: Rule = {
  name: 'duplicate-handler',
  reason: 'Of two handlers with one name, only one ever runs.',
  severity: 'error',
  *check({ plays }) {
    for (const play of plays) {
      const notified = namesNotifiedIn(play);
      const handlers = play.handlers.map(({ step }) => step);
      const all = new Handlers(handlers);
      const find = (name: string): readonly Handler[] => all.find(name, (one) => one.name?.value);
      const reached = new Set([...notified].flatMap(find).map(({ source }) => placeText(source)));
      for (const handler of handlers) {
        if (handler.name === undefined || reached.has(placeText(handler.source))) continue;
        const { value: title, source } = handler.name;
        // Handlers of several roles are distinct if they are notified as "role : name".
        const name = notified.has(title) ? title : withRole(handler.role, title).at(-1);
        const [other] = find(name ?? title);
        if (other?.name === undefined || placeText(other.source) === placeText(handler.source)) continue;
        const isLater = handlers.indexOf(handler) > handlers.indexOf(other);
        yield {
          message: isLater
            ? `this handler never runs: "${title}" at ${placeText(other.source)} has the same name`
            : `the handler "${title}" at ${placeText(handler.source)} never runs: this one has the same name`,
          source: isLater ? source : other.name.source,
          hint: 'give each a unique name; several can "listen" to one topic',
        };
      }
    }
  },
};

function namesNotifiedIn(play: PlaySubject): ReadonlySet<string> {
  const notes = allTasks({ plays: [play] }).flatMap(({ step }) => step.notify);
  return new Set(notes.map(({ value }) => value));
}

/** Modules that only read or print, which may well happen in between. */
const TALK: ReadonlySet<string> = new Set(['debug', 'fail', 'assert', 'set_fact', 'pause']);

export const noHandler: Rule = {
  name: 'no-handler',
  reason: 'Work that follows a change belongs in a handler: it runs once, and a resume runs it, too.',
  severity: 'warning',
  *check(subject) {
    for (const { step: task, before, handler } of allTasks(subject)) {
      const [condition, ...others] = task.when;
      const registered = before?.type === 'task' && before.loop === undefined ? before.register : undefined;
      if (condition === undefined || others.length > 0 || registered === undefined || handler) continue;
      if (TALK.has(task.module)) continue;
      const written = parsedCondition(condition, subject);
      if (written === undefined || changedName(written.expression) !== registered) continue;
      yield {
        message: `this task runs only after a change of the one before it`,
        source: condition.source,
        hint: 'make it a handler, and "notify" it there',
      };
    }
  },
};

/** The name in `name is changed` and `name.changed`. */
function changedName(expression: Expression): string | undefined {
  if (expression.type === 'PathExpression') {
    const [name, field, ...more] = expression.parts;
    return field === 'changed' && more.length === 0 ? name : undefined;
  }
  if (expression.type !== 'SubExpression' || !['changed', 'change'].includes(expression.name)) return undefined;
  const [result] = expression.params;
  return result?.type === 'PathExpression' && result.parts.length === 1 ? result.parts[0] : undefined;
}
