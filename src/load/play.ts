import type { Inventory } from '../model/inventory.js';
import type { Handler, Play, Task } from '../model/playbook.js';
import { isList, isMapping } from '../model/value.js';
import { inPrecedence, type VariableLayer } from '../model/variables.js';
import { kindOf, type Cursor } from './cursor.js';
import { hostsOf } from './hosts.js';
import { checkKeyword, PLAY } from './keywords.js';
import { plainName, type Modules } from './modules.js';
import { checkNotifications } from './notify.js';
import { text } from './texts.js';
import { serialOf } from './serial.js';
import { strategyOf } from './strategy.js';
import { inheritedFrom, loadHandler, loadTask, NOTHING_INHERITED } from './task.js';
import { varsOf } from './vars.js';
import { loadVariableFiles, type Folder } from './vars_files.js';

/** What the plays of one playbook share. */
export interface Surroundings {
  readonly modules: Modules;
  readonly inventory: Inventory | undefined;
  readonly folder: Folder;
  readonly groupLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly controllerLayers: ReadonlyMap<string, readonly VariableLayer[]>;
}

/** One play; undefined if it cannot be understood. */
export async function loadPlay(cursor: Cursor, around: Surroundings): Promise<Play | undefined> {
  if (!isMapping(cursor.value)) {
    cursor.error(`a play must be a mapping, not ${kindOf(cursor.value)}`);
    return undefined;
  }
  for (const item of cursor.entries()) checkKeyword(item, PLAY);
  // A file that holds other playbooks together has nothing else to say.
  if (cursor.entries().some(({ name }) => plainName(name) === 'import_playbook')) return undefined;
  const hosts = hostsOf(cursor, around.inventory);
  const play = await contentsOf(cursor, around);
  checkNotifications(play.tasks, play.handlers, cursor.diagnostics);
  return hosts === undefined ? undefined : { ...play, hosts };
}

async function contentsOf(
  cursor: Cursor,
  { modules, folder, groupLayers, controllerLayers }: Surroundings,
): Promise<Omit<Play, 'hosts'> & { tasks: readonly Task[] }> {
  const name = text(cursor.get('name'));
  const files = await loadVariableFiles(cursor.get('vars_files'), folder);
  const inherited = inheritedFrom(cursor, NOTHING_INHERITED);
  return {
    name,
    source: cursor.source,
    directory: folder.directory,
    layers: inPrecedence([...varsOf(cursor.get('vars'), 'play vars', 'play vars'), ...files.layers]),
    variableFiles: files.dynamic,
    prompts: [],
    groupLayers,
    controllerLayers,
    preTasks: [],
    postTasks: [],
    roles: [],
    maxFailPercentage: undefined,
    forceHandlers: undefined,
    order: undefined,
    forks: undefined,
    tasks: await each<Task>(cursor.get('tasks'), (item) => loadTask(item, inherited, modules)),
    handlers: await each<Handler>(cursor.get('handlers'), (item) => loadHandler(item, inherited, modules)),
    serial: serialOf(cursor.get('serial')),
    strategy: strategyOf(cursor.get('strategy')),
    tags: inherited.tags,
  };
}

async function each<T>(cursor: Cursor | undefined, load: (item: Cursor) => Promise<T | undefined>): Promise<T[]> {
  if (cursor === undefined) return [];
  if (!isList(cursor.value)) {
    cursor.error(`${cursor.title} must be a list, not ${kindOf(cursor.value)}`, 'begin each with "- "');
    return [];
  }
  const loaded: T[] = [];
  for (const item of cursor.items()) {
    const one = await load(item);
    if (one !== undefined) loaded.push(one);
  }
  return loaded;
}
