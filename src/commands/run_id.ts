import { randomBytes } from 'node:crypto';

/** Sorts by time and is unique: `20261120T185022Z-9f3a1c`. */
export function newRunId(now = new Date()): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
