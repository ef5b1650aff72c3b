import { isList, isMapping } from '../../core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { describeKind, type Cursor } from '../document/cursor.js';
import { checkCursorTemplates } from '../document/templated.js';
import { checkVariableNames, warnOfOldForm } from '../document/texts.js';

/**
 * The variables of a `vars:` block, weakest layer first; empty if there are none. As in Ansible, a list of mappings is
 * valid, too.
 */
export function readVars(cursor: Cursor | undefined, level: VariableLevel, origin: string): readonly VariableLayer[] {
  if (cursor === undefined) return [];
  if (cursor.items().some(({ value }) => !isMapping(value))) {
    cursor.error(`"vars" must be a mapping of names to values, not ${describeKind(cursor.value)}`);
    return [];
  }
  if (isList(cursor.value)) warnOfOldForm(cursor, 'a list as "vars"', 'write one mapping');
  return cursor.items().flatMap((item) => {
    checkVariableNames(item);
    checkCursorTemplates(item);
    return isMapping(item.value) ? [{ level, values: item.value, origin, locate: item.locate }] : [];
  });
}
