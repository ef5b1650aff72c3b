import type { Located } from '../../core/model/playbook/step.js';
import { parseFlag } from '../../core/model/values/value.js';
import { checkTemplates, hasTemplate } from '../../language/check.js';
import { describeKind, text, type Cursor } from './cursor.js';

/** Like `text`, but may contain templates, which are checked. */
export function template(cursor: Cursor | undefined): Located<string> | undefined {
  const value = text(cursor);
  if (cursor === undefined || value === undefined) return undefined;
  checkCursorTemplates(cursor);
  return { value, source: cursor.source };
}

/** True or false, in any of Ansible's spellings, or a template. */
export function flag(cursor: Cursor | undefined): Located | undefined {
  if (cursor === undefined) return undefined;
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const known = parseFlag(value);
  if (known === undefined) return cursor.error(`${cursor.title} must be true or false, not ${shownValue(cursor)}`);
  return { value: known, source };
}

/** Like `flag`, without templates: for values that are needed before anything can be rendered. */
export function plainFlag(cursor: Cursor | undefined): boolean | undefined {
  const found = flag(cursor);
  if (found === undefined) return undefined;
  if (typeof found.value === 'boolean') return found.value;
  return cursor?.error(`${cursor.title} must be true or false: it is needed before the run`);
}

/** A number of at least `least`, or a template. */
export function quantity(
  cursor: Cursor | undefined,
  { least, whole = false }: { least: number; whole?: boolean },
): Located | undefined {
  if (cursor === undefined) return undefined;
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= least && (Number.isInteger(number) || (!whole && isFinite(number))))
    return { value: number, source };
  const wanted = `${whole ? 'a whole number' : 'a number'} from ${least}`;
  return cursor.error(`${cursor.title} must be ${wanted}, not ${shownValue(cursor)}`);
}

/** Any value; templates in it are checked. */
export function templated(cursor: Cursor | undefined): Located | undefined {
  if (cursor === undefined) return undefined;
  checkCursorTemplates(cursor);
  return { value: cursor.value, source: cursor.source };
}

export function checkCursorTemplates(cursor: Cursor): void {
  cursor.diagnostics.add(checkTemplates(cursor.value, cursor.locate, cursor.library));
}

/** The value in a message that refuses it. */
export function shownValue(cursor: Cursor): string {
  return typeof cursor.value === 'string' ? JSON.stringify(cursor.value) : describeKind(cursor.value);
}
