import { isEqual } from '../model/values/equality.js';
import type { Change } from '../model/run/change.js';
import type { FieldPath } from '../model/source/field_path.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { commonItems } from './common_items.js';

/** One thing that is different: what stood at the path before, and what stands there after. */
export type Difference =
  | { readonly type: 'added'; readonly path: FieldPath; readonly after: Value }
  | { readonly type: 'removed'; readonly path: FieldPath; readonly before: Value }
  | { readonly type: 'replaced'; readonly path: FieldPath; readonly before: Value; readonly after: Value };

/** What a change changes, in the order of the new object. An object that could not be read counts as if all were new. */
export function differences(change: Change): readonly Difference[] {
  if (change.kind === 'none' || change.kind === 'invoke') return [];
  const found: Difference[] = [];
  compareMappings(change.before ?? {}, change.after, [], found);
  return found;
}

function compareMappings(before: Mapping, after: Mapping, path: FieldPath, found: Difference[]): void {
  for (const [name, value] of Object.entries(after)) {
    compareValues(Object.hasOwn(before, name) ? before[name] : undefined, value, [...path, name], found);
  }
  for (const [name, value] of Object.entries(before)) {
    if (!Object.hasOwn(after, name)) found.push({ type: 'removed', path: [...path, name], before: value });
  }
}

function compareValues(before: Value | undefined, after: Value, path: FieldPath, found: Difference[]): void {
  if (before === undefined) found.push({ type: 'added', path, after });
  else if (isMapping(before) && isMapping(after)) compareMappings(before, after, path, found);
  else if (isList(before) && isList(after) && before.length > 0 && after.length > 0)
    compareLists(before, after, path, found);
  else if (!isEqual(before, after)) found.push({ type: 'replaced', path, before, after });
}

/** Between elements that stayed, what went and what came is paired in order: such an element was changed, not replaced. */
function compareLists(before: readonly Value[], after: readonly Value[], path: FieldPath, found: Difference[]): void {
  let [from, to] = [0, 0];
  for (const [i, j] of [...commonItems(before, after), [before.length, after.length] as const]) {
    const paired = Math.min(i - from, j - to);
    for (let n = 0; n < paired; n++) {
      compareValues(before[from + n], after[to + n] ?? null, [...path, to + n], found);
    }
    for (let n = from + paired; n < i; n++)
      found.push({ type: 'removed', path: [...path, n], before: before[n] ?? null });
    for (let n = to + paired; n < j; n++) found.push({ type: 'added', path: [...path, n], after: after[n] ?? null });
    [from, to] = [i + 1, j + 1];
  }
}
