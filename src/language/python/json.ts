import { jsonText } from '../../core/model/values/json.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import { isNumeric } from '../../core/model/values/whole_number.js';
import { pythonNumber, sortedNames } from './representation.js';

interface JsonStyle {
  /** Spaces per level. Absent: everything on one line. */
  readonly indent?: number | undefined;
  readonly sortKeys: boolean;
  /** Between items, and after keys. */
  readonly separators?: readonly [string, string] | undefined;
  /** Whether to escape all characters beyond ASCII. */
  readonly ascii: boolean;
  /** Python's names for the numbers that JSON does not have. Absent: they are null. */
  readonly hasNaN?: true;
}

/** JSON spaced as Python writes it, so that texts made by Ansible and ours are equal. @param newline with the indentation of the level */
export function pythonJson(value: Value, style: JsonStyle, newline = '\n'): string {
  const inner = style.indent === undefined ? '' : newline + ' '.repeat(style.indent);
  const [between, colon] = style.separators ?? [style.indent === undefined ? ', ' : ',', ': '];
  const enclose = (open: string, items: readonly string[], close: string): string => {
    if (items.length === 0) return open + close;
    if (style.indent === undefined) return `${open}${items.join(between)}${close}`;
    return `${open}${inner}${items.join(`${between}${inner}`)}${newline}${close}`;
  };
  const write = (one: Value = null): string => pythonJson(one, style, inner);
  if (isList(value)) return enclose('[', value.map(write), ']');
  if (!isMapping(value)) return scalar(value, style);
  const names = style.sortKeys ? sortedNames(value) : Object.keys(value);
  const items = names.map((name) => `${scalar(name, style)}${colon}${write(value[name])}`);
  return enclose('{', items, '}');
}

function scalar(value: Value, { ascii, hasNaN }: JsonStyle): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return hasNaN === true ? String(value) : 'null';
  const text = isNumeric(value) ? pythonNumber(value) : jsonText(value);
  if (!ascii) return text;
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
