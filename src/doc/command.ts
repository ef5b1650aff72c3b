import { modulesOfKind } from '../../modules/kinds/index.js';
import { type CommandContext, refuse, show } from '../cli/context.js';
import type { Dialect } from '../core/model/dialect.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { MASK } from '../core/secrets/secrets.js';
import { withoutCollection } from '../language/runtime/callable.js';
import type { FoundCatalogue } from '../launch/user_code/catalogue.js';
import { loadModules, projectCatalogue } from '../launch/user_code/project_modules.js';
import type { Module } from '../module/contract.js';
import { describeModule } from '../module/description.js';
import { Modules } from '../project/keywords/modules.js';
import { loadProject } from '../project/project/project.js';
import { TRAITS, type Trait } from '../project/project/traits.js';
import { tableLines } from '../reporting/text/width.js';
import { summaryText, moduleText, topicText } from './module_reference.js';
import { allTopics, type Topic, type TopicType } from './topics.js';

export interface DocOptions {
  /** A module, a kind, `dialects` or a topic. */
  readonly module?: string;
  readonly type?: 'module' | TopicType;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly modulePath?: readonly string[];
}

/** The name of the page of dialects. */
const DIALECTS = 'dialects';

/**
 * `evenkeel doc`: everything of one name, or the list of all modules or topics; for programs as one JSON object by
 * name.
 */
export async function docCommand(options: DocOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  if (options.list === true && options.module !== undefined)
    diagnostics.error('--list takes no name', undefined, `evenkeel doc ${options.module} explains it`);
  const catalogue = await projectCatalogue(options.modulePath, context, diagnostics);
  if (isAboutDialects(options) && !catalogue.names.includes(DIALECTS)) return docDialects(options, context);
  const topics = findTopics(options);
  const names = await findNames(options, catalogue, topics.length > 0, diagnostics);
  const modules = await loadModules(catalogue, names, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  context.stdout.write(writeText(modules, topics, options, context.stdout.columns), options);
  return EXIT.ok;
}

function isAboutDialects({ module, list, type }: DocOptions): boolean {
  return module === DIALECTS && list !== true && type === undefined;
}

/** The requested topics: all of a type, or those with a name. */
function findTopics({ module, list, type }: DocOptions): readonly Topic[] {
  if (type === 'module' || (type === undefined && (module === undefined || list === true))) return [];
  const ofType = allTopics().filter((topic) => type === undefined || topic.type === type);
  const plainName = module === undefined ? undefined : withoutCollection(module);
  return list === true || module === undefined ? ofType : ofType.filter(({ name }) => name === plainName);
}

async function docDialects({ json }: DocOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const { dialects } = await loadProject(context.cwd, context.env, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  const all = [...dialects.values()];
  context.stdout.write(json === true ? dialectsJson(all) : dialectsText(all), { json });
  return EXIT.ok;
}

async function findNames(
  { module, list, type }: DocOptions,
  catalogue: FoundCatalogue,
  isTopic: boolean,
  diagnostics: Diagnostics,
): Promise<readonly string[]> {
  const wantsModules = type === undefined || type === 'module';
  if (module === undefined || list === true) return wantsModules ? catalogue.names : [];
  const modules = new Modules(catalogue);
  if (wantsModules && modules.has(module)) return [modules.plain(module)];
  const kinds = await catalogue.kinds();
  const ofKind = modulesOfKind(module).filter((name) => catalogue.names.includes(name));
  if (wantsModules && kinds.kind(module) !== undefined && ofKind.length > 0) return ofKind;
  if (isTopic) return [];
  const topics = allTopics().filter((topic) => type === undefined || topic.type === type);
  const ofModules = wantsModules ? [...catalogue.names, ...kinds.names, ...catalogue.unlisted, DIALECTS] : [];
  const hint = didYouMean(modules.plain(module), [...ofModules, ...topics.map(({ name }) => name)]);
  const what = type ?? 'module, keyword, filter, test, lookup, variable, setting or role';
  const message = `there is no ${what} "${module}"`;
  diagnostics.error(message, undefined, hint ?? `evenkeel doc -l --type ${type ?? 'keyword'} lists some`);
  return [];
}

function writeText(modules: readonly Module[], topics: readonly Topic[], options: DocOptions, columns = 100): string {
  const described = modules.map(describeModule);
  if (options.json === true) {
    const entries = described.map((module, at) => [module.name, { ...module, schema: modules[at]?.args }] as const);
    return `${JSON.stringify(Object.fromEntries([...entries, ...topicEntries(entries.length, topics)]), withoutSecrets, 2)}\n`;
  }
  if (options.module === undefined || options.list === true)
    return summaryText([...described, ...topics.map(({ name, text }) => ({ name, summary: text }))]);
  return [
    ...described.map((module) => moduleText(module, columns)),
    ...topics.map((topic) => topicText(topic, columns)),
  ].join('\n');
}

/** By name; by name and type if the name is ambiguous. */
function topicEntries(modules: number, topics: readonly Topic[]): readonly (readonly [string, Topic])[] {
  const isUnique = ({ name }: Topic): boolean =>
    modules === 0 && topics.filter((one) => one.name === name).length === 1;
  return topics.map((topic) => [isUnique(topic) ? topic.name : `${topic.name} (${topic.type})`, topic]);
}

/** The default in the schema of a secret. */
function withoutSecrets(_name: string, value: unknown): unknown {
  const isKnown = typeof value === 'object' && value !== null && 'secret' in value && 'default' in value;
  return isKnown && value.secret === true ? { ...value, default: MASK } : value;
}

/** A table of all dialects, with a line for each trait. */
function dialectsText(dialects: readonly Dialect[]): string {
  const rows = [
    ['', ...dialects.map(({ name }) => name)],
    ...TRAITS.map((trait) => [trait.name, ...dialects.map((dialect) => shownTrait(trait, dialect))]),
  ];
  return [
    'controller_dialect names one of these. "dialects" in evenkeel.yml defines more.\n',
    ...tableLines(rows),
    '',
    ...tableLines(
      TRAITS.map(({ name, description }) => [name, description]),
      '  ',
    ),
    '',
  ].join('\n');
}

/** By name, in the syntax of the project file. */
function dialectsJson(dialects: readonly Dialect[]): string {
  const traits = dialects.map((dialect) => [
    dialect.name,
    Object.fromEntries(TRAITS.map((trait) => [trait.name, trait.valueIn(dialect) ?? null])),
  ]);
  return `${JSON.stringify(Object.fromEntries(traits), undefined, 2)}\n`;
}

export function shownTrait(trait: Trait, dialect: Dialect): string {
  const value = trait.valueIn(dialect);
  if (value === undefined) return 'none';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
