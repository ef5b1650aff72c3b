import type { Level } from '../../model/values/variables.js';
import type { Cursor } from '../document/cursor.js';
import { inward, type Inherited } from '../keywords/inherited.js';
import { moduleDefaultsOf } from '../keywords/module_defaults.js';
import type { ReadContext } from './read_context.js';

export interface InnerContext {
  readonly site: ReadContext;
  readonly inherited: Inherited;
}

/**
 * What a play, a block, an import or a role hands to the steps inside it: its keywords, its `vars` on the level given, its
 * `module_defaults`.
 *
 * @param title for the origin of its variables: `vars of TITLE`
 */
export function handInward(
  cursor: Cursor,
  site: ReadContext,
  inherited: Inherited,
  level: Level,
  title: string,
): InnerContext {
  const moduleDefaults = moduleDefaultsOf(cursor.get('module_defaults'), site.moduleDefaults, site.modules);
  return {
    site: moduleDefaults === site.moduleDefaults ? site : { ...site, moduleDefaults },
    inherited: inward(cursor, inherited, level, title),
  };
}
