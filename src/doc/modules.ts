import path from 'node:path';
import { modulesOfKind } from '../../modules/kinds/index.js';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import type { FoundCatalogue } from '../launch/user_code/catalogue.js';
import { loadModules, projectCatalogue } from '../launch/user_code/project_modules.js';
import type { Module } from '../module/contract.js';
import { tableLines } from '../reporting/text/width.js';

export interface ModulesOptions {
  readonly json?: boolean;
  readonly modulePath?: readonly string[];
}

/** `evenkeel modules`: lists all modules by purpose, including those of the project. */
export async function modulesCommand(options: ModulesOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const catalogue = await projectCatalogue(options.modulePath, context, diagnostics);
  const { names, unlisted } = catalogue;
  const modules = await loadModules(catalogue, [...names, ...(options.json === true ? unlisted : [])], diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  const kinds = await listKinds(catalogue);
  const listed = modules.map((module) => listedModule(module, { catalogue, kinds, cwd: context.cwd }));
  context.stdout.write(
    options.json === true ? `${JSON.stringify(listed, null, 2)}\n` : moduleListText(kinds, listed, unlisted),
    options,
  );
  return EXIT.ok;
}

async function listKinds(catalogue: FoundCatalogue): Promise<readonly ListedKind[]> {
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
  const file = catalogue.findFile(name);
  const kind = kinds.find(({ modules }) => modules.includes(name))?.name;
  const group = catalogue.unlisted.includes(name) ? 'vendor' : kind !== undefined ? 'kind' : type;
  return {
    name,
    group,
    summary,
    ...(kind !== undefined && { kind }),
    ...(file !== undefined && { file: path.relative(cwd, file) }),
  };
}

/** A kind of objects, and its modules. */
interface ListedKind {
  readonly name: string;
  readonly about: string | undefined;
  readonly modules: readonly string[];
}

interface ListedModule {
  readonly name: string;
  /** `kind`: for objects of one kind; `vendor`: for playbooks of the vendor's collection. */
  readonly group: 'kind' | 'resource' | 'action' | 'vendor';
  readonly summary: string;
  readonly kind?: string;
  /** Of the project. */
  readonly file?: string;
}

/** What `evenkeel modules` prints: a line for each kind, and for each other module. */
function moduleListText(
  kinds: readonly ListedKind[],
  modules: readonly ListedModule[],
  vendor: readonly string[],
): string {
  const fileByModule = new Map(modules.map(({ name, file }) => [name, file]));
  const kindRows = kinds.map(({ name, about = '', modules: own }): readonly string[] => {
    const file = own.map((one) => fileByModule.get(one)).find((one) => one !== undefined);
    return [name, own.map((one) => one.replace(`${name}_`, '')).join(', '), withFile(about, file)];
  });
  const moduleRows = (group: ListedModule['group']): readonly (readonly string[])[] =>
    modules.filter((one) => one.group === group).map(({ name, summary, file }) => [name, withFile(summary, file)]);
  const sections = [
    section('Kinds of objects: KIND_present declares an object, KIND_absent deletes it', kindRows),
    section('Other objects', moduleRows('resource')),
    section('Actions', moduleRows('action')),
  ];
  const others = vendor.filter((name) => kinds.every((kind) => name !== `avi_${kind.name}`));
  return `${sections.join('')}${vendorText(others)}`;
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return `${[title, ...tableLines(rows, '  ')].join('\n')}\n\n`;
}

function withFile(text: string, file: string | undefined): string {
  return file === undefined ? text : `${text} (${file})`.trimStart();
}

function vendorText(others: readonly string[]): string {
  return `Playbooks of the collection vmware.alb
  Its modules work, too: avi_KIND for the kinds above, ${others.join(', ')}.

"evenkeel doc NAME" explains a module, or the modules of a kind.
`;
}
