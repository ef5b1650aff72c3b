import path from 'node:path';
import { Diagnostics } from '../model/diagnostic.js';
import type { Inventory } from '../model/inventory.js';
import type { Play, Playbook } from '../model/playbook.js';
import { isList, isMapping } from '../model/value.js';
import type { Catalogue } from '../module/catalogue.js';
import { Cursor, kindOf } from './cursor.js';
import { readDecrypted } from './decrypted.js';
import { loadGroupVars } from './group_vars.js';
import type { Means } from './means.js';
import { Modules } from './modules.js';
import { inReadingOrder } from './reading_order.js';
import { loadPlay, type Surroundings } from './play.js';
import type { Folder } from './vars_files.js';
import { parseYaml } from './yaml.js';

export interface PlaybookOptions extends Means {
  /** What relative names of playbooks are relative to. */
  readonly cwd: string;
  readonly catalogue: Catalogue;
  /** If given, `hosts` is compared with it. */
  readonly inventory?: Inventory | undefined;
  readonly diagnostics: Diagnostics;
}

type Shared = Pick<Surroundings, 'groupLayers' | 'controllerLayers'>;

/**
 * Reads playbooks and checks everything about them that needs no controller. All mistakes of all files go to
 * `diagnostics`, each with its place; what could be understood is returned.
 */
export async function loadPlaybooks(files: readonly string[], options: PlaybookOptions): Promise<readonly Playbook[]> {
  const modules = new Modules(options.catalogue);
  const shared = new Map<string, Shared>();
  const playbooks: Playbook[] = [];
  for (const file of files) {
    const directory = path.dirname(path.resolve(options.cwd, file));
    const folder = { directory, shown: path.dirname(file) };
    const layers = shared.get(directory) ?? (await besidePlaybook(folder, options));
    shared.set(directory, layers);
    const around = { ...layers, modules, inventory: options.inventory, folder };
    const plays = await loadPlays(file, options, around);
    if (plays !== undefined) playbooks.push({ file, directory, plays });
  }
  return playbooks;
}

async function besidePlaybook({ directory, shown }: Folder, options: PlaybookOptions): Promise<Shared> {
  const { diagnostics } = options;
  const { groups, controllers } = await loadGroupVars(directory, 'playbook', diagnostics, undefined, shown, options);
  return { groupLayers: groups, controllerLayers: controllers };
}

async function loadPlays(
  file: string,
  { cwd, diagnostics, library, vault }: PlaybookOptions,
  around: Surroundings,
): Promise<readonly Play[] | undefined> {
  const read = await readDecrypted(path.resolve(cwd, file), diagnostics, vault, file);
  const parsed = read && parseYaml(read.text, file, diagnostics, vault);
  if (parsed === undefined) return undefined;
  const found = new Diagnostics();
  const plays = await playsOf(new Cursor(parsed.value, { ...parsed, diagnostics: found, library, vault }), around);
  diagnostics.add(inReadingOrder(found.list));
  return plays;
}

async function playsOf(cursor: Cursor, around: Surroundings): Promise<readonly Play[] | undefined> {
  if (!isList(cursor.value) || cursor.value.length === 0) {
    refuse(cursor);
    return undefined;
  }
  const plays: Play[] = [];
  for (const item of cursor.items()) {
    const play = await loadPlay(item, around);
    if (play !== undefined) plays.push(play);
  }
  return plays;
}

function refuse(cursor: Cursor): void {
  const hint = isMapping(cursor.value) ? 'begin each play with "- "' : undefined;
  const found = isList(cursor.value) ? 'an empty list' : kindOf(cursor.value);
  cursor.error(`a playbook is a list of plays; this file holds ${found}`, hint);
}
