import path from 'node:path';
import { loadModules, projectCatalogue } from '../../app/user_code/project_modules.js';
import { modulesOfKind } from '../../../modules/kinds/index.js';
import type { FoundCatalogue } from '../../app/user_code/catalogue.js';
import { EXIT } from '../../model/exit_code.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import type { Module } from '../../module/contract.js';
import type { CommandContext } from '../terminal/context.js';
import { refuse, show } from '../terminal/refusal.js';
import { moduleListJson, moduleListText, type ListedKind, type ListedModule } from './module_list.js';

export interface ModulesOptions {
  readonly json?: boolean;
  readonly modulePath?: readonly string[];
}

/** `evenkeel modules`: all modules by what they are for, those of the project too. */
export async function modulesCommand(options: ModulesOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const catalogue = await projectCatalogue(options.modulePath, context, diagnostics);
  const { names, unlisted } = catalogue;
  const modules = await loadModules(catalogue, [...names, ...(options.json === true ? unlisted : [])], diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  const kinds = await kindsOf(catalogue);
  const listed = modules.map((module) => listedModule(module, { catalogue, kinds, cwd: context.cwd }));
  context.stdout.write(options.json === true ? moduleListJson(listed) : moduleListText(kinds, listed, unlisted));
  return EXIT.ok;
}

async function kindsOf(catalogue: FoundCatalogue): Promise<readonly ListedKind[]> {
  const table = await catalogue.kinds();
  return table.names.map((name) => ({
    name,
    about: table.kind(name)?.about,
    modules: modulesOfKind(name).filter((module) => catalogue.names.includes(module)),
  }));
}

interface Listing {
  readonly catalogue: FoundCatalogue;
  readonly kinds: readonly ListedKind[];
  readonly cwd: string;
}

function listedModule({ name, type, summary }: Module, { catalogue, kinds, cwd }: Listing): ListedModule {
  const file = catalogue.fileOf(name);
  const kind = kinds.find(({ modules }) => modules.includes(name))?.name;
  const isOfVendor = catalogue.unlisted.includes(name);
  const group = isOfVendor ? 'vendor' : kind !== undefined ? 'kind' : type;
  return {
    ...{ name, group, summary },
    ...(kind !== undefined && { kind }),
    ...(file !== undefined && { file: path.relative(cwd, file) }),
  };
}
