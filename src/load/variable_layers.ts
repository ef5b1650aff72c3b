import { isMapping } from '../model/value.js';
import { Diagnostics } from '../model/diagnostic.js';
import type { Level, VariableLayer } from '../model/variables.js';
import { kindOf } from './cursor.js';
import { readText } from './file.js';
import { parseYaml } from './yaml.js';

/** Files that are read at once. */
const AT_ONCE = 64;
const ENCRYPTED = '$ANSIBLE_VAULT;';

export interface LayerFile {
  readonly path: string;
  /** How messages call it. */
  readonly shown: string;
  readonly level: Level;
}

/** Reads files of variables, one layer each, in the order given; undefined for what is empty or cannot be understood. */
export async function readVariableLayers(
  files: readonly LayerFile[],
  diagnostics: Diagnostics,
): Promise<readonly (VariableLayer | undefined)[]> {
  const layers: (VariableLayer | undefined)[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE).map((file) => ({ file, found: new Diagnostics() }));
    const texts = await Promise.all(some.map(({ file, found }) => readText(file.path, found, file.shown)));
    for (const [index, { file, found }] of some.entries()) {
      const text = texts[index];
      layers.push(text === undefined ? undefined : layerOf(text, file, found));
      // Each file has its own list, so that what is wrong stays in the order of the files.
      diagnostics.add(found.list);
    }
  }
  return layers;
}

function layerOf(text: string, { shown, level }: LayerFile, diagnostics: Diagnostics): VariableLayer | undefined {
  if (text.startsWith(ENCRYPTED)) {
    diagnostics.error('encrypted files are not supported in this version', { file: shown, line: 1, column: 1 });
    return undefined;
  }
  const parsed = parseYaml(text, shown, diagnostics);
  if (parsed === undefined || parsed.value === null) return undefined;
  const { value, locate } = parsed;
  if (isMapping(value)) return { level, values: value, origin: shown, locate };
  diagnostics.error(`a file of variables must be a mapping of names to values, not ${kindOf(value)}`, locate([]));
  return undefined;
}
