import type { Mapping } from '../model/values/value.js';
import { matches } from '../module/comparison.js';
import { differingFields, looksSame, type FieldNames } from './fields.js';
import type { Left } from './undo.js';

/**
 * The fields that somebody else has changed since the run left the object as one of these: none if it still is. Of several
 * it is compared with, the nearest tells.
 */
export function changedSince(left: readonly Left[], current: Mapping): readonly FieldNames[] {
  const found = left.map((one) => differences(one, current)).toSorted((a, b) => a.length - b.length);
  return found[0] ?? [];
}

function differences({ object, whole }: Left, current: Mapping): readonly FieldNames[] {
  if (whole) return differingFields(object, current, looksSame);
  return differingFields(object, current, (sent, shown, name) => sent === undefined || matches(sent, shown, name));
}
