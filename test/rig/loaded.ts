import { builtinModules } from '../../modules/index.js';
import { kindModules, loadKindModule, vendorModules } from '../../modules/kinds/index.js';
import type { Inventory } from '../../src/core/model/inventory/inventory.js';
import { allSteps, tasksIn, type Play, type Playbook } from '../../src/core/model/playbook/playbook.js';
import type { Include, Task } from '../../src/core/model/playbook/step.js';
import { Diagnostics, type Diagnostic } from '../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { VariableLayer } from '../../src/core/model/values/variables.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import type { Catalogue } from '../../src/module/catalogue.js';
import { loadPlaybooks } from '../../src/project/playbook/playbook.js';
import { inFolder, type Files } from './folder.js';

export const catalogue: Catalogue = {
  names: [...Object.keys(builtinModules), ...kindModules],
  unlisted: vendorModules,
  load: async (name) => (await builtinModules[name]?.())?.default ?? loadKindModule(name, builtInKinds()),
  add: () => [],
};

/** `file:line:column message — hint`, warnings marked. */
export function worded({ severity, message, source, hint }: Diagnostic): string {
  const place = source === undefined ? '' : `${source.file}:${source.line}:${source.column} `;
  return `${severity === 'warning' ? 'warning: ' : ''}${place}${message}${hint === undefined ? '' : ` — ${hint}`}`;
}

export interface Loaded {
  readonly plays: readonly Play[];
  readonly diagnostics: readonly string[];
}

/** Loads `site.yml`, among other files; `use` sees what was loaded while the files are there. */
export function load(
  playbook: string,
  files: Files = {},
  inventory?: Inventory,
  { extraVars = {}, use }: LoadOptions = {},
): Promise<Loaded> {
  return inFolder({ 'site.yml': playbook, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const typed: readonly VariableLayer[] = [{ level: 'extra vars', origin: '-e', values: extraVars }];
    const playbooks = await loadPlaybooks(['site.yml'], { cwd, catalogue, inventory, extraVars: typed, diagnostics });
    const loaded = { plays: playbooks.flatMap(({ plays }) => plays), diagnostics: diagnostics.list.map(worded) };
    await use?.(loaded, cwd);
    return loaded;
  });
}

export interface LoadOptions {
  readonly extraVars?: Mapping;
  readonly use?: (loaded: Loaded, cwd: string) => Promise<void>;
}

/** What is wrong with a playbook. */
export async function mistakes(playbook: string, files: Files = {}): Promise<readonly string[]> {
  return (await load(playbook, files)).diagnostics;
}

/** The only task of a play whose task list is this text (not indented); fails if anything is wrong with it. */
export async function task(text: string): Promise<Task | Include> {
  const { plays, diagnostics } = await load(playOf(text));
  const [first] = tasksOf(plays[0]);
  if (first === undefined || diagnostics.length > 0) throw new Error(diagnostics.join('\n') || 'no task');
  return first;
}

/** What calls a module in a play, in order. */
export function tasksOf(play: Play | undefined): readonly (Task | Include)[] {
  return play === undefined ? [] : tasksIn(allSteps(play));
}

/** A play around a task list; its first line is line 3, and every line moves 4 columns. */
export function playOf(tasks: string): string {
  return `- hosts: all\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`;
}

/** A playbook that a run makes while it runs. */
export async function madePlaybook(text: string): Promise<Playbook> {
  const [playbook] = await inFolder({ 'made.yml': text }, (cwd) =>
    loadPlaybooks(['made.yml'], { cwd, catalogue, diagnostics: new Diagnostics() }),
  );
  if (playbook === undefined) throw new Error('no playbook');
  return playbook;
}
