import type { Change } from '../../core/model/run/result.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import type { WholeNumber } from '../../core/model/values/json.js';
import { entry, isList, isMapping, mapValues, type Mapping, type Value } from '../../core/model/values/value.js';
import { SECRET_CHANGED } from '../../core/secrets/mask_event.js';
import { MASK } from '../../core/secrets/secrets.js';
import { differences } from './differences.js';

/** A value that a template of the task's arguments produced: the text as written, and the value on one controller. */
export interface Folded {
  readonly path: FieldPath;
  /** `{{ domain }}`, `edge-{{ number }}` */
  readonly template: string;
  readonly value: string | WholeNumber | boolean;
}

/** The argument of `resource_present` with the fields of its object. */
const FIELDS = 'properties';
/** Also part of the object's title: `cloud "edge"`. */
const NAME_VARIABLE = 'name';
/** A longer value is prose, not a setting of one controller. */
const LONGEST_VALUE = 1000;

/**
 * The new values of a change that come from templates. A value comes from a template if the task's arguments have the template at
 * the same place, and the value contains its literal parts.
 */
export function foldedValues(change: Change, args: Value | undefined): readonly Folded[] {
  if (!isMapping(args) || change.kind === 'none' || change.kind === 'invoke' || change.after === null) return [];
  const found: Folded[] = [];
  collect(entry(args, NAME_VARIABLE) ?? null, entry(change.after, NAME_VARIABLE) ?? null, [NAME_VARIABLE], found);
  const inside = entry(args, FIELDS);
  for (const difference of differences(change)) {
    if (difference.type === 'removed') continue;
    const { path, after } = difference;
    if (path[0] === NAME_VARIABLE) continue;
    const written =
      writtenAt(args, change.after, path) ?? (isMapping(inside) ? writtenAt(inside, change.after, path) : undefined);
    if (written !== undefined) collect(written, after, path, found);
  }
  return found;
}

/** Puts the templates in place of their values. */
export function withTemplates(change: Change, folded: readonly Folded[]): Change {
  if (change.kind !== 'create' && change.kind !== 'update') return change;
  let after: Value = change.after;
  let before: Value = change.before;
  let { object } = change;
  for (const { path, template, value } of folded) {
    after = replaced(after, path, template);
    if (path[0] !== NAME_VARIABLE) continue;
    object = object.replace(`"${value}"`, () => `"${template}"`);
    // An update does not change the name.
    if (isMapping(before) && entry(before, NAME_VARIABLE) === value) before = replaced(before, path, template);
  }
  if (!isMapping(after)) return change;
  if (change.kind === 'create') return { ...change, object, after };
  return { ...change, object, before: isMapping(before) ? before : null, after };
}

/** Identifies a template at a place. */
export function foldedPlace({ path, template }: Folded): string {
  return `${pathText(path)}\n${template}`;
}

/** The written value at a path. Indexes of lists only match if both lists have the same length. */
function writtenAt(written: Value, actual: Value, path: FieldPath): Value | undefined {
  let [left, right]: [Value | undefined, Value | undefined] = [written, actual];
  for (const part of path) {
    if (typeof part === 'number') {
      if (!isList(left) || !isList(right) || left.length !== right.length) return undefined;
      [left, right] = [left[part], right[part]];
    } else {
      if (left === undefined || right === undefined || !isMapping(left) || !isMapping(right)) return undefined;
      [left, right] = [entry(left, part), entry(right, part)];
    }
  }
  return left;
}

function collect(written: Value, actual: Value, path: FieldPath, found: Folded[]): void {
  if (typeof written === 'string') {
    if (isScalar(actual) && isMadeBy(written, actual)) found.push({ path, template: written, value: actual });
  } else if (isList(written) && isList(actual)) {
    if (written.length === actual.length)
      for (const [index, one] of written.entries()) collect(one, actual[index] ?? null, [...path, index], found);
  } else if (isMapping(written) && isMapping(actual)) {
    for (const [name, one] of Object.entries(written)) {
      const value = entry(actual, name);
      if (value !== undefined) collect(one, value, [...path, name], found);
    }
  }
}

function isScalar(value: Value): value is string | WholeNumber | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

const EXPRESSION = /\{\{.*?\}\}/s;
const STATEMENT = /\{%|\{#/;
/** The items of a loop are separate changes. */
const ITEM = /\b(?:item|ansible_loop)\b/;

function isMadeBy(template: string, value: string | WholeNumber | boolean): boolean {
  if (!template.includes('{{') || STATEMENT.test(template) || ITEM.test(template)) return false;
  const text = String(value);
  if (text.length > LONGEST_VALUE || text.includes(MASK) || text.includes(SECRET_CHANGED)) return false;
  const literals = template.split(EXPRESSION);
  return literals.length > 1 && hasInOrder(text, literals);
}

/** Whether the text is the literals with any text between them. One pass: a regular expression could backtrack forever. */
function hasInOrder(text: string, literals: readonly string[]): boolean {
  const [first = '', ...rest] = literals;
  const last = rest.at(-1) ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const literal of rest.slice(0, -1)) {
    const found = text.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function replaced(value: Value, path: FieldPath, put: Value): Value {
  const [part, ...rest] = path;
  if (part === undefined) return put;
  if (typeof part === 'number')
    return isList(value) ? value.map((one, index) => (index === part ? replaced(one, rest, put) : one)) : value;
  return isMapping(value) ? withEntry(value, part, replaced(entry(value, part) ?? null, rest, put)) : value;
}

function withEntry(mapping: Mapping, name: string, value: Value): Mapping {
  return mapValues(mapping, (one, key) => (key === name ? value : one));
}
