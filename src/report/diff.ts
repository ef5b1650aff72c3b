import type { Change } from '../model/change.js';
import type { FieldPath } from '../model/field_path.js';
import { isList, isMapping, type Mapping, type Value } from '../model/value.js';
import { commonItems } from './common_items.js';

/** One thing that is different: what stood at the path before, and what stands there after. */
export type Difference =
  | { readonly type: 'added'; readonly path: FieldPath; readonly after: Value }
  | { readonly type: 'removed'; readonly path: FieldPath; readonly before: Value }
  | { readonly type: 'replaced'; readonly path: FieldPath; readonly before: Value; readonly after: Value };

/** What a change changes, in the order of the new object. An object that could not be read counts as if all were new. */
export function differences(change: Change): readonly Difference[] {
  if (change.kind === 'none' || change.kind === 'invoke') return [];
  return ofMappings(change.before ?? {}, change.after, []);
}

function ofMappings(before: Mapping, after: Mapping, path: FieldPath): readonly Difference[] {
  const found: Difference[] = [];
  for (const [name, value] of Object.entries(after)) {
    found.push(...ofValues(Object.hasOwn(before, name) ? before[name] : undefined, value, [...path, name]));
  }
  for (const [name, value] of Object.entries(before)) {
    if (!Object.hasOwn(after, name)) found.push({ type: 'removed', path: [...path, name], before: value });
  }
  return found;
}

function ofValues(before: Value | undefined, after: Value, path: FieldPath): readonly Difference[] {
  if (before === undefined) return [{ type: 'added', path, after }];
  if (isMapping(before) && isMapping(after)) return ofMappings(before, after, path);
  if (isList(before) && isList(after) && before.length > 0 && after.length > 0) return ofLists(before, after, path);
  return sameValue(before, after) ? [] : [{ type: 'replaced', path, before, after }];
}

/** Between elements that stayed, what went and what came is paired in order: such an element was changed, not replaced. */
function ofLists(before: readonly Value[], after: readonly Value[], path: FieldPath): readonly Difference[] {
  const found: Difference[] = [];
  let [from, to] = [0, 0];
  for (const [i, j] of [...commonItems(before, after), [before.length, after.length] as const]) {
    const paired = Math.min(i - from, j - to);
    for (let n = 0; n < paired; n++) {
      found.push(...ofValues(before[from + n], after[to + n] ?? null, [...path, to + n]));
    }
    for (let n = from + paired; n < i; n++)
      found.push({ type: 'removed', path: [...path, n], before: before[n] ?? null });
    for (let n = to + paired; n < j; n++) found.push({ type: 'added', path: [...path, n], after: after[n] ?? null });
    [from, to] = [i + 1, j + 1];
  }
  return found;
}

function sameValue(before: Value, after: Value): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}
