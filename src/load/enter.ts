import type { Level } from '../model/values/variables.js';
import type { Cursor } from './cursor.js';
import { inward, type Inherited } from './steps/inherited.js';
import { moduleDefaultsOf } from './steps/module_defaults.js';
import type { Site } from './site.js';

export interface Inside {
  readonly site: Site;
  readonly inherited: Inherited;
}

/**
 * What a play, a block, an import or a role hands to the steps inside it: its keywords, its `vars` on the level given, its
 * `module_defaults`.
 *
 * @param title for the origin of its variables: `vars of TITLE`
 */
export function enter(cursor: Cursor, site: Site, inherited: Inherited, level: Level, title: string): Inside {
  const moduleDefaults = moduleDefaultsOf(cursor.get('module_defaults'), site.moduleDefaults, site.modules);
  return {
    site: moduleDefaults === site.moduleDefaults ? site : { ...site, moduleDefaults },
    inherited: inward(cursor, inherited, level, title),
  };
}
