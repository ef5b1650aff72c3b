import * as Type from 'typebox';
import { TENANT } from './desired.js';
import { API_PATH, collectionPath } from './path.js';

/** Either of them is given. */
export const PATH_OR_KIND = { exclusive: [['path', 'kind']], needsOne: ['path', 'kind'] };

/** Arguments of modules that read objects: a path, or a kind; and a name. */
export const READ_TARGET = {
  path: Type.Optional(API_PATH),
  kind: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+$',
      expects: 'a kind of object, such as pool',
      description: 'Kind of the objects, such as `pool`; in place of `path`.',
    }),
  ),
  name: Type.Optional(
    Type.String({ minLength: 1, expects: 'a name', description: 'Only objects with exactly this name.' }),
  ),
  ...TENANT,
};

export interface ReadTarget {
  readonly path?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
}

/** Where to read, or why that is unknown. */
export type ResolvedTarget = { readonly path: string; readonly isCollection: boolean } | { readonly problem: string };

/** A path of two parts (`/api/pool`) is a collection unless the table of kinds has a single object there; a longer one is an object. */
export async function resolveTarget({ path, kind }: ReadTarget): Promise<ResolvedTarget> {
  const { builtInKinds } = await import('../kinds/built_in_kinds.js');
  const { slipOf } = await import('../model/source/suggestion.js');
  const table = builtInKinds();
  if (path !== undefined) {
    const isCollection = path.replace(/\/$/, '').split('/').length === 3 && table.kindAt(path)?.single !== true;
    return { path, isCollection };
  }
  const name = kind ?? '';
  const known = table.kind(name);
  if (known !== undefined) return { path: known.path, isCollection: !known.single };
  const meant = slipOf(name, table.names);
  if (meant !== undefined) return { problem: `there is no kind "${name}": did you mean "${meant}"?` };
  return { path: collectionPath(`/api/${name}`), isCollection: true };
}
