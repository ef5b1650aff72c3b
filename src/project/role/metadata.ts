import path from 'node:path';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { listItems, wantMapping, type Cursor } from '../document/cursor.js';
import { flag } from '../document/templated.js';
import { searchedCollections } from '../task/read_context.js';
import { partFile, SUFFIXES, type RoleFolder } from './files.js';

/** The content of a role's `meta/`. */
export interface RoleMetadata {
  readonly dependencies: readonly Cursor[];
  /** Where its tasks search roles first: its own collection, and those that it names. */
  readonly collections: readonly string[];
  readonly allowDuplicates: boolean;
  /** The mapping of entry points to argument specifications. */
  readonly specifications: Cursor | undefined;
}

/** The keys of `meta/main.yml`. */
export const METADATA = ['allow_duplicates', 'argument_specs', 'collections', 'dependencies', 'galaxy_info'] as const;

/** Reads `meta/main.yml` and `meta/argument_specs.yml`; the latter's specifications replace the former's. */
export async function readMetadata(folder: RoleFolder): Promise<RoleMetadata> {
  const main = await mappingIn(partFile('meta', { ...folder, named: {} }), folder);
  for (const item of main?.entries() ?? []) {
    if (METADATA.some((name) => name === item.name)) continue;
    item.errorAtKey(`unknown key "${item.name}" in the metadata of a role`, didYouMean(item.name, METADATA));
  }
  const specifications = await mappingIn(specificationFile(folder), folder);
  return {
    dependencies: listItems(main?.get('dependencies'), 'a list of roles'),
    collections: searchedCollections(main?.get('collections'), folder.role.path),
    allowDuplicates: allowDuplicates(main?.get('allow_duplicates')),
    specifications: checkedMapping((specifications ?? main)?.get('argument_specs')),
  };
}

function specificationFile({ role, files: { sources } }: RoleFolder): string | undefined {
  const files = SUFFIXES.map((suffix) => path.join(role.path, 'meta', `argument_specs${suffix}`));
  return files.find((file) => sources.fileTypeAt(file) !== undefined);
}

async function mappingIn(file: string | undefined, { files, at }: RoleFolder): Promise<Cursor | undefined> {
  const cursor = file === undefined ? undefined : await files.read(file, at.diagnostics);
  return cursor?.value === null ? undefined : checkedMapping(cursor);
}

function checkedMapping(cursor: Cursor | undefined): Cursor | undefined {
  return cursor !== undefined && wantMapping(cursor) ? cursor : undefined;
}

function allowDuplicates(cursor: Cursor | undefined): boolean {
  const value = flag(cursor)?.value;
  if (typeof value === 'string') cursor?.error('"allow_duplicates" must be true or false: it is read before the run');
  return value === true;
}
