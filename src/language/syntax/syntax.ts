import type { Value } from '../../core/model/values/value.js';
import { parseLiteral } from '../python/literal.js';
import { TemplateError } from '../runtime/errors.js';
import { JINJA_DELIMITERS, type Delimiters } from './delimiters.js';
import type { Spacing } from './tags.js';

/** How a first line with settings begins. */
export const OVERRIDES = '#jinja2:';

/** How a template is written. */
export interface Syntax {
  readonly spacing: Spacing;
  readonly delimiters: Delimiters;
}

/** Ansible's settings of Jinja. */
export const ANSIBLE: Syntax = { spacing: { trim: true, lstrip: false }, delimiters: JINJA_DELIMITERS };

const STRINGS: ReadonlyMap<string, readonly [kind: keyof Delimiters, end: 0 | 1]> = new Map([
  ['variable_start_string', ['variable', 0]],
  ['variable_end_string', ['variable', 1]],
  ['block_start_string', ['block', 0]],
  ['block_end_string', ['block', 1]],
  ['comment_start_string', ['comment', 0]],
  ['comment_end_string', ['comment', 1]],
]);

const FLAGS: ReadonlyMap<string, keyof Spacing> = new Map([
  ['trim_blocks', 'trim'],
  ['lstrip_blocks', 'lstrip'],
]);

/**
 * Removes a first line such as `#jinja2: trim_blocks: False, block_start_string: '[%'`, and applies its settings, as
 * Ansible does.
 */
export function readOverrides(text: string, syntax: Syntax): { readonly rest: string; readonly syntax: Syntax } {
  if (!text.startsWith(OVERRIDES)) return { rest: text, syntax };
  const end = text.indexOf('\n');
  const line = text.slice(OVERRIDES.length, end < 0 ? text.length : end);
  return { rest: end < 0 ? '' : text.slice(end + 1), syntax: line.split(',').reduce(withPair, syntax) };
}

function withPair(syntax: Syntax, pair: string): Syntax {
  const colon = pair.indexOf(':');
  const name = (colon < 0 ? pair : pair.slice(0, colon)).trim();
  const value = colon < 0 ? undefined : parseLiteral(pair.slice(colon + 1).trim())?.value;
  return withSetting(syntax, name, value);
}

/** Throws a TemplateError if the setting does not exist, or the value is invalid for it. */
export function withSetting(syntax: Syntax, name: string, value: Value | undefined): Syntax {
  const { spacing, delimiters } = syntax;
  const flag = FLAGS.get(name);
  const string = STRINGS.get(name);
  if (flag !== undefined) {
    if (typeof value !== 'boolean') throw new TemplateError(`#jinja2: ${name} must be True or False`);
    return { delimiters, spacing: { ...spacing, [flag]: value } };
  }
  const hint = `these can: ${[...FLAGS.keys(), ...STRINGS.keys()].join(', ')}`;
  if (string === undefined) throw new TemplateError(`#jinja2: "${name}" cannot be set`, { hint });
  if (typeof value !== 'string' || value === '') throw new TemplateError(`#jinja2: ${name} must be a text in quotes`);
  const [kind, end] = string;
  const [start, close] = delimiters[kind];
  return { spacing, delimiters: { ...delimiters, [kind]: end === 0 ? [value, close] : [start, value] } };
}
