import type { Inventory } from '../core/model/inventory/inventory.js';
import type { Play } from '../core/model/playbook/playbook.js';
import { allSteps, everyStep } from '../core/model/playbook/steps.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { allTopics } from '../doc/topics.js';
import type { Workspace } from '../launch/request/invocation.js';
import { loadInventory } from '../project/inventory/load.js';
import { loadProject, type Project } from '../project/project/project.js';
import { listRuns } from '../record/journal/disk/run_folders.js';
import { REPORT_KINDS } from '../reporting/reports/report.js';
import { count } from '../reporting/text/words.js';
import type { Candidate, CandidateKind } from './candidate.js';
import { filesAt, foldersAt, playbooksAt } from './files.js';
import type { WordPosition } from './position.js';

/** The context at the cursor, besides the kind of value. */
type Asked = Pick<WordPosition, 'typed' | 'given' | 'operands'>;

/**
 * The values of a kind. Each begins with the typed text, or with its complete part: `a,b,` in a list of tags. Values
 * that cannot be read are left out.
 */
export async function findValues(
  kind: CandidateKind,
  asked: Asked,
  workspace: Workspace,
): Promise<readonly Candidate[]> {
  const { typed } = asked;
  switch (kind) {
    case 'nothing':
      return [];
    case 'files':
      return filesAt(typed, workspace);
    case 'folders':
      return foldersAt(typed, workspace);
    case 'playbooks':
      return playbooksAt(typed, workspace);
    case 'variables':
      return typed.startsWith('@') ? after('@', await filesAt(typed.slice(1), workspace)) : [];
    case 'arguments':
      return typed.startsWith('@')
        ? after('@', await filesAt(typed.slice(1), workspace))
        : argumentCandidates(asked, workspace);
    case 'vault ids': {
      const head = /^[^@]*@/.exec(typed)?.[0];
      return head === undefined
        ? []
        : after(head, [...(await filesAt(typed.slice(head.length), workspace)), word('prompt')]);
    }
    case 'inventories': {
      const { environments } = await project(workspace);
      const named = [...environments.values()].flatMap(({ name, inventory = [] }) =>
        inventory.map((source) => word(source, `of ${name}`)),
      );
      return [...named, ...(await filesAt(typed, workspace))];
    }
    case 'environments':
      return [...(await project(workspace)).environments.values()].map(({ name, inventory }) =>
        word(name, inventory?.join(', ')),
      );
    case 'patterns': {
      if (typed.startsWith('@')) return after('@', await filesAt(typed.slice(1), workspace));
      const head = /^(?:.*[:,])?[!&~]?/.exec(typed)?.[0] ?? '';
      const inventory = await loadGivenInventory(asked, workspace);
      return after(head, [...groupCandidates(inventory), ...controllerCandidates(inventory)]);
    }
    case 'controllers':
      return controllerCandidates(await loadGivenInventory(asked, workspace));
    case 'groups':
      return groupCandidates(await loadGivenInventory(asked, workspace));
    case 'tags': {
      const head = /^.*,/.exec(typed)?.[0] ?? '';
      const others = (await findTags(asked, workspace)).filter((tag) => !head.split(',').includes(tag));
      return after(head, words(others));
    }
    case 'tasks':
      return words(await findTaskNames(asked, workspace));
    case 'modules':
      return words(await findModuleNames(asked, workspace));
    case 'documented':
      return [
        ...words([
          ...(await findModuleNames(asked, workspace)),
          ...(await findKindNames(asked, workspace)),
          'dialects',
        ]),
        ...allTopics().map(({ name, type }) => word(name, type)),
      ];
    case 'kinds':
      return words([...(await findKindNames(asked, workspace)), 'all']);
    case 'runs':
      return runCandidates(workspace);
    case 'reported':
      return [...(await runCandidates(workspace)), ...(await filesAt(typed, workspace))];
    case 'reports': {
      const head = /^[^=]*=/.exec(typed)?.[0];
      if (head !== undefined) return after(head, await filesAt(typed.slice(head.length), workspace));
      return REPORT_KINDS.map((one) => ({ word: `${one}=`, open: true }));
    }
    case 'reruns':
      return rerunCandidates(typed, workspace);
    case 'schemas': {
      const { SCHEMAS } = await import('../schema/index.js');
      return SCHEMAS.map(({ name, about }) => word(name, about));
    }
    case 'dialects':
      return words((await project(workspace)).dialects.keys());
  }
}

function word(text: string, about?: string): Candidate {
  return { word: text, about };
}

function words(texts: Iterable<string>): readonly Candidate[] {
  return [...new Set(texts)].map((text) => word(text));
}

function after(head: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.map((one) => ({ ...one, word: `${head}${one.word}` }));
}

function project({ cwd, env }: Workspace): Promise<Project> {
  return loadProject(cwd, env, new Diagnostics());
}

/** The inventory that the options before the cursor select. */
async function loadGivenInventory({ given }: Asked, workspace: Workspace): Promise<Inventory> {
  const { environments, inventory, trust } = await project(workspace);
  const [environment = ''] = given.get('--env') ?? [];
  const sources = given.get('--inventory') ?? environments.get(environment)?.inventory ?? inventory ?? [];
  return loadInventory(sources, { ...workspace, trust, diagnostics: new Diagnostics() });
}

