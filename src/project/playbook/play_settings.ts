import path from 'node:path';
import type { Prompt } from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import { PLAY_ORDERS } from '../../core/model/run/choices.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/check.js';
import { texts, variableName, wantMapping, type Cursor } from '../document/cursor.js';
import { ProjectSources } from '../document/project_sources.js';
import { checkCursorTemplates, plainFlag, template, templated } from '../document/templated.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';
import type { Folder } from '../task/read_context.js';
import { readVariables } from '../variables/written_variables.js';

/** The order of a play's controllers. */
export function readOrder(cursor: Cursor | undefined): Located<string> | undefined {
  const order = template(cursor);
  if (order === undefined || hasTemplate(order.value) || PLAY_ORDERS.some((one) => one === order.value)) return order;
  const hint = didYouMean(order.value, PLAY_ORDERS) ?? `use one of ${PLAY_ORDERS.join(', ')}`;
  return cursor?.error(`there is no order "${order.value}"`, hint);
}

/** `30`, `"30%"`, or a template that evaluates to one of them. */
export function readPercentage(cursor: Cursor | undefined): Located | undefined {
  if (cursor === undefined) return undefined;
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const written = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  const number = /^(\d+(?:\.\d+)?)\s*%?$/.exec(written)?.[1];
  if (number !== undefined) return { value: Number(number), source };
  return cursor.error(`${cursor.title} must be a percentage, such as 30 or "30%"`);
}

/** Batch sizes: counts, `"n%"`, or templates; undefined if all controllers go at once. */
export function readSerial(cursor: Cursor | undefined): readonly Located[] | undefined {
  const sizes = (cursor?.items() ?? []).flatMap((item) => size(item) ?? []);
  return sizes.length === 0 ? undefined : sizes;
}

function size(cursor: Cursor): Located | undefined {
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const written = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (/^-?\d+$/.test(written)) return { value: Number(written), source };
  if (/^\d+(?:\.\d+)?%$/.test(written)) return { value: written, source };
  return cursor.error('"serial" takes a count, a percentage such as "25%", or a list of them');
}

/** Ansible's keys for storing answers as password hashes. */
const HASHING = ['encrypt', 'salt', 'salt_size'];

/** The variables that a play prompts for; a single one needs no list, as in Ansible. */
export function readPrompts(cursor: Cursor | undefined): readonly Prompt[] {
  return (cursor?.items() ?? []).flatMap((item) => readPrompt(item) ?? []);
}

function readPrompt(cursor: Cursor): Prompt | undefined {
  if (!wantMapping(cursor, '', cursor.title, 'write "- name: VARIABLE"')) return undefined;
  for (const item of cursor.entries()) checkKey(item);
  const written = cursor.get('name');
  if (written === undefined) cursor.error(`${cursor.title} needs "name": the variable that is asked for`);
  const name = variableName(written);
  const settings = {
    source: cursor.source,
    prompt: template(cursor.get('prompt'))?.value,
    default: templated(cursor.get('default'))?.value,
    private: plainFlag(cursor.get('private')) ?? true,
    confirm: plainFlag(cursor.get('confirm')) ?? false,
    unsafe: plainFlag(cursor.get('unsafe')) ?? false,
  };
  return name === undefined ? undefined : { name, ...settings };
}

function checkKey(item: Cursor): void {
  if (!HASHING.includes(item.name)) checkKeyword(item, keywordsAt('vars_prompt'));
  else if (item.value !== null) {
    const message = `"${item.name}" is not supported: answers are not hashed`;
    item.errorAtKey(message, 'give the hash itself, as the answer or with -e');
  }
}

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
    const names = texts(item).map(({ value }) => (item.services.sources ?? new ProjectSources()).expandHome(value));
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
    const layer = await readVariables(file, 'vars_files', item.services, shown);
    if (layer !== undefined || item.diagnostics.list.length > before) return layer;
  }
  const listed = names.map((name) => `"${name}"`).join(', ');
  const one = names.length === 1;
  const message = one ? `there is no variables file ${listed}` : `none of the variables files ${listed} exists`;
  const here = folder.shown;
  return item.error(
    message,
    names.every((name) => path.isAbsolute(name)) ? undefined : `looked in ${path.join(here, 'vars')} and ${here}`,
  );
}

/** Ansible searches `vars/` next to the playbook first. */
function candidates(name: string): readonly string[] {
  return path.isAbsolute(name) || name.split('/')[0] === 'vars' ? [name] : [path.join('vars', name), name];
}
