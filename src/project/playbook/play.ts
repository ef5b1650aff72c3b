import type { Inventory } from '../../core/model/inventory/inventory.js';
import { GROUPS_HINT, nearestTarget, selectControllers } from '../../core/model/inventory/pattern.js';
import { joinPatterns } from '../../core/model/inventory/pattern_terms.js';
import {
  NOTHING_INHERITED,
  notifyingNames,
  type Gate,
  type Hosts,
  type Play,
} from '../../core/model/playbook/playbook.js';
import type { Handler, Inheritable, Located } from '../../core/model/playbook/step.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { inPrecedence, type VariableLayer } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/check.js';
import { texts, type Cursor } from '../document/cursor.js';
import { checkCursorTemplates, flag, quantity, template } from '../document/templated.js';
import { checkAnsibleOnlyKeyword } from '../keywords/ansible_only.js';
import { readStrategy } from '../keywords/keyword.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';
import { NO_DEFAULTS, readModuleDefaults } from '../keywords/modules.js';
import { inheritedFrom, type Inherited } from '../keywords/step_keywords.js';
import { loadRoles } from '../role/roles.js';
import { stepLoader } from '../steps/steps.js';
import { knownText } from '../task/arguments.js';
import {
  PlayParts,
  searchedCollections,
  type InnerContext,
  type PlayReader,
  type ReadContext,
  type Folder,
} from '../task/read_context.js';
import { readVars } from '../variables/written_variables.js';
import { loadVariableFiles, readOrder, readPercentage, readPrompts, readSerial } from './play_settings.js';

/** The values that the plays of one playbook share. */
export interface PlaybookContext {
  readonly reader: PlayReader;
  /** If given, patterns are compared with it. */
  readonly inventory: Inventory | undefined;
  /** The variables of `-e`. */
  readonly extraVars: readonly VariableLayer[];
  /** The `group_vars` and `host_vars` beside it. */
  readonly adjacent: Pick<Play, 'groupLayers' | 'controllerLayers' | 'addAdjacent'>;
  readonly imported: Imported;
}

/**
 * The keywords that each play inherits from the surrounding `import_playbook`. Its layers are stronger than the vars of the
 * play, as in Ansible.
 */
export type Imported = Pick<Inheritable, 'layers' | 'tags' | 'when'>;

export const NOT_IMPORTED: Imported = { layers: [], tags: [], when: [] };

/** One play; undefined if it is invalid. */
export async function loadPlay(cursor: Cursor, around: PlaybookContext): Promise<Play | undefined> {
  const { reader } = around;
  reader.files.allow('play');
  for (const item of cursor.entries()) checkKey(item, around);
  const hosts = readHosts(cursor, { inventory: around.inventory, mayGrow: reader.modules.mayAddTargets });
  const name = template(cursor.get('name'))?.value;
  const files = await loadVariableFiles(cursor.get('vars_files'), reader.folder);
  const own = readVars(cursor.get('vars'), 'play vars', 'play vars');
  const layers = [...own, ...around.imported.layers, ...files.layers];
  const outer = { ...NOTHING_INHERITED, tags: around.imported.tags };
  const context = playContext(cursor, reader, [...layers, ...around.extraVars]);
  const contents = await readContents(cursor, { context, inherited: inheritedFrom(cursor, outer) }, around.imported);
  const settings = readSettings(cursor, context);
  if (hosts === undefined) return undefined;
  return {
    name,
    source: cursor.source,
    hosts,
    directory: reader.folder.directory,
    variableFiles: files.dynamic,
    ...around.adjacent,
    ...settings,
    ...contents,
    layers: inPrecedence([...contents.layers, ...layers]),
  };
}

/** Running a list of tasks as a playbook is a common mistake. */
function checkKey(item: Cursor, { reader: { modules } }: PlaybookContext): void {
  const isModule = !keywordsAt('play').known.includes(item.name) && modules.has(item.name);
  if (isModule) item.errorAtKey(`"${item.name}" is not a keyword of a play`, 'put it into the list under "tasks"');
  else if (item.name === 'user') checkAnsibleOnlyKeyword(item, 'remote_user');
  else checkKeyword(item, keywordsAt('play'));
}

type Contents = Pick<
  Play,
  'preTasks' | 'tasks' | 'postTasks' | 'gate' | 'handlers' | 'roles' | 'layers' | 'tags' | 'anyErrorsFatal'
>;

/**
 * The steps of a play in running order. As in Ansible, the handlers of `roles` come first, those of imported roles
 * last.
 */
async function readContents(
  cursor: Cursor,
  { context: around, inherited }: InnerContext,
  imported: Imported,
): Promise<Contents> {
  const conditional: Inherited = { ...inherited, when: imported.when };
  const roles = await loadRoles(cursor.get('roles'), { context: around, inherited: conditional });
  const context: ReadContext = { ...around, known: [...around.known, ...roles.layers] };
  const inside = { context, inherited: conditional };
  const preTasks = await stepLoader.tasks(cursor.get('pre_tasks'), inside);
  // Ansible loads post_tasks before tasks, which determines the order of what imported roles add to the play: handlers,
  // variables, names.
  const postTasks = await stepLoader.tasks(cursor.get('post_tasks'), inside);
  const tasks = await stepLoader.tasks(cursor.get('tasks'), inside);
  const gate = await readGate(cursor.get('gate'), inside);
  const own = await stepLoader.handlers(cursor.get('handlers'), { context, inherited });
  const { parts } = context;
  const handlers = [...roles.handlers, ...own, ...parts.handlers];
  checkNotifications(parts, handlers, cursor);
  return {
    preTasks,
    tasks: [...roles.steps, ...tasks],
    postTasks,
    gate,
    handlers,
    roles: { named: parts.roles, dependencies: [...new Set(parts.dependencies)] },
    layers: [...roles.layers, ...parts.layers],
    tags: inherited.tags,
    anyErrorsFatal: inherited.anyErrorsFatal,
  };
}

