import { hasTemplate } from '../../language/check.js';
import { renderText } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { asText } from '../../language/runtime/text.js';
import { Variables } from '../../language/scope.js';
import type { Cursor } from '../document/cursor.js';
import type { Inherited } from '../keywords/inherited.js';
import type { ReadContext } from './read_context.js';

/**
 * Renders a text that is needed before the run. Its templates may use the variables of the play, of earlier roles and of `-e`.
 * Reports other variables, and returns undefined.
 *
 * @param advice what to do instead
 */
export function knownText(
  text: string,
  at: Cursor,
  { context, inherited }: { readonly context: ReadContext; readonly inherited: Inherited },
  advice: string,
): string | undefined {
  if (!hasTemplate(text)) return text;
  const scope = new Variables(
    [...context.known, ...context.parts.layers, ...inherited.layers],
    undefined,
    undefined,
    context.reader.library,
  );
  try {
    return asText(renderText(text, scope, at.source));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (error.undefinedName === undefined) at.diagnostics.error(error.message, error.source, error.hint);
    else at.error(`${error.message}; before the run only the variables of the play and of -e are known`, advice);
    return undefined;
  }
}

const SETTLED = /\{\{\s*(playbook_dir|role_path|role_name)\s*\}\}/g;

/**
 * Renders the variables that depend only on the step's place, as in `{{role_path}}/tasks/x.yml`, because they cannot
 * change later.
 */
export function withRolePaths(text: string, { reader, role }: ReadContext): string {
  return text.replace(SETTLED, (written, name: string) => {
    if (name === 'playbook_dir') return reader.folder.directory;
    return (name === 'role_path' ? role?.path : role?.name) ?? written;
  });
}
