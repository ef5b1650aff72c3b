import path from 'node:path';
import { namesIn } from '../../core/files/paths.js';
import { readBytesSync } from '../../core/files/read_bytes.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import { isMapping } from '../../core/model/values/value.js';
import type { KindData } from '../../kinds/kind_data.js';

const SUFFIX = '.kinds.json';

/** A table of kinds that `evenkeel modules from-openapi` wrote. */
export interface UserTable {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly data: KindData;
}

/** The tables of kinds in a folder of modules, by name of the file. Throws an error that names the invalid file. */
export function userTables(folder: string): readonly UserTable[] {
  const names = namesIn(folder).filter((name) => name.endsWith(SUFFIX));
  return names.map((name) => {
    const file = path.join(folder, name);
    try {
      return readTable(file);
    } catch (error) {
      throw new Error(`${file} is not a table of kinds: ${errorMessage(error)}`, { cause: error });
    }
  });
}

/** Throws if there is none, or if it is something else. */
export function readTable(file: string): UserTable {
  const text = readBytesSync(file).toString('utf8');
  const data: unknown = JSON.parse(text);
  requireKinds(data);
  return { file, text, data };
}

const TYPE = /^(?:\[[^[\]]+\]|[^[\]]+)$/;
const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'mapping', 'any']);

/** A file that was edited by hand may name structures that do not exist. */
function requireKinds(data: unknown): asserts data is KindData {
  if (!isMapping(data) || data['format'] !== 'evenkeel-kinds-1') throw new Error('"format" is not "evenkeel-kinds-1"');
  const { kinds, structures } = data;
  if (!isMapping(kinds) || !isMapping(structures)) throw new Error('"kinds" and "structures" must be mappings');
  for (const [name, kind] of Object.entries(kinds)) {
    const structure: unknown = isMapping(kind) ? kind['structure'] : kind;
    if (typeof structure !== 'string' || !Object.hasOwn(structures, structure))
      throw new Error(`the kind "${name}" has no structure "${String(structure)}"`);
  }
  const contained = Object.entries(structures).map(
    ([name, structure]) => [name, containedStructures(name, structure, structures)] as const,
  );
  checkCircles(new Map(contained));
}

/** The structures of its fields. @throws Error if a type is unknown */
function containedStructures(name: string, structure: unknown, structures: object): readonly string[] {
  if (!isMapping(structure) || !isMapping(structure['fields'])) throw new Error(`"${name}" has no "fields"`);
  return Object.entries(structure['fields']).flatMap(([field, given]) => {
    const type = isMapping(given) ? given['type'] : given;
    const word = typeof type === 'string' && TYPE.test(type) ? type.replace(/^\[|\]$/g, '') : undefined;
    if (word === undefined || !(SCALARS.has(word) || Object.hasOwn(structures, word)))
      throw new Error(`"${name}.${field}" has the unknown type ${JSON.stringify(type)}`);
    return SCALARS.has(word) ? [] : [word];
  });
}

/** A structure that contains itself has no end of fields. */
function checkCircles(contained: ReadonlyMap<string, readonly string[]>): void {
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): void => {
    const circle = way.includes(name) ? [...way.slice(way.indexOf(name)), name] : [];
    if (circle.length === 2) throw new Error(`the structure "${name}" contains itself`);
    if (circle.length > 0) throw new Error(`structures contain each other: ${circle.join(' → ')}`);
    if (done.has(name)) return;
    for (const inner of contained.get(name) ?? []) visit(inner, [...way, name]);
    done.add(name);
  };
  for (const name of contained.keys()) visit(name, []);
}
