import type { Located } from '../../core/model/playbook/step.js';
import { LoadError } from '../../core/model/source/diagnostic.js';
import { isList, isMapping, Unsafe, type Value, Vaulted } from '../../core/model/values/value.js';
import { isNumeric } from '../../core/model/values/whole_number.js';
import { type Cursor, describeKind } from './cursor.js';

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A text; a number is read as its text. @param hint for any other value */
export function text(cursor: Cursor | undefined, hint?: string): string | undefined {
  if (cursor === undefined) return undefined;
  if (typeof cursor.value === 'string') return cursor.value;
  if (cursor.value instanceof Unsafe) return decrypted(cursor, cursor.value);
  if (isNumeric(cursor.value)) return String(cursor.value);
  cursor.error(`${cursor.title} must be text, not ${describeKind(cursor.value)}`, hint);
  return undefined;
}

/** Decryption may fail. */
function decrypted(cursor: Cursor, data: Unsafe): string | undefined {
  try {
    return data.text;
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    cursor.error(error.message, error.hint);
    return undefined;
  }
}

/** The items of a list; any other value is reported. */
export function listItems(cursor: Cursor | undefined, wanted = 'a list'): readonly Cursor[] {
  if (cursor === undefined || isList(cursor.value)) return cursor?.items() ?? [];
  cursor.error(`${cursor.title} must be ${wanted}, not ${describeKind(cursor.value)}`, 'begin each with "- "');
  return [];
}

/** One text, or a list of texts. */
export function texts(cursor: Cursor | undefined, hint?: string): readonly Located<string>[] {
  return (cursor?.items() ?? []).flatMap((item) => {
    const value = text(item, hint);
    return value === undefined ? [] : [{ value, source: item.source }];
  });
}

/** Like `texts`; one text can contain several names, separated by commas. */
export function names(cursor: Cursor | undefined): readonly string[] {
  const found = texts(cursor).flatMap(({ value }) => value.split(',').map((name) => name.trim()));
  return [...new Set(found.filter((name) => name !== ''))];
}

/** The name of a variable that the playbook sets. */
export function variableName(cursor: Cursor | undefined): string | undefined {
  const name = text(cursor);
  if (cursor === undefined || name === undefined) return undefined;
  if (VARIABLE_NAME.test(name)) return name;
  cursor.error(invalidName(name));
  return undefined;
}

export function checkVariableNames(cursor: Cursor): void {
  for (const item of cursor.entries()) if (!VARIABLE_NAME.test(item.name)) item.errorAtKey(invalidName(item.name));
}

function invalidName(name: string): string {
  return `"${name}" is not a valid variable name: use letters, digits and "_", and do not start with a digit`;
}

/** Warns of a form that Ansible has removed or will remove. It works here; `evenkeel lint` reports it. */
export function warnOfOldForm({ diagnostics, keySource: source }: Cursor, what: string, hint: string): void {
  const message = `newer versions of Ansible refuse ${what}`;
  diagnostics.add([{ severity: 'warning', rule: 'deprecated', message, source, hint, group: { message } }]);
}

/**
 * Keywords whose texts control the run: names, conditions, variables, places. These texts are not data, and output
 * shows most of them.
 */
const STRUCTURE = new Set(
  'name hosts when loop loop_control register tags notify listen changed_when failed_when until break_when delegate_to import_tasks include_tasks import_role include_role import_playbook vars_files roles strategy order environment'.split(
    ' ',
  ),
);
const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** Every text in a value. */
export function textsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Unsafe) return value instanceof Vaulted ? [] : [value.text];
  if (isList(value)) return value.flatMap(textsIn);
  return isMapping(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The texts of tasks and plays other than structural keywords: arguments and variables, and the parts around their templates. */
export function dataIn(value: Value): readonly string[] {
  if (isList(value)) return value.flatMap(dataIn);
  if (!isMapping(value)) return textsIn(value).flatMap((text) => [text, ...around(text)]);
  return Object.entries(value).flatMap(([name, item]) => (STRUCTURE.has(name) ? [] : dataIn(item)));
}

function around(text: string): readonly string[] {
  return /\{[{%]/.test(text) ? text.split(TEMPLATE).map((part) => part.trim()) : [];
}
