import type { Change } from '../model/run/change.js';
import { MASK, type Secrets } from '../model/secrets.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { holdsSecret } from '../model/secret_entries.js';
import { isClearChange } from './is_clear_change.js';
import { redactText } from './redact_text.js';
import { DEEPEST, hideText, redactMapping, redactValue } from './redact_value.js';

/** Stands for the new value of a secret that was another before: that it changes may be told, nothing else. */
export const SECRET_CHANGED = '‹secret changed›';

/** A change without secrets in which one still sees which secrets change; the same one if there is nothing to hide in it. */
export function redactChange(change: Change, secrets: Secrets): Change {
  if (isClearChange(change, secrets)) return change;
  switch (change.kind) {
    case 'none':
      return change;
    case 'invoke':
      return { ...change, object: redactText(change.object, secrets) };
    case 'create':
      return { ...change, object: redactText(change.object, secrets), after: redactMapping(change.after, secrets) };
    case 'update':
      return redactUpdate(change, secrets);
  }
}

function redactUpdate(change: Extract<Change, { kind: 'update' }>, secrets: Secrets): Change {
  const object = redactText(change.object, secrets);
  if (change.before === null) return { ...change, object, after: redactMapping(change.after, secrets) };
  const before = redactMapping(change.before, secrets);
  return { ...change, object, before, after: compareMappings(change.before, change.after, secrets, false, 0) };
}

function compareMappings(before: Mapping, after: Mapping, secrets: Secrets, hidden: boolean, depth: number): Mapping {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => {
      const below = hidden || holdsSecret(name, value, after);
      const old = Object.hasOwn(before, name) ? before[name] : undefined;
      return [secrets.maskName(name), compare(old, value, secrets, below, depth + 1)];
    }),
  );
}

function compare(before: Value | undefined, after: Value, secrets: Secrets, hidden: boolean, depth: number): Value {
  if (before === undefined || depth > DEEPEST) return redactValue(after, secrets, hidden, depth);
  if (isList(before) && isList(after)) {
    return after.map((one, index) => compare(before[index], one, secrets, hidden, depth + 1));
  }
  if (isMapping(before) && isMapping(after)) return compareMappings(before, after, secrets, hidden, depth);
  return compareLeaves(before, after, secrets, hidden);
}

function compareLeaves(before: Value, after: Value, secrets: Secrets, hidden: boolean): Value {
  const shown = redactValue(after, secrets, hidden);
  if (before === after || shown === after) return shown;
  if (hidden) return typeof after === 'string' && hideText(after) === after ? shown : SECRET_CHANGED;
  return typeof shown === 'string' && shown === redactValue(before, secrets)
    ? shown.replaceAll(MASK, SECRET_CHANGED)
    : shown;
}
