import type { Condition } from '../../core/model/playbook/step.js';
import { isList, isMapping } from '../../core/model/values/value.js';
import { checkExpression } from '../../language/check.js';
import { describeKind, type Cursor } from '../document/cursor.js';

/**
 * One bare expression or a list of them; undefined for an empty list, so that `failed_when: []` changes nothing, as in
 * Ansible.
 */
export function conditions(cursor: Cursor | undefined): readonly Condition[] | undefined {
  const found = (cursor?.items() ?? []).flatMap((item) => condition(item) ?? []);
  return found.length === 0 ? undefined : found;
}

function condition(cursor: Cursor): Condition | undefined {
  const { value, source } = cursor;
  if (isList(value) || isMapping(value)) {
    cursor.error(`${cursor.title} must be an expression, not ${describeKind(value)}`, hintFor(cursor));
    return undefined;
  }
  cursor.diagnostics.add(checkExpression(value, source, cursor.library));
  return { expression: value, source };
}

/** YAML parses an unquoted expression with ": " in it as the mapping `a: b`. */
function hintFor(cursor: Cursor): string | undefined {
  return isMapping(cursor.value) ? 'an expression with ": " in it must be quoted' : undefined;
}
