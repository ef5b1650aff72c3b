import type { Located } from '../../model/playbook/step.js';
import { hasTemplate } from '../../template/check.js';
import type { Cursor } from '../cursor.js';
import { template } from '../templated.js';

/** Batch sizes: counts, `"n%"`, or templates; undefined if all controllers go at once. */
export function serialOf(cursor: Cursor | undefined): readonly Located[] | undefined {
  const sizes = (cursor?.items() ?? []).flatMap((item) => size(item) ?? []);
  return sizes.length === 0 ? undefined : sizes;
}

function size(cursor: Cursor): Located | undefined {
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const written = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (/^-?\d+$/.test(written)) return { value: Number(written), source };
  if (/^\d+(?:\.\d+)?%$/.test(written)) return { value: written, source };
  cursor.error('"serial" takes a count, a percentage such as "25%", or a list of them');
  return undefined;
}
