import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type CommandContext, refuse } from '../cli/context.js';
import { isFileError, whyUnreadable, whyUnwritable, makeFolder } from '../core/files/paths.js';
import { readBytes } from '../core/files/read_bytes.js';
import { draftFile, linkedFile, writeNewFile } from '../core/files/replace_file.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics, errorMessage } from '../core/model/source/diagnostic.js';
import { TOO_DEEP, tooDeepAt } from '../core/model/values/nesting.js';
import { isSecretName } from '../core/secrets/names.js';
import { kindsFromOpenApi } from '../kinds/from_openapi.js';
import type { KindData } from '../kinds/kind_data.js';
import { builtInKinds } from '../kinds/kind_table.js';
import { filesReferredTo } from '../kinds/openapi_schema.js';
import { readTable } from '../launch/user_code/kind_tables.js';
import { parseYaml } from '../project/yaml/parse_yaml.js';
import { YamlPositions } from '../project/yaml/positions.js';

const DEFAULT = path.join('modules', 'controller.kinds.json');

/** `evenkeel modules from-openapi`: a table of kinds for the project, from the OpenAPI files of a controller. */
export async function fromOpenApiCommand(
  files: readonly string[],
  { out = DEFAULT }: { readonly out?: string },
  context: CommandContext,
): Promise<number> {
  const diagnostics = new Diagnostics();
  const target = path.resolve(context.cwd, out);
  if (!out.endsWith('.kinds.json'))
    diagnostics.error(`${out} would not be found`, undefined, 'its name must end in .kinds.json');
  const given = new Map(files.map((file) => [path.resolve(context.cwd, file), file]));
  const documents = await documentsIn(given, diagnostics);
  const earlier = tableIn(target, out, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  const builtIn = (structure: string) => builtInKinds().structure(structure);
  const made = kindsFromOpenApi({ files: given, documents, isSecret: isSecretName, builtIn, earlier });
  if ('problems' in made) {
    for (const problem of made.problems) diagnostics.error(problem);
    return refuse(diagnostics.list, context);
  }
  context.signals.takeOver?.();
  try {
    const file = await linkedFile(target);
    await makeFolder(path.dirname(file), 0o777);
    await writeTable(file, tableText(made.data));
  } catch (error) {
    diagnostics.error(`cannot write ${out}: ${whyUnwritable(error)}`);
    return refuse(diagnostics.list, context);
  }
  for (const warning of made.warnings) context.stderr.write(`warning: ${warning}\n`);
  context.stdout.write(summary(out, made.data));
  return EXIT.ok;
}

/** As a whole, because the table that is there has decisions of the user. */
async function writeTable(target: string, text: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return writeNewFile(target, text);
  const draft = await draftFile(target, text, (handle) => handle.chmod(found.mode & 0o777));
  return draft.accept();
}

/** The files, and those that they refer to, by absolute path. */
async function documentsIn(
  given: ReadonlyMap<string, string>,
  diagnostics: Diagnostics,
): Promise<ReadonlyMap<string, unknown>> {
  const documents = new Map<string, unknown>();
  const open: (readonly [file: string, shown: string, referrer?: string])[] = [...given];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [file, shown, referrer] = next;
    if (documents.has(file)) continue;
    const document = await documentIn(file, shown, diagnostics, referrer);
    documents.set(file, document);
    for (const other of filesReferredTo(file, document))
      open.push([other, path.join(path.dirname(shown), path.relative(path.dirname(file), other)), shown]);
  }
  return documents;
}

/** The table to replace: decisions in it about secrets stay. */
function tableIn(file: string, shown: string, diagnostics: Diagnostics): KindData | undefined {
  try {
    return readTable(file).data;
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    const message = `${shown} is not replaced, because it is not a table of kinds: ${errorMessage(error)}`;
    diagnostics.error(message, undefined, 'move it away, or name another file with --out');
    return undefined;
  }
}

/** JSON, or YAML. */
async function documentIn(file: string, shown: string, diagnostics: Diagnostics, referrer?: string): Promise<unknown> {
  let text: string;
  try {
    text = (await readBytes(file)).toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const where = referrer === undefined ? '' : `, which ${referrer} refers to,`;
    diagnostics.error(`${shown}${where} cannot be read: ${whyUnreadable(error)}`);
    return undefined;
  }
  if (!file.endsWith('.json')) return parseYaml(text, shown, diagnostics)?.value;
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    diagnostics.error(TOO_DEEP, new YamlPositions(text, shown).at(deep));
    return undefined;
  }
  try {
    const document: unknown = JSON.parse(text);
    return document;
  } catch (error) {
    diagnostics.error(`${shown} is not JSON: ${errorMessage(error).split('\n')[0] ?? ''}`);
    return undefined;
  }
}

/** A field a line, for reviews. */
function tableText({ format, kinds, structures }: KindData): string {
  const lines = (entries: object, indent: string): string =>
    Object.entries(entries)
      .map(([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const blocks = Object.entries(structures).map(([name, { fields, ...facts }]) => {
    const rest = Object.keys(facts).length === 0 ? '' : `${lines(facts, '      ')},\n`;
    return `    ${JSON.stringify(name)}: {\n${rest}      "fields": {\n${lines(fields, '        ')}\n      }\n    }`;
  });
  return `{\n  "format": ${JSON.stringify(format)},\n  "kinds": {\n${lines(kinds, '    ')}\n  },\n  "structures": {\n${blocks.join(',\n')}\n  }\n}\n`;
}

function summary(output: string, { kinds, structures }: KindData): string {
  const doubtful = Object.entries(structures).flatMap(([name, { fields }]) =>
    Object.entries(fields).flatMap(([field, given]) =>
      typeof given !== 'string' && given.secret === 'review' ? [`  ${name}.${field}\n`] : [],
    ),
  );
  const review =
    doubtful.length === 0
      ? ''
      : `Masked because of their names; write "secret": true or false after a review:\n${doubtful.join('')}`;
  return `${output}: ${Object.keys(kinds).join(', ')}\n${review}`;
}
