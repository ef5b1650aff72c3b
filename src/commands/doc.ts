import { loadProject } from '../load/project.js';
import { Diagnostics } from '../model/diagnostic.js';
import { didYouMean } from '../model/suggestion.js';
import type { Catalogue } from '../module/catalogue.js';
import type { Module } from '../module/contract.js';
import { describeModule } from '../module/description.js';
import { modulesBeside, openCatalogue } from './catalogue.js';
import { EXIT, type CommandContext } from './context.js';
import { listText, moduleText } from './doc/text.js';
import { refuse } from './refusal.js';

export interface DocOptions {
  readonly module?: string;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly modulePath?: readonly string[];
}

/** `evenkeel doc`: the reference of one module, or the list of all; for programs as one JSON object by module name. */
export async function docCommand(options: DocOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const catalogue = await catalogueOf(options, context, diagnostics);
  const modules = await load(catalogue, namesOf(options, catalogue, diagnostics), diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  context.stdout.write(textOf(modules, options, context.stdout.columns));
  return EXIT.ok;
}

/** The modules that a task on the command line would know here. */
async function catalogueOf(
  { modulePath }: DocOptions,
  { cwd, env }: CommandContext,
  diagnostics: Diagnostics,
): Promise<Catalogue> {
  const project = await loadProject(cwd, env, diagnostics);
  const beside = [cwd, project.directory].flatMap(modulesBeside);
  return openCatalogue([...new Set([...(modulePath ?? project.modulePaths), ...beside])], cwd, diagnostics);
}

function namesOf({ module, list }: DocOptions, catalogue: Catalogue, diagnostics: Diagnostics): readonly string[] {
  if (module === undefined || list === true) return catalogue.names;
  if (catalogue.names.includes(module)) return [module];
  diagnostics.error(
    `there is no module "${module}"`,
    undefined,
    didYouMean(module, catalogue.names) ?? 'evenkeel doc -l lists all',
  );
  return [];
}

async function load(
  catalogue: Catalogue,
  names: readonly string[],
  diagnostics: Diagnostics,
): Promise<readonly Module[]> {
  const loaded = await Promise.all(names.map((name) => loadOne(catalogue, name, diagnostics)));
  return loaded.filter((module) => module !== undefined);
}

async function loadOne(catalogue: Catalogue, name: string, diagnostics: Diagnostics): Promise<Module | undefined> {
  try {
    return await catalogue.load(name);
  } catch (error) {
    diagnostics.error(`module ${name} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function textOf(modules: readonly Module[], options: DocOptions, columns = 100): string {
  const described = modules.map(describeModule);
  if (options.json === true) {
    const entries = described.map((module, at) => [module.name, { ...module, schema: modules[at]?.args }]);
    return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  }
  if (options.module === undefined || options.list === true) return listText(described);
  return described.map((module) => moduleText(module, columns)).join('\n');
}
