import { jsonText } from '../../core/model/values/json.js';
import { isList, Unsafe, type Value } from '../../core/model/values/value.js';
import { isNumeric } from '../../core/model/values/whole_number.js';
import { parseLiteral } from '../python/literal.js';
import { pythonNumber } from '../python/representation.js';
import { evaluateLazy } from './access.js';
import { TemplateError } from './errors.js';
import { OMIT } from './undefined.js';

/** How a value appears in the middle of a text, as in Ansible: `True` and `False`, null as nothing. Lists and mappings are JSON. */
export function asText(value: Value): string {
  return value === null ? '' : asString(value);
}

/** Python's `str()`, which filters and `~` apply to values that are not text: null is `None`. Lists and mappings are JSON. */
export function asString(value: Value): string {
  if (typeof value === 'string') return value;
  if (isNumeric(value)) return pythonNumber(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (value === OMIT)
    throw new TemplateError('omit must be the whole value', {
      hint: 'omit must be the whole value: "{{x | default(omit)}}"',
    });
  return value instanceof Unsafe ? value.text : jsonText(evaluateLazy(value));
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['True', true],
  ['False', false],
]);

/** As in Ansible, text from a template becomes a list, a mapping, true or false if it reads like one. */
export function converted(text: string): Value {
  return (/^[[{]/.test(text) ? parseLiteral(text, 'of JSON too')?.value : BOOLEANS.get(text)) ?? text;
}

/** The name of a value as a key of a mapping: keys are text, spelled as in JSON and YAML. */
export function asKey(value: Value): string {
  return typeof value === 'boolean' || value === null ? String(value) : asString(value);
}

/** A description of a value, for messages: `the text "a"`, `a list`. */
export function describe(value: Value): string {
  if (value === null) return 'null';
  if (value === OMIT) return 'omit';
  if (typeof value === 'string') return `the text ${jsonText(value.length > 40 ? `${value.slice(0, 39)}…` : value)}`;
  if (isNumeric(value)) return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Unsafe) return describe(value.text);
  return isList(value) ? 'a list' : 'a mapping';
}
