import type { Event, RequestFinished, TaskFinished } from '../model/run/event.js';
import { display, displayNamed } from '../model/values/display.js';
import type { Secrets } from './secrets.js';
import type { Mapping } from '../model/values/value.js';
import type { Source } from '../model/source/source.js';
import { maskBody, maskMapping } from './mask_value.js';
import { maskChange } from './mask_change.js';
import { maskText, maskTitle } from './mask_text.js';

/**
 * Masks an event: secrets by value, in every form, and values under secret names. Names of controllers, groups and modules stay, because
 * outputs group by them.
 */
export function maskEvent(event: Event, secrets: Secrets): Event {
  switch (event.type) {
    case 'task-finished':
      return maskTask(event, secrets);
    case 'request-finished':
      return maskRequest(event, secrets);
    case 'warning':
      return { ...event, message: maskText(event.message, secrets), ...sourced(event, secrets) };
    case 'play-started':
    case 'batch-started':
    case 'controller-finished':
    case 'gate-started':
    case 'gate-checked':
    case 'gate-finished':
    case 'batch-finished':
    case 'play-finished':
      return { ...event, play: maskTitle(event.play, secrets) };
    case 'task-retried': {
      const { message } = event;
      const shown = message === undefined ? {} : { message: maskText(message, secrets) };
      return { ...event, play: maskTitle(event.play, secrets), task: maskTitle(event.task, secrets), ...shown };
    }
    case 'task-progressed': {
      const message = maskText(event.message, secrets);
      return { ...event, play: maskTitle(event.play, secrets), task: maskTitle(event.task, secrets), message };
    }
    case 'task-started':
      return { ...event, play: maskTitle(event.play, secrets), task: maskTitle(event.task, secrets) };
    case 'handler-notified':
      return { ...event, play: maskTitle(event.play, secrets), handler: maskTitle(event.handler, secrets) };
    case 'run-finished':
      return event.reason === undefined ? event : { ...event, reason: maskText(event.reason, secrets) };
    case 'run-started':
      return { ...event, playbooks: event.playbooks.map((file) => secrets.mask(file)) };
    case 'request-retried':
      return { ...event, reason: maskText(event.reason, secrets) };
    case 'controller-throttled':
      return event;
    default:
      return event satisfies never;
  }
}

function maskTask(event: TaskFinished, secrets: Secrets): TaskFinished {
  const { item, message, hint, values, change, cause } = event;
  const shown = values === undefined ? undefined : maskMapping(values, secrets);
  return {
    ...event,
    ...sourced(event, secrets),
    play: maskTitle(event.play, secrets),
    task: maskTitle(event.task, secrets),
    ...(cause === undefined ? {} : { cause: masked(cause, secrets) }),
    ...(item === undefined ? {} : { item: maskText(item, secrets) }),
    ...(message === undefined ? {} : { message: maskText(shownMessage(event, message, shown), secrets) }),
    ...(hint === undefined ? {} : { hint: maskText(hint, secrets) }),
    ...(shown === undefined ? {} : { values: shown }),
    ...(change === undefined ? {} : { change: maskChange(change, secrets) }),
  };
}

/** Masks `debug` output by name as well: a secret may be too short to be found by value. */
function shownMessage({ spoken, values = {} }: TaskFinished, message: string, masked: Mapping = {}): string {
  if (spoken !== true) return message;
  const shown = Object.entries(masked);
  for (const [at, [name, value]] of Object.entries(values).entries()) {
    const [shownName, shownValue = value] = shown[at] ?? [name];
    if (message === displayNamed(name, value)) return displayNamed(shownName, shownValue);
    if (message === display(value)) return display(shownValue);
  }
  return message;
}

function maskRequest(event: RequestFinished, secrets: Secrets): RequestFinished {
  const { error, requestBody, responseBody } = event;
  return {
    ...event,
    url: maskText(event.url, secrets),
    ...(error === undefined ? {} : { error: maskText(error, secrets) }),
    ...(requestBody === undefined ? {} : { requestBody: maskBody(requestBody, secrets) }),
    ...(responseBody === undefined ? {} : { responseBody: maskBody(responseBody, secrets) }),
  };
}

/** The name of a file may come from a variable. */
function sourced({ source }: { readonly source?: Source }, secrets: Secrets): { readonly source?: Source } {
  return source === undefined ? {} : { source: masked(source, secrets) };
}

function masked(source: Source, secrets: Secrets): Source {
  const file = secrets.mask(source.file);
  return file === source.file ? source : { ...source, file };
}
