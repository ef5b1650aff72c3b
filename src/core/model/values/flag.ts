import type { Value } from './value.js';

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1', 'y', 't'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0', 'n', 'f'].map((word) => [word, false] as const),
]);

/** The meaning of a boolean in any of Ansible's spellings, in any case; undefined for other values. */
export function parseFlag(value: Value): boolean | undefined {
  return typeof value === 'object' ? undefined : TRUTH.get(String(value).toLowerCase());
}
