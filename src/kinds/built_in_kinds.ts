import { readFileSync } from 'node:fs';
import type { KindSource } from './kind_data.js';
import { KindTable } from './kind_table.js';

let table: KindTable | undefined;

/**
 * The kinds of the public product family, from its public schema (release 30.2.1). Read on first use, because most commands need none; a
 * structure, a line of the file, is parsed when it is asked for. The file is beside this one; in a build, beside its chunk.
 */
export function builtInKinds(): KindTable {
  table ??= readBuiltIn();
  return table;
}

function readBuiltIn(): KindTable {
  const text = readFileSync(new URL('./kinds.jsonl', import.meta.url), 'utf8');
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const structures = lines.map((line) => [line.slice(NAME.length, line.indexOf('"', NAME.length)), line] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file is ours: scripts/kinds.mjs wrote it
  return new KindTable({ ...(JSON.parse(head) as KindSource), structures: Object.fromEntries(structures) });
}

/** What every line begins with. */
const NAME = '{"name":"';
