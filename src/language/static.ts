import { isList, isMapping, Unsafe, type Value } from '../core/model/values/value.js';
import { hasTemplate } from './syntax/template.js';

/** Cached by value: values are immutable, so a result stays valid. */
const known = new WeakMap<object, boolean>();

/** Whether a value contains a template, or text marked as data; computed once per list and mapping. */
export function needsRendering(value: Value): boolean {
  if (typeof value === 'string') return hasTemplate(value);
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Unsafe) return true;
  const answer = known.get(value);
  if (answer !== undefined) return answer;
  const found = search(value);
  known.set(value, found);
  return found;
}

function search(value: Value): boolean {
  if (isList(value)) return value.some(needsRendering);
  return isMapping(value) && Object.entries(value).some(([key, one]) => hasTemplate(key) || needsRendering(one));
}
