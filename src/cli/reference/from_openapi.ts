import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { whyUnreadable } from '../../files/file_error.js';
import { readBytes } from '../../files/read_bytes.js';
import { kindsFromOpenApi } from '../../kinds/from_openapi.js';
import type { KindData } from '../../kinds/kind_table.js';
import { parseYaml } from '../../load/yaml/parse_yaml.js';
import { errorMessage } from '../../model/error_message.js';
import { EXIT } from '../../model/exit_code.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { isSecretName } from '../../secrets/names.js';
import type { CommandContext } from '../terminal/context.js';
import { refuse } from '../terminal/refusal.js';

const DEFAULT = path.join('modules', 'controller.kinds.json');

/** `evenkeel modules from-openapi`: a table of kinds for the project, from the OpenAPI files of a controller. */
export async function fromOpenApiCommand(
  files: readonly string[],
  { output = DEFAULT }: { readonly output?: string },
  context: CommandContext,
): Promise<number> {
  const diagnostics = new Diagnostics();
  if (!output.endsWith('.kinds.json'))
    diagnostics.error(`${output} would not be found`, undefined, 'its name must end in .kinds.json');
  const documents = await Promise.all(files.map((file) => documentIn(file, context.cwd, diagnostics)));
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  const made = kindsFromOpenApi(documents, isSecretName);
  if ('problem' in made) {
    diagnostics.error(`${files.join(', ')}: ${made.problem}`);
    return refuse(diagnostics.list, context);
  }
  try {
    const file = path.resolve(context.cwd, output);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, textOf(made.data));
  } catch (error) {
    diagnostics.error(`cannot write ${output}: ${whyUnreadable(error)}`);
    return refuse(diagnostics.list, context);
  }
  context.stdout.write(summary(output, made.data));
  return EXIT.ok;
}

/** JSON, or YAML. */
async function documentIn(file: string, cwd: string, diagnostics: Diagnostics): Promise<unknown> {
  let text: string;
  try {
    text = (await readBytes(path.resolve(cwd, file))).toString('utf8');
  } catch (error) {
    diagnostics.error(`${file} cannot be read: ${whyUnreadable(error)}`);
    return undefined;
  }
  if (!file.endsWith('.json')) return parseYaml(text, file, diagnostics)?.value;
  try {
    const document: unknown = JSON.parse(text);
    return document;
  } catch (error) {
    diagnostics.error(`${file} is not JSON: ${errorMessage(error).split('\n')[0] ?? ''}`);
    return undefined;
  }
}

/** A field a line, for reviews. */
function textOf({ format, kinds, structures }: KindData): string {
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
