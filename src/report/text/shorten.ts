import type { Event, TaskFinished } from '../../model/run/event.js';

/** Limit for failures, hints and warnings, in characters. Longer text is data, not a message. */
export const LONGEST = 2_000;
/** Limit for the output of `debug`, which the user asked for. */
const LONGEST_SPOKEN = 64 * 2 ** 10;
/**
 * Text may be masked again before it is shown, with secrets learned since. Half of a secret would not be recognised, so more is kept than
 * is shown.
 */
const MARGIN = 6_000;
const KEPT = LONGEST + MARGIN;

/** Returns the event with its long texts cut, or the same event if all are short. Changes and values are cut later, when they are shown. */
export function withShortTexts(event: Event): Event {
  switch (event.type) {
    case 'task-finished':
      return withShortResult(event);
    case 'task-started':
    case 'task-retried':
    case 'task-progressed':
      return isShort(event.task) ? event : { ...event, task: startOf(event.task) };
    case 'warning':
      return isShort(event.message) ? event : { ...event, message: startOf(event.message) };
    case 'run-finished':
      return event.reason === undefined || isShort(event.reason) ? event : { ...event, reason: startOf(event.reason) };
    case 'request-finished':
      if (isShort(event.url) && isShort(event.error)) return event;
      return {
        ...event,
        url: startOf(event.url),
        ...(event.error === undefined ? {} : { error: startOf(event.error) }),
      };
    case 'handler-notified':
      return isShort(event.handler) ? event : { ...event, handler: startOf(event.handler) };
    case 'run-started':
    case 'play-started':
    case 'batch-started':
    case 'controller-finished':
    case 'controller-throttled':
    case 'request-retried':
    case 'gate-started':
    case 'gate-checked':
    case 'gate-finished':
    case 'batch-finished':
    case 'play-finished':
      return event;
    default:
      return event satisfies never;
  }
}

function withShortResult(event: TaskFinished): TaskFinished {
  const { task, item, hint, message, spoken } = event;
  if (isShort(task) && isShort(item) && isShort(hint) && isShort(message)) return event;
  return {
    ...event,
    task: startOf(task),
    ...(item === undefined ? {} : { item: startOf(item) }),
    ...(hint === undefined ? {} : { hint: startOf(hint) }),
    ...(message === undefined
      ? {}
      : { message: spoken === true ? shorten(message, LONGEST_SPOKEN) : startOf(message) }),
  };
}

function isShort(text = ''): boolean {
  return text.length <= KEPT;
}

/** The shown part of an event's text. */
export function shownStart(text: string, mask: (text: string) => string = asItIs): string {
  const masked = mask(text);
  if (text.length < KEPT) return shorten(masked, LONGEST);
  // Masking may have shortened the text. Cut at the limit anyway, so that nothing near the first cut is shown.
  return shorten(masked, Math.max(0, Math.min(LONGEST, masked.length - MARGIN)));
}

function asItIs(text: string): string {
  return text;
}

/** Cuts a text and adds a remark. The remark has no number, so that equal beginnings stay equal across controllers. */
export function shorten(text: string, longest: number, remark = 'cut here: -o json shows all'): string {
  if (text.length <= longest) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text[longest - 1] ?? '');
  return `${beginning(text, splitsPair ? longest - 1 : longest)}… (${remark})`;
}

function startOf(text: string): string {
  return isShort(text) ? text : beginning(text, KEPT);
}

/** A copy, because a slice would keep the whole text in memory. */
function beginning(text: string, length: number): string {
  return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}
