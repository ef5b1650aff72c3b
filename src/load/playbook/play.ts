import type { Condition } from '../../model/playbook/step.js';
import type { Play } from '../../model/playbook/playbook.js';
import { inPrecedence, type VariableLayer } from '../../model/values/variables.js';
import type { Cursor } from '../cursor.js';
import { loadGate } from './gate.js';
import { hostsOf } from './hosts.js';
import { NOTHING_INHERITED } from '../../model/playbook/made_play.js';
import { inheritedFrom, type Inherited } from '../steps/inherited.js';
import { checkKeyword, PLAY } from '../steps/keywords.js';
import { knownText } from '../steps/known_text.js';
import { checkNotifications } from '../steps/notify.js';
import { orderOf } from './order.js';
import { percentageOf } from './percentage.js';
import { playSite, type PlayPlace } from './play_site.js';
import { promptsOf } from './prompts.js';
import { loadRoles } from '../role/roles.js';
import { serialOf } from './serial.js';
import type { Site } from '../site.js';
import { loadHandlers, loadSteps } from '../steps/steps.js';
import { strategyOf } from './strategy.js';
import { flag, quantity, template } from '../templated.js';
import { varsOf } from './vars.js';
import { loadVariableFiles, type Folder } from './vars_files.js';

/** What the plays of one playbook share. */
export interface Surroundings extends PlayPlace {
  readonly folder: Folder;
  readonly groupLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly controllerLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly imported: Imported;
}

/** What the `import_playbook` around hands to each play. */
export interface Imported {
  /** Stronger than the vars of the play, as in Ansible. */
  readonly layers: readonly VariableLayer[];
  readonly tags: readonly string[];
  readonly when: readonly Condition[];
}

export const NOT_IMPORTED: Imported = { layers: [], tags: [], when: [] };

/** One play; undefined if it cannot be understood. */
export async function loadPlay(cursor: Cursor, around: Surroundings): Promise<Play | undefined> {
  around.files.allow('play');
  for (const item of cursor.entries()) checkKey(item, around);
  const hosts = hostsOf(cursor, { inventory: around.inventory, mayGrow: around.modules.mayAddTargets });
  const name = template(cursor.get('name'))?.value;
  const files = await loadVariableFiles(cursor.get('vars_files'), around.folder);
  const own = varsOf(cursor.get('vars'), 'play vars', 'play vars');
  const layers = [...own, ...around.imported.layers, ...files.layers];
  const outer = { ...NOTHING_INHERITED, tags: around.imported.tags };
  const site = playSite(cursor, around, layers);
  const contents = await contentsOf(cursor, site, inheritedFrom(cursor, outer), around.imported);
  const settings = settingsOf(cursor, site);
  if (hosts === undefined) return undefined;
  return {
    name,
    source: cursor.source,
    hosts,
    directory: around.folder.directory,
    variableFiles: files.dynamic,
    groupLayers: around.groupLayers,
    controllerLayers: around.controllerLayers,
    ...settings,
    ...contents,
    layers: inPrecedence([...contents.layers, ...layers]),
  };
}

/** A task list that is run as a playbook is a common slip. */
function checkKey(item: Cursor, { modules }: Surroundings): void {
  const isModule = !PLAY.known.includes(item.name) && modules.has(item.name);
  if (isModule) item.errorAtKey(`"${item.name}" is not a keyword of a play`, 'put it into the list under "tasks"');
  else checkKeyword(item, PLAY);
}

type Contents = Pick<Play, 'preTasks' | 'tasks' | 'postTasks' | 'gate' | 'handlers' | 'roles' | 'layers' | 'tags'>;

/** The steps of a play in the order in which they run. As in Ansible, the handlers of `roles` come first, those of imported roles last. */
async function contentsOf(cursor: Cursor, around: Site, inherited: Inherited, imported: Imported): Promise<Contents> {
  const conditional: Inherited = { ...inherited, when: imported.when };
  const roles = await loadRoles(cursor.get('roles'), around, conditional);
  const site: Site = { ...around, known: [...around.known, ...roles.layers] };
  const preTasks = await loadSteps(cursor.get('pre_tasks'), site, conditional);
  // Ansible loads post_tasks before tasks, which shows in what imported roles add to the play: handlers, variables, names.
  const postTasks = await loadSteps(cursor.get('post_tasks'), site, conditional);
  const tasks = await loadSteps(cursor.get('tasks'), site, conditional);
  const gate = await loadGate(cursor.get('gate'), site, conditional);
  const own = await loadHandlers(cursor.get('handlers'), site, inherited);
  const { play } = site;
  const handlers = [...roles.handlers, ...own, ...play.handlers];
  checkNotifications(play, handlers, cursor.diagnostics);
  return {
    preTasks,
    tasks: [...roles.steps, ...tasks],
    postTasks,
    gate,
    handlers,
    roles: { named: play.roles, dependencies: [...new Set(play.dependencies)] },
    layers: [...roles.layers, ...play.layers],
    tags: inherited.tags,
  };
}

type Settings = Pick<
  Play,
  'prompts' | 'serial' | 'maxFailPercentage' | 'forceHandlers' | 'order' | 'forks' | 'strategy'
>;

function settingsOf(cursor: Cursor, site: Site): Settings {
  const strategy = cursor.get('strategy');
  return {
    prompts: promptsOf(cursor.get('vars_prompt')),
    serial: serialOf(cursor.get('serial')),
    maxFailPercentage: percentageOf(cursor.get('max_fail_percentage')),
    forceHandlers: flag(cursor.get('force_handlers')),
    order: orderOf(cursor.get('order')),
    forks: quantity(cursor.get('forks'), { least: 1, whole: true }),
    strategy: strategyOf(strategy, (name) => strategy && knownSetting(name, strategy, site)),
  };
}

/** A setting that the whole run is planned by: only what is known before the run can fill it in. */
function knownSetting(text: string, at: Cursor, site: Site): string | undefined {
  const known = { site, inherited: NOTHING_INHERITED };
  return knownText(text, at, known, 'set the variable in the play, or pass it with -e');
}
