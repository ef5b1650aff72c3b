import type { Inventory } from '../core/model/inventory/inventory.js';
import { allSteps, everyStep, type Play } from '../core/model/playbook/playbook.js';
import { RERUN_STATES } from '../core/model/run/choices.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { allTopics } from '../doc/topics.js';
import type { Workspace } from '../launch/request/invocation.js';
import { loadInventory } from '../project/inventory/load.js';
import { loadProject, type Project } from '../project/project/project.js';
import { listRuns } from '../record/journal/format/run_folders.js';
import { REPORT_KINDS } from '../reporting/reports/report.js';
import { count } from '../reporting/text/words.js';
import { type Candidate, filesAt, foldersAt, playbooksAt } from './files.js';

/** What the words before the cursor say about a value. */
export interface Asked {
  /** The value so far. */
  readonly typed: string;
  /** The values that the options before have, by `--name`. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** The arguments before. */
  readonly operands: readonly string[];
}

type FindCandidates = (asked: Asked, workspace: Workspace) => Promise<readonly Candidate[]> | readonly Candidate[];

/**
 * The values of each kind. Each begins with the typed text, or with its complete part: `a,b,` in a list of tags. Values
 * that cannot be read are left out.
 */
const VALUES = {
  playbooks: ({ typed }, workspace) => playbooksAt(typed, workspace),
  files: ({ typed }, workspace) => filesAt(typed, workspace),
  folders: ({ typed }, workspace) => foldersAt(typed, workspace),
  /** A variable, or `@FILE`. */
  variables: ({ typed }, workspace) => (typed.startsWith('@') ? namedFiles('@', typed, workspace) : []),
  /** `name=value` of the module, or `@FILE`. */
  arguments: (asked, workspace) =>
    asked.typed.startsWith('@') ? namedFiles('@', asked.typed, workspace) : argumentCandidates(asked, workspace),
  /** `LABEL@FILE` */
  'vault ids': async ({ typed }, workspace) => {
    const head = /^[^@]*@/.exec(typed)?.[0];
    return head === undefined ? [] : [...(await namedFiles(head, typed, workspace)), word(`${head}prompt`)];
  },
  inventories: async ({ typed }, workspace) => {
    const { environments } = await project(workspace);
    const named = [...environments.values()].flatMap(({ name, inventory = [] }) =>
      inventory.map((source) => word(source, `of ${name}`)),
    );
    return [...named, ...(await filesAt(typed, workspace))];
  },
  environments: async (_, workspace) =>
    [...(await project(workspace)).environments.values()].map(({ name, inventory }) =>
      word(name, inventory?.join(', ')),
    ),
  /** Patterns of controllers and groups. */
  patterns: async (asked, workspace) => {
    const { typed } = asked;
    if (typed.startsWith('@')) return namedFiles('@', typed, workspace);
    const head = /^(?:.*[:,])?[!&~]?/.exec(typed)?.[0] ?? '';
    const inventory = await loadGivenInventory(asked, workspace);
    return after(head, [...groupCandidates(inventory), ...controllerCandidates(inventory)]);
  },
  controllers: async (asked, workspace) => controllerCandidates(await loadGivenInventory(asked, workspace)),
  groups: async (asked, workspace) => groupCandidates(await loadGivenInventory(asked, workspace)),
  tags: async (asked, workspace) => {
    const head = /^.*,/.exec(asked.typed)?.[0] ?? '';
    const others = (await findTags(asked, workspace)).filter((tag) => !head.split(',').includes(tag));
    return after(head, words(others));
  },
  tasks: async (asked, workspace) => words(await findTaskNames(asked, workspace)),
  modules: async (asked, workspace) => words(await findModuleNames(asked, workspace)),
  kinds: async (asked, workspace) => words([...(await findKindNames(asked, workspace)), 'all']),
  runs: (_, workspace) => runCandidates(workspace),
  /** Runs, state folders, and files of events. */
  reported: async ({ typed }, workspace) => [...(await runCandidates(workspace)), ...(await filesAt(typed, workspace))],
  /** `RUN:failed,unreachable` */
  reruns: ({ typed }, workspace) => rerunCandidates(typed, workspace),
  schemas: async () => {
    const { SCHEMAS } = await import('../schema/index.js');
    return SCHEMAS.map(({ name, about }) => word(name, about));
  },
  dialects: async (_, workspace) => words((await project(workspace)).dialects.keys()),
  documented: async (asked, workspace) => {
    const names = [...(await findModuleNames(asked, workspace)), ...(await findKindNames(asked, workspace))];
    return [...words([...names, 'dialects']), ...allTopics().map(({ name, type }) => word(name, type))];
  },
  /** `KIND=FILE` */
  reports: ({ typed }, workspace) => {
    const head = /^[^=]*=/.exec(typed)?.[0];
    if (head !== undefined) return namedFiles(head, typed, workspace);
    return REPORT_KINDS.map((one) => ({ word: `${one}=`, open: true }));
  },
  /** Free text, a number. */
  nothing: () => [],
} satisfies Readonly<Record<string, FindCandidates>>;

/** The completion of an option or argument. */
export type CandidateKind = keyof typeof VALUES;

export async function findValues(
  kind: CandidateKind,
  asked: Asked,
  workspace: Workspace,
): Promise<readonly Candidate[]> {
  const find: FindCandidates = VALUES[kind];
  return find(asked, workspace);
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

/** The files that follow the beginning of what is typed. */
async function namedFiles(head: string, typed: string, workspace: Workspace): Promise<readonly Candidate[]> {
  return after(head, await filesAt(typed.slice(head.length), workspace));
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
  const source = { type: 'files', files: files.filter((file) => /\.ya?ml$/.test(file)) } as const;
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
  const steps = (await loadPlays(asked, workspace)).flatMap((play) => [...everyStep(allSteps(play))]);
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

async function rerunCandidates(typed: string, workspace: Workspace): Promise<readonly Candidate[]> {
  const head = /^[^:]*:(?:.*,)?/.exec(typed)?.[0];
  return head === undefined ? runCandidates(workspace) : after(head, words(RERUN_STATES));
}
