import { readFileSync } from 'node:fs';
import { KindTable, type KindData } from './kind_table.js';

let table: KindTable | undefined;

/**
 * The kinds of the public product family, from its public schema (release 22). Read on first use, because most
 * commands need none. The file is beside this one; in a build, beside its chunk.
 */
export function builtInKinds(): KindTable {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file is ours: `evenkeel modules from-openapi` wrote it
  table ??= new KindTable(JSON.parse(readFileSync(new URL('./kinds.json', import.meta.url), 'utf8')) as KindData);
  return table;
}
