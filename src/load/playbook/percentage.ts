import type { Located } from '../../model/playbook/step.js';
import { hasTemplate } from '../../template/check.js';
import type { Cursor } from '../cursor.js';
import { template } from '../templated.js';

/** `30`, `"30%"`, or a template that comes to one of them. */
export function percentageOf(cursor: Cursor | undefined): Located | undefined {
  if (cursor === undefined) return undefined;
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const written = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  const number = /^(\d+(?:\.\d+)?)\s*%?$/.exec(written)?.[1];
  if (number !== undefined) return { value: Number(number), source };
  cursor.error(`${cursor.title} must be a percentage, such as 30 or "30%"`);
  return undefined;
}
