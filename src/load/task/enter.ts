import type { Level } from '../../model/values/variables.js';
import type { Cursor } from '../document/cursor.js';
import { inward, type Inherited } from '../keywords/inherited.js';
import { moduleDefaultsOf } from '../keywords/module_defaults.js';
import type { ReadContext } from './read_context.js';

export interface InnerContext {
  readonly context: ReadContext;
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
  context: ReadContext,
  inherited: Inherited,
  level: Level,
  title: string,
): InnerContext {
  const moduleDefaults = moduleDefaultsOf(
    cursor.get('module_defaults'),
    context.moduleDefaults,
    context.reader.modules,
  );
  return {
    context: moduleDefaults === context.moduleDefaults ? context : { ...context, moduleDefaults },
    inherited: inward(cursor, inherited, level, title),
  };
}
