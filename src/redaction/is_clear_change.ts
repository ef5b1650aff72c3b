import type { Change } from '../model/run/change.js';
import { holdsSecret } from '../model/secret_entries.js';
import type { Secrets } from '../model/secrets.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { isClear, isClearEntry } from './is_clear.js';

/**
 * Whether a change may be shown as it is: redaction would change nothing. The same change is told before a write and after it, so
 * the answer is remembered until another secret is learned.
 */
export function isClearChange(change: Change, secrets: Secrets): boolean {
  if (secrets.isKnownClear(change)) return true;
  const clear = isClear(withoutImages(change), secrets) && areClearImages(change, secrets);
  if (clear) secrets.noteClear(change);
  return clear;
}

function withoutImages(change: Change): Mapping {
  return 'object' in change ? { object: change.object } : {};
}

function areClearImages(change: Change, secrets: Secrets): boolean {
  switch (change.kind) {
    case 'none':
    case 'invoke':
      return true;
    case 'create':
      return isClear(change.after, secrets);
    case 'update':
      if (change.before === null) return isClear(change.after, secrets);
      return isClear(change.before, secrets) && isClearBeside(change.before, change.after, secrets);
  }
}

/** What an object has kept of another one that is clear is clear as well, unless its name tells otherwise now. */
function isClearBeside(before: Mapping, after: Mapping, secrets: Secrets): boolean {
  return Object.keys(after).every((name) => {
    const value = after[name];
    const isKept = isNested(value) && value === before[name] && !holdsSecret(name, value, after);
    return isKept || isClearEntry(name, after, secrets);
  });
}

function isNested(value: Value | undefined): value is Mapping | readonly Value[] {
  return isMapping(value) || isList(value);
}
