import { isList, Unsafe, type Value } from '../model/value.js';
import { settle } from './access.js';
import { TemplateError } from './errors.js';
import { OMIT } from './omit.js';

/** How a value appears in the middle of a text: lists and mappings as JSON, null as nothing. */
export function asText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === OMIT)
    throw new TemplateError('omit stands in the middle of a text', {
      hint: 'omit must be the whole value: "{{x | default(omit)}}"',
    });
  return value instanceof Unsafe ? value.text : JSON.stringify(settle(value));
}

/** What a value is, for messages: `the text "a"`, `a list`. */
export function describe(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value)}`;
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  return isList(value) ? 'a list' : 'a mapping';
}
