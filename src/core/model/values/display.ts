import { jsonText } from './json.js';
import { lazyEntries, LazyMapping, Unsafe, type Value } from './value.js';

/** What a controller shows in place of a secret. */
export const HIDDEN = '<sensitive>';

/** Replaces a value in a check that is known only after a write. */
export const LATER = '(known after apply)';

/** Whether a part of it is known only later. */
export function hasLater(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(LATER);
  if (Array.isArray(value)) return value.some(hasLater);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLater);
}

/** A value with its name, as `debug` shows a variable. */
export function displayNamed(name: string, value: Value): string {
  return `${name}: ${display(value)}`;
}

/** A value for display: text unchanged, anything else as JSON. */
export function display(value: Value): string {
  return typeof value === 'string' ? value : jsonText(value, plain, 2);
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Unsafe) return value.text;
  return value instanceof LazyMapping ? Object.fromEntries(lazyEntries(value)) : value;
}
