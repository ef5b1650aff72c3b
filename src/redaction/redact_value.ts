import { HIDDEN } from '../model/placeholder.js';
import { holdsSecret } from '../model/secret_entries.js';
import { MASK, type Secrets } from '../model/secrets.js';
import { entriesOf, isList, LazyMapping, type Mapping, Unsafe, type Value } from '../model/values/value.js';
import { redactText } from './redact_text.js';

/** What a controller sends may nest without end; nobody reads below this. */
export const DEEPEST = 100;

/** A value without secrets, by value and by name. `hidden`: it stands below the name of a secret, so every leaf goes. */
export function redactValue(value: Value, secrets: Secrets, hidden = false, depth = 0): Value {
  if (typeof value === 'string') return hidden ? hideText(value) : redactText(value, secrets);
  if (typeof value === 'number') return hidden || secrets.mask(String(value)) !== String(value) ? MASK : value;
  if (value === null || typeof value === 'boolean') return value;
  if (depth > DEEPEST) return '…';
  if (value instanceof Unsafe) return redactValue(value.text, secrets, hidden);
  if (isList(value)) return value.map((one) => redactValue(one, secrets, hidden, depth + 1));
  return redactMapping(
    value instanceof LazyMapping ? Object.fromEntries(entriesOf(value)) : value,
    secrets,
    hidden,
    depth,
  );
}

export function redactMapping(mapping: Mapping, secrets: Secrets, hidden = false, depth = 0): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).map(([name, value]) => [
      secrets.maskName(name),
      redactValue(value, secrets, hidden || holdsSecret(name, value, mapping), depth + 1),
    ]),
  );
}

/** Nothing to hide in an empty text; and that a controller hides a value may be told. */
export function hideText(text: string): string {
  return text === '' || text === HIDDEN ? text : MASK;
}
