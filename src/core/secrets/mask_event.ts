import { withTexts, type Event, type TaskFinished, type TextKind } from '../model/run/event.js';
import { mapChange, type Change } from '../model/run/result.js';
import type { Source } from '../model/source/diagnostic.js';
import { display, displayNamed, isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { maskText, maskTitle, type Masked } from './mask_text.js';
import { isClear, isClearEntry, maskBody, maskLeaf, maskMapping, maskValue, MOST_MASKED_LEVELS } from './mask_value.js';
import { coverFor, holdsSecret, type Cover } from './names.js';
import { MASK, type Secrets } from './secrets.js';

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
export function maskFile(source: Source, secrets: Secrets): Source {
  const file = secrets.mask(source.file);
  return file === source.file ? source : { ...source, file };
}

/** Replaces the new value of a changed secret: only the fact that it changes may be shown. */
export const SECRET_CHANGED = '‹secret changed›';

/** A change without secrets that still shows which secrets change; the same change if it contains no secret. */
export function maskChange(change: Change, secrets: Secrets): Change {
  if (isClearChange(change, secrets)) return change;
  const before = change.kind === 'update' ? change.before : null;
  return mapChange(
    change,
    (object) => maskText(object, secrets),
    (image) =>
      before === null || image === before
        ? maskMapping(image, secrets)
        : compareMappings(before, image, secrets, 'open', 0),
  );
}

function compareMappings(before: Mapping, after: Mapping, secrets: Secrets, cover: Cover, depth: number): Mapping {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => {
      const below = coverFor(name, after, cover);
      const old = Object.hasOwn(before, name) ? before[name] : undefined;
      return [secrets.maskName(name), compare(old, value, secrets, below, depth + 1)];
    }),
  );
}

function compare(before: Value | undefined, after: Value, secrets: Secrets, cover: Cover, depth: number): Value {
  if (before === undefined || depth > MOST_MASKED_LEVELS) return maskValue(after, secrets, cover, depth);
  if (isList(before) && isList(after)) {
    return after.map((one, index) => compare(before[index], one, secrets, cover, depth + 1));
  }
  if (isMapping(before) && isMapping(after)) return compareMappings(before, after, secrets, cover, depth);
  return compareLeaves(before, after, secrets, cover);
}

function compareLeaves(before: Value, after: Value, secrets: Secrets, cover: Cover): Value {
  const shown = maskValue(after, secrets, cover);
  if (before === after || shown === after) return shown;
  if (cover !== 'open') return typeof after === 'string' && maskLeaf(after) === after ? shown : SECRET_CHANGED;
  return typeof shown === 'string' && shown === maskValue(before, secrets)
    ? shown.replaceAll(MASK, SECRET_CHANGED)
    : shown;
}

/**
 * Whether masking would leave a change unchanged. The same change is reported before and after a write, so the result is cached until
 * another secret is learned.
 */
export function isClearChange(change: Change, secrets: Secrets): boolean {
  if (secrets.isKnownClear(change)) return true;
  const clear = arePartsClear(change, secrets);
  if (clear) secrets.noteClear(change);
  return clear;
}

function arePartsClear(change: Change, secrets: Secrets): boolean {
  if (change.kind === 'none') return true;
  // Nothing, null, is clear.
  if (!isClear(change.object, secrets) || !isClear(change.before, secrets)) return false;
  if (change.kind !== 'update' || change.before === null) return isClear(change.after, secrets);
  return isClearBeside(change.before, change.after, secrets);
}

/** A value taken unchanged from a clear object is clear, too, unless its name is now that of a secret. */
function isClearBeside(before: Mapping, after: Mapping, secrets: Secrets): boolean {
  return Object.keys(after).every((name) => {
    const value = after[name];
    const isNested = isMapping(value) || isList(value);
    const isKept = isNested && value === before[name] && !holdsSecret(name, value, after);
    return isKept || isClearEntry(name, after, secrets);
  });
}
