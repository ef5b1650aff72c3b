import { stat } from 'node:fs/promises';
import { isList, isMapping } from '../../core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { checkTemplates } from '../../language/check.js';
import { checkVariableNames, describeKind, warnOfOldForm, wantMapping, type Cursor } from '../document/cursor.js';
import { ProjectSources } from '../document/project_sources.js';
import { type FileReading, readDecrypted, withoutQuotes } from '../document/read_file_text.js';
import { checkCursorTemplates } from '../document/templated.js';
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
