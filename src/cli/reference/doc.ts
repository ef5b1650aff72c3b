import { loadProject } from '../../load/project/project.js';
import { Modules } from '../../load/keywords/modules.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { MASK } from '../../secrets/secrets.js';
import { didYouMean } from '../../model/source/suggestion.js';
import type { Module } from '../../module/contract.js';
import { describeModule } from '../../module/description.js';
import { EXIT } from '../../model/exit_code.js';
import type { CommandContext } from '../terminal/context.js';
import { dialectsJson, dialectsText } from './dialects.js';
import { listText, moduleText } from './module_reference.js';
import { modulesOfKind } from '../../../modules/kinds/index.js';
import type { FoundCatalogue } from '../../app/user_code/catalogue.js';
import { loadModules, projectCatalogue } from '../../app/user_code/project_modules.js';
import { refuse, show } from '../terminal/refusal.js';

export interface DocOptions {
  readonly module?: string;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly modulePath?: readonly string[];
}

/** What `evenkeel doc` explains besides modules. */
const DIALECTS = 'dialects';

/** `evenkeel doc`: the reference of one module, or the list of all; for programs as one JSON object by module name. */
export async function docCommand(options: DocOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const catalogue = await projectCatalogue(options.modulePath, context, diagnostics);
  if (options.module === DIALECTS && !catalogue.names.includes(DIALECTS)) return docDialects(options, context);
  const modules = await loadModules(catalogue, await namesOf(options, catalogue, diagnostics), diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  context.stdout.write(textOf(modules, options, context.stdout.columns));
  return EXIT.ok;
}

async function docDialects({ json }: DocOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const { dialects } = await loadProject(context.cwd, context.env, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  const all = [...dialects.values()];
  context.stdout.write(json === true ? dialectsJson(all) : dialectsText(all));
  return EXIT.ok;
}

async function namesOf(
  { module, list }: DocOptions,
  catalogue: FoundCatalogue,
  diagnostics: Diagnostics,
): Promise<readonly string[]> {
  if (module === undefined || list === true) return catalogue.names;
  const modules = new Modules(catalogue);
  if (modules.has(module)) return [modules.plain(module)];
  const kinds = await catalogue.kinds();
  const ofKind = modulesOfKind(module).filter((name) => catalogue.names.includes(name));
  if (kinds.kind(module) !== undefined && ofKind.length > 0) return ofKind;
  const known = [...catalogue.names, ...kinds.names, ...catalogue.unlisted, DIALECTS];
  const hint = didYouMean(modules.plain(module), known) ?? 'evenkeel modules lists all';
  diagnostics.error(`there is no module "${module}"`, undefined, hint);
  return [];
}

function textOf(modules: readonly Module[], options: DocOptions, columns = 100): string {
  const described = modules.map(describeModule);
  if (options.json === true) {
    const entries = described.map((module, at) => [module.name, { ...module, schema: modules[at]?.args }]);
    return `${JSON.stringify(Object.fromEntries(entries), withoutSecrets, 2)}\n`;
  }
  if (options.module === undefined || options.list === true) return listText(described);
  return described.map((module) => moduleText(module, columns)).join('\n');
}

/** The default in the schema of a secret. */
function withoutSecrets(_name: string, value: unknown): unknown {
  const isKnown = typeof value === 'object' && value !== null && 'secret' in value && 'default' in value;
  return isKnown && value.secret === true ? { ...value, default: MASK } : value;
}
