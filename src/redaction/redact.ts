import type { Event, RequestFinished, TaskFinished } from '../model/run/event.js';
import { display, displayNamed } from '../model/values/display.js';
import type { Secrets } from '../model/secrets.js';
import type { Mapping } from '../model/values/value.js';
import type { Source } from '../model/source/source.js';
import { redactBody } from './redact_body.js';
import { redactChange } from './redact_change.js';
import { redactText, redactTitle } from './redact_text.js';
import { redactMapping } from './redact_value.js';

/**
 * The event without secrets: by value, in every encoding that the run's secrets come in, and by the name that a value
 * stands under. Names of controllers, groups and modules stay, for outputs group by them.
 */
export function redact(event: Event, secrets: Secrets): Event {
  switch (event.type) {
    case 'task-finished':
      return redactTask(event, secrets);
    case 'request-finished':
      return redactRequest(event, secrets);
    case 'warning':
      return { ...event, message: redactText(event.message, secrets), ...sourced(event, secrets) };
    case 'play-started':
    case 'batch-started':
    case 'controller-finished':
    case 'gate-started':
    case 'gate-checked':
    case 'gate-finished':
    case 'batch-finished':
    case 'play-finished':
      return { ...event, play: redactTitle(event.play, secrets) };
    case 'task-started':
    case 'task-retried':
      return { ...event, play: redactTitle(event.play, secrets), task: redactTitle(event.task, secrets) };
    case 'handler-notified':
      return { ...event, play: redactTitle(event.play, secrets), handler: redactTitle(event.handler, secrets) };
    case 'run-finished':
      return event.reason === undefined ? event : { ...event, reason: redactText(event.reason, secrets) };
    case 'run-started':
      return { ...event, playbooks: event.playbooks.map((file) => secrets.mask(file)) };
    case 'controller-throttled':
      return event;
  }
}

function redactTask(event: TaskFinished, secrets: Secrets): TaskFinished {
  const { item, message, hint, values, change, cause } = event;
  const shown = values === undefined ? undefined : redactMapping(values, secrets);
  return {
    ...event,
    ...sourced(event, secrets),
    play: redactTitle(event.play, secrets),
    task: redactTitle(event.task, secrets),
    ...(cause === undefined ? {} : { cause: masked(cause, secrets) }),
    ...(item === undefined ? {} : { item: redactText(item, secrets) }),
    ...(message === undefined ? {} : { message: redactText(shownMessage(event, message, shown), secrets) }),
    ...(hint === undefined ? {} : { hint: redactText(hint, secrets) }),
    ...(shown === undefined ? {} : { values: shown }),
    ...(change === undefined ? {} : { change: redactChange(change, secrets) }),
  };
}

/** Masks `debug` output by name as well: a secret may be too short to be found by value. */
function shownMessage({ spoken, values = {} }: TaskFinished, message: string, redacted: Mapping = {}): string {
  if (spoken !== true) return message;
  const shown = Object.entries(redacted);
  for (const [at, [name, value]] of Object.entries(values).entries()) {
    const [shownName, shownValue = value] = shown[at] ?? [name];
    if (message === displayNamed(name, value)) return displayNamed(shownName, shownValue);
    if (message === display(value)) return display(shownValue);
  }
  return message;
}

function redactRequest(event: RequestFinished, secrets: Secrets): RequestFinished {
  const { error, requestBody, responseBody } = event;
  return {
    ...event,
    url: redactText(event.url, secrets),
    ...(error === undefined ? {} : { error: redactText(error, secrets) }),
    ...(requestBody === undefined ? {} : { requestBody: redactBody(requestBody, secrets) }),
    ...(responseBody === undefined ? {} : { responseBody: redactBody(responseBody, secrets) }),
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
