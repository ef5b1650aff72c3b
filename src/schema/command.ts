import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandContext } from '../cli/context.js';
import { refuse, show } from '../cli/refusal.js';
import { whyUnreadable } from '../core/files/file_error.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { loadModules, projectCatalogue } from '../launch/user_code/project_modules.js';
import { RULES } from '../lint/rules/index.js';
import { schemaFiles, schemaText } from './files.js';
import { SCHEMAS, type Declared, type SchemaKind } from './index.js';

export interface SchemaOptions {
  readonly name?: string;
  readonly output?: string;
  readonly modulePath?: readonly string[];
}

/** `evenkeel schema`: one JSON Schema, all of them as files, or which there are. */
export async function schemaCommand(options: SchemaOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const kinds = kindsOf(options.name, diagnostics);
  if (options.name === undefined && options.output === undefined) {
    context.stdout.write(listText(kinds));
    return EXIT.ok;
  }
  const catalogue = await projectCatalogue(options.modulePath, context, diagnostics);
  const modules = await loadModules(catalogue, [...catalogue.names, ...catalogue.unlisted], diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  const declared = { modules, rules: RULES.map(({ name }) => name) };
  if (options.output === undefined) {
    context.stdout.write(kinds.map((kind) => schemaText(kind.make(declared))).join(''), { json: true });
    return EXIT.ok;
  }
  context.signals.takeOver?.();
  const files = await writeAll(kinds, declared, options.output, context.cwd, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  context.stdout.write(files.map((file) => `${file}\n`).join(''));
  return EXIT.ok;
}

function kindsOf(name: string | undefined, diagnostics: Diagnostics): readonly SchemaKind[] {
  if (name === undefined) return SCHEMAS;
  const names = SCHEMAS.map((kind) => kind.name);
  if (!names.includes(name)) {
    diagnostics.error(
      `there is no schema "${name}"`,
      undefined,
      didYouMean(name, names) ?? `there are ${names.join(', ')}`,
    );
  }
  return SCHEMAS.filter((kind) => kind.name === name);
}

function listText(kinds: readonly SchemaKind[]): string {
  const width = Math.max(...kinds.map(({ name }) => name.length));
  return kinds.map(({ name, about }) => `${name.padEnd(width)}  ${about}\n`).join('');
}

/** The names of the files, as the user would type them. */
async function writeAll(
  kinds: readonly SchemaKind[],
  declared: Declared,
  folder: string,
  cwd: string,
  diagnostics: Diagnostics,
): Promise<readonly string[]> {
  const files = schemaFiles(kinds, declared).map(({ name, text }) => ({ file: path.join(folder, name), text }));
  try {
    await mkdir(path.resolve(cwd, folder), { recursive: true });
    for (const { file, text } of files) await writeFile(path.resolve(cwd, file), text);
  } catch (error) {
    diagnostics.error(`cannot write into ${folder}: ${whyUnreadable(error)}`);
  }
  return files.map(({ file }) => file);
}
