import { isMapping } from '../../model/value.js';
import type { Level, VariableLayer } from '../../model/variables.js';
import { kindOf, type Cursor } from '../cursor.js';
import { checkTemplatesOf } from '../templated.js';
import { checkVariableNames } from '../texts.js';

/** The variables of a `vars:` block, as a list of one layer; empty if there are none. */
export function varsOf(cursor: Cursor | undefined, level: Level, origin: string): readonly VariableLayer[] {
  if (cursor === undefined) return [];
  if (!isMapping(cursor.value)) {
    cursor.error(`"vars" must be a mapping of names to values, not ${kindOf(cursor.value)}`);
    return [];
  }
  checkVariableNames(cursor);
  checkTemplatesOf(cursor);
  return [{ level, values: cursor.value, origin, locate: cursor.locate }];
}
