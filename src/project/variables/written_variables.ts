import { stat } from 'node:fs/promises';
import path from 'node:path';
import { resolveName } from '../../core/files/paths.js';
import type { Located } from '../../core/model/playbook/step.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { maskSourceLine } from '../../core/secrets/mask_source.js';
import { checkTemplates } from '../../language/check.js';
import { parseOption, passOnFrom } from '../document/command_line.js';
import { checkVariableNames, describeKind, warnOfOldForm, wantMapping, type Cursor } from '../document/cursor.js';
import { parseKeyValues } from '../document/key_values.js';
import { ProjectSources } from '../document/project_sources.js';
import { type FileReading, readDecrypted, withoutQuotes, nearby } from '../document/read_file_text.js';
import { checkCursorTemplates } from '../document/templated.js';
import type { Vault } from '../vault/vault.js';
import { parseYaml } from '../yaml/parse_yaml.js';

const UNREACHABLE: ReadonlySet<unknown> = new Set(['ELOOP', 'EACCES', 'EPERM']);

/**
 * Reads the variables of a YAML or JSON file. Returns undefined if the file does not exist or is invalid; reports only
 * an invalid file.
 *
 * @param shown the name of the file in messages
 */
export async function readVariables(
  file: string,
  level: VariableLevel,
  reading: FileReading,
  shown = file,
): Promise<VariableLayer | undefined> {
  const { diagnostics, sources = new ProjectSources() } = reading;
  if (!(await sources.recallAsync('exists', file, () => fileExists(file)))) return undefined;
  const read = await readDecrypted(file, reading, shown);
  if (read === undefined) return undefined;
  const layer = withoutQuotes(read, diagnostics, (found) =>
    understood(read.text, level, { ...reading, diagnostics: found }, shown),
  );
  return read.encrypted && layer !== undefined ? { ...layer, secret: true } : layer;
}

function understood(
  text: string,
  level: VariableLevel,
  { diagnostics, library, vault }: FileReading,
  shown: string,
): VariableLayer | undefined {
  const parsed = parseYaml(text, shown, diagnostics, vault);
  if (parsed === undefined) return undefined;
  const { value, locate } = parsed;
  const values = value ?? {};
  if (!isMapping(values)) {
    const message = `a file of variables must be a mapping of names to values, not ${describeKind(value)}`;
    return diagnostics.error(message, locate([]), 'write "name: value"');
  }
  diagnostics.add(checkTemplates(values, locate, library));
  return { level, values, origin: shown, locate };
}

/** A file that cannot be inspected, such as a cycle of links, counts as existing: reading it reports the reason. */
export async function fileExists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && UNREACHABLE.has(error.code),
  );
}

/**
 * The variables of a `vars:` block, weakest layer first; empty if there are none. As in Ansible, a list of mappings is
 * valid, too.
 */
export function readVars(cursor: Cursor | undefined, level: VariableLevel, origin: string): readonly VariableLayer[] {
  if (cursor === undefined) return [];
  if (cursor.items().some(({ value }) => !isMapping(value))) {
    wantMapping(cursor, ' of names to values', '"vars"');
    return [];
  }
  if (isList(cursor.value)) warnOfOldForm(cursor, 'a list as "vars"', 'write one mapping');
  return cursor.items().flatMap((item) => {
    checkVariableNames(item);
    checkCursorTemplates(item);
    return isMapping(item.value) ? [{ level, values: item.value, origin, locate: item.locate }] : [];
  });
}

const EXTRA_VARS = '--extra-vars';

/**
 * The variables of `-e`: one layer per option, later ones are stronger. An option is `@file`, JSON or YAML in braces,
 * or `k=v` text. As in Ansible, the values of `k=v` are text.
 */
export async function parseExtraVars(
  texts: readonly string[],
  cwd: string,
  reading: FileReading,
): Promise<readonly VariableLayer[]> {
  const layers: VariableLayer[] = [];
  for (const text of texts.map((one) => one.trim()).filter((one) => one !== '')) {
    const layer = text.startsWith('@') ? await fromFile(text.slice(1), cwd, reading) : fromText(text, reading);
    if (layer !== undefined) layers.push(layer);
  }
  return layers;
}

/** Reads the `extra_vars` of an environment: names of files, relative to `cwd`. */
export async function readExtraVarsFiles(
  files: readonly Located<string>[],
  cwd: string,
  reading: FileReading,
): Promise<readonly VariableLayer[]> {
  const layers: VariableLayer[] = [];
  for (const { value, source } of files) {
    const found = new Diagnostics();
    const file = path.resolve(cwd, value);
    const layer = await readVariables(file, 'extra vars', { ...reading, diagnostics: found }, value);
    if (layer !== undefined) layers.push(layer);
    else if (found.list.length === 0) found.error(`there is no variables file "${value}"`, source);
    reading.diagnostics.add(found.list.map((one) => ({ ...one, source: one.source ?? source })));
  }
  return layers;
}

async function fromFile(name: string, cwd: string, reading: FileReading): Promise<VariableLayer | undefined> {
  const { diagnostics } = reading;
  if (name === '') return diagnostics.error(`${EXTRA_VARS}: "@" must be followed by the name of a file`);
  const [found, file] = [new Diagnostics(), resolveName(cwd, name)];
  const layer = await readVariables(file, 'extra vars', { ...reading, diagnostics: found }, name);
  if (layer === undefined && found.list.length === 0) {
    const hint = nearby(file, name) ?? 'its name is relative to the working directory';
    found.error(`cannot read ${name}: there is no such file`, undefined, hint);
  }
  passOnFrom(EXTRA_VARS, found, diagnostics);
  return layer;
}

function fromText(text: string, { diagnostics, vault, library }: FileReading): VariableLayer | undefined {
  const values = /^[[{]/.test(text) ? fromYaml(text, diagnostics, vault) : fromKeyValues(text, diagnostics);
  if (values === undefined) return undefined;
  const place = { file: EXTRA_VARS, line: 1, column: 1 };
  for (const one of checkTemplates(values, () => place, library))
    diagnostics.add([{ ...one, message: `${EXTRA_VARS}: ${one.message}`, source: undefined }]);
  return { level: 'extra vars', values, origin: EXTRA_VARS };
}

function fromYaml(text: string, diagnostics: Diagnostics, vault: Vault | undefined): Mapping | undefined {
  const value: Value | undefined = parseOption(text, EXTRA_VARS, diagnostics, vault);
  if (value === undefined || isMapping(value)) return value;
  const message = `${EXTRA_VARS} must be a mapping of names to values, not ${describeKind(value)}: ${maskSourceLine(text)}`;
  return diagnostics.error(message);
}

function fromKeyValues(text: string, diagnostics: Diagnostics): Mapping | undefined {
  const parsed = parseKeyValues(text);
  if (parsed.status === 'unbalanced') diagnostics.error(`${EXTRA_VARS}: ${parsed.message}`);
  else if (parsed.words === '') return parsed.values;
  else {
    const words = maskSourceLine(parsed.words.trim());
    diagnostics.error(`${EXTRA_VARS}: "${words}" has no value`, undefined, hintFor(words));
  }
  return undefined;
}

function hintFor(words: string): string {
  if (/^[\w.-]+:\s/.test(words)) return `for YAML, write {${words}}`;
  return /^[./]|\.(?:ya?ml|json)$/.test(words) ? `for a file, write @${words}` : 'write name=value';
}
