import type { Event, TaskFinished } from '../model/run/event.js';
import { withTexts, type TextKind } from '../model/run/event_texts.js';
import type { Source } from '../model/source/diagnostic.js';
import { display, displayNamed } from '../model/values/display.js';
import type { Mapping } from '../model/values/value.js';
import { maskChange } from './mask_change.js';
import { maskText, maskTitle, type Masked } from './mask_text.js';
import { maskBody, maskMapping } from './mask_value.js';
import type { Secrets } from './secrets.js';

type MaskText = (text: string, secrets: Secrets) => string;

const MASKS: Readonly<Record<TextKind, MaskText>> = { title: maskTitle, text: maskText, body: maskBody };

/**
 * Masks an event: secrets by value, in every form, and values under secret names. Names of controllers, groups and modules stay, because
 * outputs group by them.
 */
export function maskEvent(event: Event, secrets: Secrets): Masked<Event> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mask makes this type
  return masked(event, secrets) as Masked<Event>;
}

function masked(event: Event, secrets: Secrets): Event {
  const texts = withTexts(event.type === 'task-finished' ? maskTask(event, secrets) : event, (text, kind) =>
    MASKS[kind](text, secrets),
  );
  if (texts.type === 'run-started') return { ...texts, playbooks: texts.playbooks.map((file) => secrets.mask(file)) };
  if (!('source' in texts)) return texts;
  const source = maskFile(texts.source, secrets);
  return source === texts.source ? texts : { ...texts, source };
}

/** Masks what is not a text of its own. */
function maskTask(event: TaskFinished, secrets: Secrets): TaskFinished {
  const { message, values, change, cause } = event;
  const shown = values === undefined ? undefined : maskMapping(values, secrets);
  return {
    ...event,
    ...(cause === undefined ? {} : { cause: maskFile(cause, secrets) }),
    ...(message === undefined ? {} : { message: shownMessage(event, message, shown) }),
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

/** The name of a file may come from a variable. */
function maskFile(source: Source, secrets: Secrets): Source {
  const file = secrets.mask(source.file);
  return file === source.file ? source : { ...source, file };
}