function groupCandidates({ groups }: Inventory): readonly Candidate[] {
  return [...groups.values()].map(({ name, controllers, children }) =>
    word(
      name,
      children.length > 0 ? `group of ${children.join(', ')}` : `group of ${count(controllers.length, 'controller')}`,
    ),
  );
}

function controllerCandidates({ controllers }: Inventory): readonly Candidate[] {
  return [...controllers.keys()].map((name) => word(name));
}

/** The plays of the playbooks before the cursor; without one, of all in `playbooks/`. */
async function loadPlays(asked: Asked, workspace: Workspace): Promise<readonly Play[]> {
  const { loadRun } = await import('../launch/load/load_run.js');
  const files = asked.operands.length > 0 ? asked.operands : (await playbooksAt('', workspace)).map((one) => one.word);
  const playbooks = files.filter((file) => /\.ya?ml$/.test(file));
  const source = { type: 'files', files: playbooks } as const;
  const inventory = asked.given.get('--inventory');
  const loaded = await loadRun(source, inventory === undefined ? {} : { inventory }, workspace, new Diagnostics());
  return loaded?.playbooks.flatMap(({ plays }) => plays) ?? [];
}

async function findTags(asked: Asked, workspace: Workspace): Promise<readonly string[]> {
  const plays = await loadPlays(asked, workspace);
  const steps = plays.flatMap((play) => [...everyStep([...allSteps(play), ...play.handlers])]);
  const tags = steps.flatMap((step) => ('tags' in step ? step.tags : []));
  return [...new Set([...plays.flatMap((play) => play.tags), ...tags])].sort();
}

async function findTaskNames(asked: Asked, workspace: Workspace): Promise<readonly string[]> {
  const plays = await loadPlays(asked, workspace);
  const steps = plays.flatMap((play) => [...everyStep(allSteps(play))]);
  return steps.flatMap((step) => (step.type === 'task' || step.type === 'include' ? (step.name?.value ?? []) : []));
}

async function openGivenCatalogue({ given }: Asked, workspace: Workspace) {
  const { projectCatalogue } = await import('../launch/user_code/project_modules.js');
  return projectCatalogue(given.get('--module-path'), workspace, new Diagnostics());
}

async function findModuleNames(asked: Asked, workspace: Workspace): Promise<readonly string[]> {
  return (await openGivenCatalogue(asked, workspace)).names;
}

/** Begins and ends as a text in quotes, or a mapping: its words are no arguments. */
const OTHER_TEXT = /^\s*[{[-]|:\s/;
/** The arguments that are complete, and the part of the next one: `name=edge mtu`. */
const LAST_ARGUMENT = /^((?:(?:[^\s'"]|"[^"]*"|'[^']*')*\s+)*)([^\s'"]*)$/;

/**
 * The missing arguments of the module, then the missing fields of the object, required ones first; after `name=` its
 * choices. Modules of the project are not loaded: completion executes nothing.
 */
async function argumentCandidates(asked: Asked, workspace: Workspace): Promise<readonly Candidate[]> {
  const { typed, given } = asked;
  const [, head = '', last] = LAST_ARGUMENT.exec(typed) ?? [];
  const [name = ''] = given.get('--module') ?? [];
  if (last === undefined || OTHER_TEXT.test(typed)) return [];
  const module = await (await openGivenCatalogue(asked, workspace)).load(name);
  if (module === undefined) return [];
  const { describeModule } = await import('../module/description.js');
  const { arguments: declared, fields } = describeModule(module);
  const known = [...declared, ...fields].filter(({ path }) => !/[.[]/.test(path));
  const [before, value] = last.split('=', 2);
  if (value !== undefined) {
    const choices = known.find(({ path }) => path === before)?.choices ?? [];
    return after(`${head}${before ?? ''}=`, words(choices.map(String)));
  }
  const taken = new Set(head.split(/\s+/).map((word) => word.split('=', 1)[0]));
  const left = known.filter(({ path }) => !taken.has(path));
  const sorted = [...left.filter(({ required }) => required), ...left.filter(({ required }) => !required)];
  return sorted.map(({ path, description, type }) => ({
    word: `${head}${path}=`,
    about: description ?? type,
    open: true,
  }));
}

async function findKindNames(asked: Asked, workspace: Workspace): Promise<readonly string[]> {
  return (await (await openGivenCatalogue(asked, workspace)).kinds()).names;
}

/** Newest first. */
async function runCandidates(workspace: Workspace): Promise<readonly Candidate[]> {
  const { stateDirectory } = await project(workspace);
  const ids = await listRuns(stateDirectory).catch(() => []);
  return ids.length === 0 ? [] : [word('last', 'the newest run'), ...words(ids)];
}

const STATES = ['failed', 'unreachable', 'unstarted'];

async function rerunCandidates(typed: string, workspace: Workspace): Promise<readonly Candidate[]> {
  const head = /^[^:]*:(?:.*,)?/.exec(typed)?.[0];
  return head === undefined ? runCandidates(workspace) : after(head, words(STATES));
}
