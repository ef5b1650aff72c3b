import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { HIDDEN } from '../../core/model/values/display.js';
import {
  entry,
  isEqual,
  isList,
  isMapping,
  leavesIn,
  type Mapping,
  type Value,
} from '../../core/model/values/value.js';

/** The object without hidden secrets: if a placeholder were written back, it would become the secret. */
export function withoutHidden(object: Mapping): Mapping {
  if (!holdsHidden(object)) return object;
  const kept = Object.entries(object).filter(([, item]) => item !== HIDDEN);
  return Object.fromEntries(kept.map(([key, item]) => [key, strip(item)]));
}

function strip(value: Value): Value {
  if (isMapping(value)) return withoutHidden(value);
  return isList(value) ? value.filter((item) => item !== HIDDEN).map(strip) : value;
}

/**
 * The object with the placeholders of the secrets in the observed object. Omits them in a list that changes, because
 * the controller may match the elements differently.
 */
export function withKeptHidden(object: Mapping, before: Mapping): Mapping {
  const kept = Object.entries(object).flatMap(([key, item]) => {
    const value = keptIn(item, entry(before, key));
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(kept);
}

function keptIn(value: Value, before: Value | undefined): Value | undefined {
  if (value === HIDDEN) return before === HIDDEN ? value : undefined;
  if (!holdsHidden(value)) return value;
  if (isMapping(value)) return withKeptHidden(value, isMapping(before) ? before : {});
  return before !== undefined && isEqual(value, before) ? value : strip(value);
}

/** Whether a value contains a placeholder. Fast, without copies and paths, because most values have none. */
function holdsHidden(value: Value): boolean {
  if (isList(value)) return value.some(holdsHidden);
  return isMapping(value) ? Object.keys(value).some((key) => holdsHidden(value[key] ?? null)) : value === HIDDEN;
}

/** The paths of placeholders in a value: `vcenter_configuration.password`. */
export function hiddenIn(value: Value, path: FieldPath = []): readonly string[] {
  if (!holdsHidden(value)) return [];
  return [...leavesIn(value, path)].flatMap(([leaf, at]) => (leaf === HIDDEN ? [pathText(at)] : []));
}

/** The declared values that the controller hides, with their paths. */
export function hiddenFields(
  declared: Value,
  actual: Value | undefined,
  path: FieldPath = [],
): readonly (readonly [string, Value])[] {
  if (!declaresHidden(declared, actual)) return [];
  if (actual === HIDDEN) return declared === null ? [] : [[pathText(path), declared]];
  if (isMapping(declared) && isMapping(actual)) {
    return Object.entries(declared).flatMap(([key, item]) => hiddenFields(item, entry(actual, key), [...path, key]));
  }
  if (isList(declared) && isList(actual)) {
    return declared.flatMap((item, at) => hiddenFields(item, actual[at], [...path, at]));
  }
  return [];
}

/** Whether a value is declared whose present value cannot be known. */
export function declaresHidden(declared: Value, actual: Value | undefined): boolean {
  if (actual === HIDDEN) return declared !== null;
  if (isMapping(declared) && isMapping(actual)) {
    return Object.keys(declared).some((key) => declaresHidden(declared[key] ?? null, entry(actual, key)));
  }
  if (isList(declared) && isList(actual)) return declared.some((item, at) => declaresHidden(item, actual[at]));
  return false;
}
