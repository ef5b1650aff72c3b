import { stat } from 'node:fs/promises';
import type { Diagnostics } from '../model/diagnostic.js';
import { isMapping } from '../model/value.js';
import type { Level, VariableLayer } from '../model/variables.js';
import { checkTemplates } from '../template/check.js';
import type { Library } from '../template/library.js';
import { kindOf } from './cursor.js';
import { readText } from './file.js';
import { parseYaml } from './yaml.js';

/**
 * The variables of a YAML or JSON file. Undefined if there is no such file, and if it cannot be understood: only the
 * latter is told.
 *
 * @param shown how messages call the file
 * @param library what its templates may call; absent: the built-in helpers
 */
export async function readVariables(
  file: string,
  level: Level,
  diagnostics: Diagnostics,
  shown = file,
  library?: Library,
): Promise<VariableLayer | undefined> {
  if (!(await exists(file))) return undefined;
  const text = await readText(file, diagnostics, shown);
  const parsed = text === undefined ? undefined : parseYaml(text, shown, diagnostics);
  if (parsed === undefined) return undefined;
  const { value, locate } = parsed;
  const values = value ?? {};
  if (!isMapping(values)) {
    diagnostics.error(`a file of variables must be a mapping of names to values, not ${kindOf(value)}`, locate([]));
    return undefined;
  }
  diagnostics.add(checkTemplates(values, locate, library));
  return { level, values, origin: shown, locate };
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
