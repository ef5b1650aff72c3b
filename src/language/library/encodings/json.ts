import { errorMessage } from '../../../core/model/error_message.js';
import { parseWithDigits } from '../../../core/model/values/inexact_numbers.js';
import { jsonText } from '../../../core/model/values/json.js';
import { TOO_DEEP, tooDeepAt } from '../../../core/model/values/nesting.js';
import { isList, isMapping, type Value } from '../../../core/model/values/value.js';
import { pythonNumber, sortedNames } from '../../python/representation.js';
import { evaluateLazy } from '../../runtime/access.js';
import { TemplateError } from '../../runtime/errors.js';

export interface JsonStyle {
  /** Spaces per level. Absent: everything on one line. */
  readonly indent?: number | undefined;
  readonly sortKeys: boolean;
  /** Whether to escape all characters beyond ASCII. */
  readonly ascii: boolean;
}

/** JSON spaced as Python writes it, so that texts made by Ansible's `to_json` and ours are equal. */
export function writeJson(value: Value, style: JsonStyle): string {
  return write(evaluateLazy(value), style, '\n');
}

function write(value: Value, style: JsonStyle, newline: string): string {
  if (isList(value)) {
    const items = (inner: string): readonly string[] => value.map((one) => write(one, style, inner));
    return enclose('[', ']', items, style, newline);
  }
  if (isMapping(value)) {
    const keys = style.sortKeys ? sortedNames(value) : Object.keys(value);
    const items = (inner: string): readonly string[] =>
      keys.map((key) => `${scalar(key, style)}: ${write(value[key] ?? null, style, inner)}`);
    return enclose('{', '}', items, style, newline);
  }
  return scalar(value, style);
}

function enclose(
  open: string,
  close: string,
  items: (newline: string) => readonly string[],
  style: JsonStyle,
  newline: string,
): string {
  const inner = style.indent === undefined ? '' : newline + ' '.repeat(style.indent);
  const written = items(inner);
  if (written.length === 0) return open + close;
  if (style.indent === undefined) return `${open}${written.join(', ')}${close}`;
  return `${open}${inner}${written.join(`,${inner}`)}${newline}${close}`;
}

function scalar(value: Value, style: JsonStyle): string {
  const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
  const text = isNumber ? pythonNumber(value) : jsonText(value);
  if (!style.ascii) return text;
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function readJson(text: string): Value {
  if (tooDeepAt(text) !== undefined) throw new TemplateError(`from_json: ${TOO_DEEP}`);
  try {
    // A number that is too large becomes text, as in answers of controllers.
    const value = parseWithDigits(text);
    return isValue(value) ? value : null;
  } catch (error) {
    const reason = errorMessage(error);
    throw new TemplateError(`from_json: the text is not JSON: ${reason}`, { cause: error });
  }
}

/** JSON.parse returns only our types. */
function isValue(value: unknown): value is Value {
  return value !== undefined;
}
