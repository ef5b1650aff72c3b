import { holdsSecret } from '../model/secret_entries.js';
import type { Secrets } from '../model/secrets.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { redactText } from './redact_text.js';
import { DEEPEST, hideText } from './redact_value.js';

/**
 * Whether a value may be shown as it is, and JSON brings exactly it back: redaction would change nothing. Most values are so, and to
 * find that out costs a fraction of making a copy without secrets and comparing the two.
 */
export function isClear(value: Value | undefined, secrets: Secrets, hidden = false, depth = 0): boolean {
  if (typeof value === 'string') return hidden ? hideText(value) === value : redactText(value, secrets) === value;
  if (typeof value === 'number') return !hidden && isExact(value) && secrets.mask(String(value)) === String(value);
  if (value === null || typeof value === 'boolean') return true;
  if (depth > DEEPEST) return false;
  if (isList(value)) return value.every((one) => isClear(one, secrets, hidden, depth + 1));
  if (!isMapping(value)) return false;
  return Object.keys(value).every((name) => isClearEntry(name, value, secrets, hidden, depth));
}

/** The same of one entry, by its name too. `among`: the mapping that it stands in. */
export function isClearEntry(name: string, among: Mapping, secrets: Secrets, hidden = false, depth = 0): boolean {
  const value = among[name];
  if (value === undefined || secrets.maskName(name) !== name) return false;
  return isClear(value, secrets, hidden || holdsSecret(name, value, among), depth + 1);
}

function isExact(number: number): boolean {
  return Number.isFinite(number) && !Object.is(number, -0);
}
