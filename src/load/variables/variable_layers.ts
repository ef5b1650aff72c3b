import { Diagnostics } from '../../model/source/diagnostic.js';
import type { Level, VariableLayer } from '../../model/values/variables.js';
import type { Means } from '../means.js';
import { readVariables } from './variables_file.js';

/** Files that are read at once. */
const AT_ONCE = 64;

export interface LayerFile {
  readonly path: string;
  /** How messages call it. */
  readonly shown: string;
  readonly level: Level;
}

/** Reads files of variables, one layer each, in the order given; undefined for what cannot be understood. */
export async function readVariableLayers(
  files: readonly LayerFile[],
  diagnostics: Diagnostics,
  means?: Means,
): Promise<readonly (VariableLayer | undefined)[]> {
  const layers: (VariableLayer | undefined)[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    // Each file has its own list, so that what is wrong stays in the order of the files.
    const some = files.slice(at, at + AT_ONCE).map((file) => ({ ...file, found: new Diagnostics() }));
    layers.push(
      ...(await Promise.all(some.map((one) => readVariables(one.path, one.level, one.found, one.shown, means)))),
    );
    for (const { found } of some) diagnostics.add(found.list);
  }
  return layers;
}
