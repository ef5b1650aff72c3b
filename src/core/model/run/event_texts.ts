import type { Event } from './event.js';

/** What a text of an event is: the name of a play, task or handler; a message, an item or a URL; the body of a request. */
export type TextKind = 'title' | 'text' | 'body';

type TextsOf<E> = { readonly [Name in keyof E]?: TextKind };

const PLAY = { play: 'title' } as const;
const TASK = { ...PLAY, task: 'title' } as const;

/** The texts that a user, a template or a controller wrote: they may contain secrets, and have any length. */
const EVENT_TEXTS: { readonly [E in Event as E['type']]: TextsOf<E> } = {
  'run-started': {},
  'play-started': PLAY,
  'batch-started': PLAY,
  'task-started': TASK,
  'task-finished': { ...TASK, item: 'text', message: 'text', hint: 'text' },
  'task-retried': { ...TASK, message: 'text' },
  'task-progressed': { ...TASK, message: 'text' },
  'handler-notified': { ...PLAY, handler: 'title' },
  'request-finished': { url: 'text', error: 'text', requestBody: 'body', responseBody: 'body' },
  'request-retried': { awaited: 'text', reason: 'text' },
  'controller-throttled': {},
  'gate-started': PLAY,
  'gate-checked': PLAY,
  'gate-finished': PLAY,
  'controller-finished': PLAY,
  'batch-finished': PLAY,
  'play-finished': PLAY,
  'run-finished': { reason: 'text' },
  warning: { message: 'text' },
};

const LISTED = new Map(Object.entries(EVENT_TEXTS).map(([type, texts]) => [type, Object.entries(texts)]));

/** The event with each of its texts changed, or the same event if none changes. */
export function withTexts<E extends Event>(
  event: E,
  change: (text: string, kind: TextKind, name: string) => string,
): E {
  const changed: Record<string, string> = {};
  for (const [name, kind] of LISTED.get(event.type) ?? []) {
    const text: unknown = Reflect.get(event, name);
    if (typeof text !== 'string') continue;
    const other = change(text, kind, name);
    if (other !== text) changed[name] = other;
  }
  return Object.keys(changed).length === 0 ? event : { ...event, ...changed };
}
