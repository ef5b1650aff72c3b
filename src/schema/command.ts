import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { whyUnwritable, makeFolder } from '../core/files/paths.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { isMapping } from '../core/model/values/value.js';
import { loadModules, projectCatalogue } from '../launch/user_code/project_modules.js';
import { RULES } from '../lint/rules/index.js';
import { tableLines } from '../reporting/text/width.js';
import { SCHEMAS, type Declared, type SchemaKind } from './index.js';
import type { JsonSchema } from './scalars.js';

export interface SchemaOptions {
  readonly name?: string;
  readonly out?: string;
  readonly modulePath?: readonly string[];
}

/** `evenkeel schema`: one JSON Schema, all of them as files, or which there are. */
export async function schemaCommand(options: SchemaOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const kinds = chosenKinds(options.name, diagnostics);
  if (options.name === undefined && options.out === undefined) {
    context.stdout.write(`${tableLines(kinds.map(({ name, about }) => [name, about])).join('\n')}\n`);
    return EXIT.ok;
  }
  const catalogue = await projectCatalogue(options.modulePath, context, diagnostics);
  const modules = await loadModules(catalogue, [...catalogue.names, ...catalogue.unlisted], diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  const declared = { modules, rules: RULES.map(({ name }) => name) };
  if (options.out === undefined) {
    context.stdout.write(kinds.map((kind) => schemaText(kind.make(declared))).join(''), { json: true });
    return EXIT.ok;
  }
  context.signals.takeOver?.();
  const files = await writeAll(kinds, declared, options.out, context.cwd, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  context.stdout.write(files.map((file) => `${file}\n`).join(''));
  return EXIT.ok;
}

function chosenKinds(name: string | undefined, diagnostics: Diagnostics): readonly SchemaKind[] {
  if (name === undefined) return SCHEMAS;
  const names = SCHEMAS.map((kind) => kind.name);
  if (!names.includes(name)) {
    const hint = didYouMean(name, names) ?? `there are ${names.join(', ')}`;
    diagnostics.error(`there is no schema "${name}"`, undefined, hint);
  }
  return SCHEMAS.filter((kind) => kind.name === name);
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
    await makeFolder(path.resolve(cwd, folder), 0o777);
    for (const { file, text } of files) await writeFile(path.resolve(cwd, file), text);
  } catch (error) {
    diagnostics.error(`cannot write into ${folder}: ${whyUnwritable(error)}`);
  }
  return files.map(({ file }) => file);
}

/** The schemas as files of one folder. Those of task files refer to the playbook schema if it is among them. */
export function schemaFiles(kinds: readonly SchemaKind[], declared: Declared) {
  const playbook = kinds.find(({ name }) => name === 'playbook');
  return kinds.map((kind) => {
    const short = playbook && kind.makeBeside?.(fileName(playbook));
    return { name: fileName(kind), text: schemaText(short ?? kind.make(declared)) };
  });
}

function fileName({ name }: SchemaKind): string {
  return `${name}.schema.json`;
}

/** One definition per line: with one entry per line, the schema of playbooks would be twice as long. */
function schemaText(schema: JsonSchema): string {
  const parts = Object.entries(schema).map(([name, value]: readonly [string, unknown]) => {
    const text = name === 'definitions' && isMapping(value) ? mappingText(value) : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

function mappingText(mapping: object): string {
  const lines = Object.entries(mapping).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n  }`;
}

/** Tags of Evenkeel that YAML editors do not know. */
const CUSTOM_TAGS = [
  '!vault scalar',
  '!vault-encrypted scalar',
  '!unsafe scalar',
  '!unsafe sequence',
  '!unsafe mapping',
];

/** `.vscode/settings.json` for schemas in `folder`: which schema checks which files. */
export function editorSettings(folder: string): string {
  const schemas = Object.fromEntries(SCHEMAS.map((kind) => [`${folder}/${fileName(kind)}`, kind.files]));
  return `${JSON.stringify({ 'yaml.schemas': schemas, 'yaml.customTags': CUSTOM_TAGS }, null, 2)}\n`;
}
