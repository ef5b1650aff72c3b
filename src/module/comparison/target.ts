import * as Type from 'typebox';
import { likelyTypo } from '../../core/model/source/suggestion.js';
import type { Kinds } from '../../kinds/kind_table.js';
import { TENANT } from './desired.js';

/** Collections are addressed with a slash at the end (API document, section 4). */
export function collectionPath(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** A path on the controller, below its base URL; it cannot reach anything outside `/api/`. */
export const API_PATH = Type.String({
  pattern: '^/api(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+/?$',
  expects: 'a path under /api/, such as /api/cloud/',
  description: 'Path below the base URL of the controller: `/api/…`.',
});

/** A task needs one of them, not both. */
export const PATH_OR_KIND = { exclusive: [['path', 'kind']], needsOne: ['path', 'kind'] };

/** The arguments that name a task's objects. */
export const TARGET = {
  path: Type.Optional(API_PATH),
  kind: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+$',
      expects: 'a kind of object, such as pool',
      description: 'Kind of the objects, such as `pool`; in place of `path`.',
    }),
  ),
};

/** Arguments of modules that read objects. */
export const READ_TARGET = {
  ...TARGET,
  name: Type.Optional(
    Type.String({ minLength: 1, expects: 'a name', description: 'Only objects with exactly this name.' }),
  ),
  ...TENANT,
};

interface ObjectsTarget {
  readonly path?: string | undefined;
  readonly kind?: string | undefined;
}

/** The path of the objects. An unknown kind has a collection of its name, because the table has only the most used kinds. */
export function targetPath({ path, kind = '' }: ObjectsTarget, kinds: Kinds): string {
  return path ?? kinds().kind(kind)?.path ?? collectionPath(`/api/${kind}`);
}

/** A path of two parts (`/api/pool`) is a collection unless the table of kinds has a single object there; a longer one is an object. */
export function isCollection(target: ObjectsTarget, kinds: Kinds): boolean {
  const path = targetPath(target, kinds).replace(/\/$/, '');
  return path.split('/').length === 3 && kinds().kindAt(path)?.single !== true;
}

/** Reports an unknown kind that is similar to a known one; undefined for other kinds. */
export function kindProblem({ kind }: ObjectsTarget, kinds: Kinds): string | undefined {
  if (kind === undefined || kinds().kind(kind) !== undefined) return undefined;
  const suggestion = likelyTypo(kind, kinds().names);
  return suggestion === undefined ? undefined : `there is no kind "${kind}": did you mean "${suggestion}"?`;
}
