import path from 'node:path';
import type { Located } from '../../core/model/playbook/step.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/check.js';
import type { Cursor } from '../document/cursor.js';
import { checkCursorTemplates } from '../document/templated.js';
import { texts } from '../document/texts.js';
import type { Folder } from '../task/read_context.js';
import { readVariables } from '../variables/variables_file.js';

interface VariableFiles {
  readonly layers: readonly VariableLayer[];
  /**
   * Entries to read during the run. Each is a list of file names, relative to the playbook; the first existing file is
   * used.
   */
  readonly dynamic: readonly Located<readonly string[]>[];
}

/**
 * The `vars_files` of a play. An entry with a template, and all entries after it, are read during the run, so that
 * later files still win. Files that can be read now are read to report mistakes early.
 */
export async function loadVariableFiles(cursor: Cursor | undefined, folder: Folder): Promise<VariableFiles> {
  const layers: VariableLayer[] = [];
  const dynamic: Located<readonly string[]>[] = [];
  for (const item of cursor?.items() ?? []) {
    const names = texts(item).map(({ value }) => value);
    if (names.length === 0) continue;
    const templated = names.some(hasTemplate);
    if (templated) checkCursorTemplates(item);
    const layer = templated ? undefined : await readFirst(names, item, folder);
    if (templated || dynamic.length > 0) dynamic.push({ value: names.flatMap(candidates), source: item.source });
    else if (layer !== undefined) layers.push(layer);
  }
  return { layers, dynamic };
}

async function readFirst(names: readonly string[], item: Cursor, folder: Folder): Promise<VariableLayer | undefined> {
  const before = item.diagnostics.list.length;
  for (const name of names.flatMap(candidates)) {
    const file = path.resolve(folder.directory, name);
    const shown = path.isAbsolute(name) ? name : path.join(folder.shown, name);
    const layer = await readVariables(file, 'vars_files', item.diagnostics, shown, item.services);
    if (layer !== undefined || item.diagnostics.list.length > before) return layer;
  }
  const listed = names.map((name) => `"${name}"`).join(', ');
  const one = names.length === 1;
  const message = one ? `there is no variables file ${listed}` : `none of the variables files ${listed} exists`;
  const here = folder.shown;
  item.error(
    message,
    names.every((name) => path.isAbsolute(name)) ? undefined : `looked in ${path.join(here, 'vars')} and ${here}`,
  );
  return undefined;
}

/** Ansible searches `vars/` next to the playbook first. */
function candidates(name: string): readonly string[] {
  return path.isAbsolute(name) || name.split('/')[0] === 'vars' ? [name] : [path.join('vars', name), name];
}
