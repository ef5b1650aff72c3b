import { mapChange, type Change } from '../model/run/result.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { maskText } from './mask_text.js';
import { MOST_MASKED_LEVELS, isClear, isClearEntry, maskLeaf, maskMapping, maskValue } from './mask_value.js';
import { coverFor, holdsSecret, type Cover } from './names.js';
import { MASK, type Secrets } from './secrets.js';

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