/** Few plays have a gate, so its code is loaded on demand. */
async function readGate(cursor: Cursor | undefined, inside: InnerContext): Promise<Gate | undefined> {
  return cursor === undefined ? undefined : (await import('./gate.js')).loadGate(cursor, inside);
}

type WrittenSettings = Pick<
  Play,
  'prompts' | 'serial' | 'maxFailPercentage' | 'forceHandlers' | 'order' | 'forks' | 'strategy'
>;

function readSettings(cursor: Cursor, context: ReadContext): WrittenSettings {
  const strategy = cursor.get('strategy');
  return {
    prompts: readPrompts(cursor.get('vars_prompt')),
    serial: readSerial(cursor.get('serial')),
    maxFailPercentage: readPercentage(cursor.get('max_fail_percentage')),
    forceHandlers: flag(cursor.get('force_handlers')),
    order: readOrder(cursor.get('order')),
    forks: quantity(cursor.get('forks'), { least: 1, whole: true }),
    strategy: readStrategy(strategy, (name) => strategy && knownSetting(name, strategy, context)),
  };
}

/** A setting that is needed before the run starts, so its template can use only variables known by then. */
function knownSetting(text: string, at: Cursor, context: ReadContext): string | undefined {
  const known = { context, inherited: NOTHING_INHERITED };
  return knownText(text, at, known, 'set the variable in the play, or pass it with -e');
}

/**
 * Reports notifications without a matching handler. Names with templates, of tasks or handlers, are compared only
 * during the run. If an include may add unknown handlers, all names are compared only then.
 */
function checkNotifications(parts: PlayParts, handlers: readonly Handler[], play: Cursor): void {
  const known = [...handlers, ...parts.expected].flatMap(notifyingNames);
  if (parts.mayAddHandlers || known.some(hasTemplate)) return;
  const names = new Set(known);
  for (const { value, source } of new Set(parts.notified)) {
    if (names.has(value) || hasTemplate(value)) continue;
    const hint = parts.handlerBlocks.includes(value)
      ? 'a block among the handlers cannot be notified: notify its tasks, or a topic that they listen to'
      : didYouMean(value, known);
    play.diagnostics.error(`no handler of this play is named "${value}" or listens to it`, source, hint);
  }
}

interface Targets {
  /** If given, patterns are compared with it. */
  readonly inventory: Inventory | undefined;
  /** Whether earlier plays may add controllers and groups. */
  readonly mayGrow: boolean;
}

/** The pattern of a play. Warns of terms that match nothing in the inventory, as Ansible does. */
function readHosts(play: Cursor, { inventory, mayGrow }: Targets): Hosts | undefined {
  const cursor = play.get('hosts');
  if (cursor === undefined) return play.error('a play needs "hosts": the controllers it is for');
  checkCursorTemplates(cursor);
  const patterns = texts(cursor);
  const value = joinPatterns(patterns.map((one) => one.value));
  if (value.trim() === '' && patterns.length === cursor.items().length)
    cursor.error('"hosts" is empty', 'for every controller, write "all"');
  else if (inventory !== undefined)
    for (const pattern of patterns) checkPattern(pattern, { inventory, mayGrow }, cursor);
  return { value, source: cursor.source, late: mayGrow || hasTemplate(value) };
}

function checkPattern(
  { value, source }: Located<string>,
  { inventory, mayGrow }: Targets & { readonly inventory: Inventory },
  cursor: Cursor,
): void {
  if (hasTemplate(value)) return;
  const { unmatched, error } = selectControllers(inventory, value);
  if (error !== undefined) cursor.diagnostics.error(error, source);
  for (const term of mayGrow ? [] : unmatched) {
    const hint = nearestTarget(inventory, term) ?? GROUPS_HINT;
    cursor.diagnostics.warn(`"${term}" matches no controller of the inventory`, source, hint);
  }
}

/** Creates the reader for steps of every type. */
export function playReader(inputs: Omit<PlayReader, 'load'>): PlayReader {
  return { ...inputs, load: stepLoader };
}

/** The context of the play's own steps. `known`: the variables of the play and of `-e`. */
export function playContext(play: Cursor, reader: PlayReader, known: readonly VariableLayer[]): ReadContext {
  const { modules, folder } = reader;
  return {
    reader,
    file: { folder: folder.directory, includes: [], chain: [], beforeInclude: 0, isIncluded: false },
    role: undefined,
    roleFolders: [],
    moduleDefaults: readModuleDefaults(play, NO_DEFAULTS, modules),
    collections: searchedCollections(play.get('collections'), folder.directory),
    known: [...known, beforeRun(folder)],
    parts: new PlayParts(),
  };
}

/** The magic variables that are known before the run. */
function beforeRun({ directory }: Folder): VariableLayer {
  return { level: 'magic', values: { playbook_dir: directory }, origin: 'magic variables', literal: true };
}
