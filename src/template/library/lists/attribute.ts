import type { Value } from '../../../model/values/value.js';
import { keysOf, step } from '../../runtime/access.js';
import { didYouMean } from '../../../model/source/suggestion.js';
import { TemplateError } from '../../runtime/errors.js';
import { asKey } from '../../runtime/text.js';
import { Undefined, type Result } from '../../runtime/undefined.js';

/** What `attribute="a.b.0"` finds in an item; undefined if any step is missing. */
export function attributeOf(item: Value, attribute: Value): Result {
  let value: Value = item;
  for (const part of asKey(attribute).split('.')) {
    const inner = value;
    const next = step(inner, part);
    if (next === undefined) return new Undefined(() => missing(inner, part));
    value = next;
  }
  return value;
}

function missing(value: Value, part: string): TemplateError {
  const keys = keysOf(value);
  const what = keys.length === 0 ? '' : `; it has ${keys.slice(0, 8).join(', ')}`;
  return new TemplateError(`an item has no "${part}"${what}`, { undefinedName: part, hint: didYouMean(part, keys) });
}

/** The key by which texts are compared without regard to case. */
export function withoutCase(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
