import type { Event, TaskFinished } from '../../model/run/event.js';

/** Of a failure, a hint or a warning, in characters: what is longer is data. */
export const LONGEST = 2_000;
/** What `debug` says was asked for. */
const LONGEST_SPOKEN = 64 * 2 ** 10;
/**
 * A text may be masked again before it is shown, with secrets learned since. So more of it is kept than is shown: of a secret that was
 * cut in two, nothing would be masked.
 */
const MARGIN = 6_000;
const KEPT = LONGEST + MARGIN;

/** The event with no more of its texts than people read; the same one if they are short. Changes and values are cut as they are shown. */
export function withShortTexts(event: Event): Event {
  switch (event.type) {
    case 'task-finished':
      return withShortResult(event);
    case 'task-started':
    case 'task-retried':
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

/** A text of an event as it is shown. */
export function shownStart(text: string, mask: (text: string) => string = asItIs): string {
  const masked = mask(text);
  if (text.length < KEPT) return shorten(masked, LONGEST);
  // Masks may be shorter than what they hide: what is close to the cut stays away all the same.
  return shorten(masked, Math.max(0, Math.min(LONGEST, masked.length - MARGIN)));
}

function asItIs(text: string): string {
  return text;
}

/** Of a longer text the first so many characters, and a remark without their number: what is the same for many controllers stays so. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text[longest - 1] ?? '');
  return `${beginning(text, splitsPair ? longest - 1 : longest)}… (cut here: -o json shows all)`;
}

function startOf(text: string): string {
  return isShort(text) ? text : beginning(text, KEPT);
}

/** A copy: a mere part of a text keeps the whole in memory. */
function beginning(text: string, length: number): string {
  return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}
