import type { Located } from '../../model/playbook/step.js';
import { isMapping } from '../../model/values/value.js';
import { kindOf, type Cursor } from '../document/cursor.js';
import { LINT_SETTINGS, namesOf } from './table.js';
import { checkSetting } from './values.js';
import { texts } from '../document/texts.js';

/** Names of rules, as written: `evenkeel lint` checks whether they exist. */
export interface LintProject {
  readonly skip: readonly Located<string>[];
  readonly warn: readonly Located<string>[];
}

export function lintOf(cursor: Cursor | undefined): LintProject {
  if (cursor !== undefined && !isMapping(cursor.value)) {
    cursor.error(`"lint" must be a mapping of settings, not ${kindOf(cursor.value)}`);
  }
  for (const item of cursor?.entries() ?? []) checkSetting(item, '"lint"', namesOf(LINT_SETTINGS));
  return { skip: texts(cursor?.get('skip')), warn: texts(cursor?.get('warn')) };
}
