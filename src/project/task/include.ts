import type { Loop } from '../../core/model/playbook/step.js';
import { Diagnostics, LoadError } from '../../core/model/source/diagnostic.js';
import { isList, isMapping } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import type { Cursor } from '../document/cursor.js';
import type { Inherited } from '../keywords/inherited.js';
import { APPLY, checkKeyword } from '../keywords/keywords.js';
import { plainName } from '../keywords/modules.js';
import { innerContextOf, type InnerContext, type ReadContext } from './read_context.js';

type IncludeWord = 'include_tasks' | 'include_role';

/** Maximum depth of nested includes: deeper nesting is an endless recursion. */
const DEEPEST = 100;

/** The keywords that the included steps inherit: those around the include, and its `apply`. */
export function applied(cursor: Cursor, word: IncludeWord, context: ReadContext, inherited: Inherited): InnerContext {
  const apply = argument(cursor, word, 'apply');
  if (apply === undefined) return { context, inherited };
  if (!isMapping(apply.value)) {
    if (typeof apply.value === 'string' && hasTemplate(apply.value))
      apply.error('"apply" must be a mapping of keywords, not a template');
    return { context, inherited };
  }
  for (const item of apply.entries()) checkKeyword(item, APPLY);
  return innerContextOf(apply, context, inherited, 'block vars', 'apply');
}

/** The position of an argument: under the module, in `action` or in `args`. */
export function argument(cursor: Cursor, word: string, name: string): Cursor | undefined {
  const holders = [word, 'action', 'args'];
  for (const item of cursor.entries()) {
    const found = holders.includes(plainName(item.name)) ? item.get(name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The key that makes the step an include. */
export function wordIn(cursor: Cursor, word: string): Cursor {
  return cursor.entries().find(({ name }) => [word, 'action'].includes(plainName(name))) ?? cursor;
}

/** Call this before reading during the run. Throws a `LoadError` if includes are nested too deeply. */
export function beginReading({ file, reader }: ReadContext, cursor: Cursor): void {
  reader.files.allow('include');
  if (file.chain.length < DEEPEST) return;
  throw new LoadError(
    `includes are nested more than ${DEEPEST} deep`,
    cursor.source,
    'a file that includes itself needs a condition that ends it',
  );
}

/** The first error; its message names the others. */
export function loadError({ list }: Diagnostics): LoadError {
  const [first, ...others] = list.filter(({ severity }) => severity === 'error');
  const more = others.map(({ message }) => `; ${message}`).join('');
  return new LoadError(`${first?.message ?? ''}${more}`, first?.source, first?.hint);
}

/**
 * What an include names, before the run. An include in a loop without items looks for nothing; whether a loop over a template has
 * items is not known yet, so that something missing is only a warning.
 */
export function findAhead<T>(at: Cursor, loop: Loop | undefined, find: (at: Cursor) => T | undefined): T | undefined {
  const items = loop?.over.value;
  if (items === undefined || (isList(items) && items.length > 0)) return find(at);
  if (isList(items)) return undefined;
  const diagnostics = new Diagnostics();
  const found = find(at.reportingTo(diagnostics));
  at.diagnostics.add(diagnostics.list.map((one) => ({ ...one, severity: 'warning' })));
  return found;
}
