import * as Type from 'typebox';
import { describeDistinctions, isReferenceName } from '../../core/model/run/reference.js';
import { likelyTypo } from '../../core/model/source/suggestion.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Kinds } from '../../kinds/kind_table.js';
import { knownMatchFields } from '../arguments/kind_schema.js';
import { asTexts, nameText, type Schema } from '../schema.js';
import { matches } from './comparison.js';
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
export const OBJECT_ARGUMENTS = {
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
export const READ_ARGUMENTS = {
  ...OBJECT_ARGUMENTS,
  name: Type.Optional(nameText('Only objects with exactly this name.')),
  ...TENANT,
};

/** The query of a read: its parameters, and the name that it is for. */
export function toQuery({
  name,
  query,
}: {
  readonly name?: string | undefined;
  readonly query?: Parameters<typeof asTexts>[0];
}): Readonly<Record<string, string>> {
  return { ...(name !== undefined && { name }), ...asTexts(query) };
}

interface NamedObjects {
  readonly path?: string | undefined;
  readonly kind?: string | undefined;
}

/** The path of the objects. An unknown kind has a collection of its name, because the table has only the most used kinds. */
export function objectsPath({ path, kind = '' }: NamedObjects, kinds: Kinds): string {
  return path ?? kinds().kind(kind)?.path ?? collectionPath(`/api/${kind}`);
}

/** A path of two parts (`/api/pool`) is a collection unless the table of kinds has a single object there; a longer one is an object. */
export function isCollection(objects: NamedObjects, kinds: Kinds): boolean {
  const path = objectsPath(objects, kinds).replace(/\/$/, '');
  return path.split('/').length === 3 && kinds().kindAt(path)?.single !== true;
}

/** Refuses an unknown kind that is similar to a known one, before the run if it is written without a template. */
export function knownKindFields(args: Mapping, kinds: Kinds): readonly Schema[] {
  const { kind, path } = args;
  if (typeof path === 'string') return knownMatchFields(args, () => kinds().kindAtPath(path), 'lenient');
  if (typeof kind !== 'string') return [];
  const known = kinds().kind(kind);
  if (known !== undefined) return knownMatchFields(args, () => known);
  const suggestion = likelyTypo(kind, kinds().names);
  if (suggestion === undefined) return [];
  const right: Schema = { type: 'string', enum: [suggestion], expects: 'a known kind' };
  return [{ type: 'object', structure: 'kinds', properties: { kind: right } }];
}

/** The matching object among several with the same name; if several match, a message. */
export type Chosen =
  | { readonly type: 'one'; readonly object: Mapping }
  | { readonly type: 'none' }
  | { readonly type: 'several'; readonly message: string };

/** @param objects the objects with the name, with references that show the names of their objects */
export function chooseNamesake(objects: readonly Mapping[], name: string, match: Mapping = {}): Chosen {
  const matching = objects.filter((object) => hasFields(object, match));
  const [object, ...others] = matching;
  if (object === undefined) return { type: 'none' };
  if (others.length === 0) return { type: 'one', object };
  return {
    type: 'several',
    message: `${matching.length} objects are named "${name}": ${describeDistinctions(matching)}`,
  };
}

/** The objects of exactly this name in a list; undefined if the body is no list. */
export function namedIn(body: Value, name: string): readonly Mapping[] | undefined {
  const results = isMapping(body) ? entry(body, 'results') : undefined;
  if (!isList(results)) return undefined;
  return results.filter((one) => isMapping(one)).filter((one) => entry(one, 'name') === name);
}

function hasFields(object: Mapping, match: Mapping): boolean {
  return Object.entries(match).every(([field, wanted]) => {
    const shown = entry(object, field);
    if (!isReferenceName(field) || typeof wanted !== 'string' || /[/?]/.test(wanted))
      return matches(wanted, shown, field);
    return typeof shown === 'string' && shown.endsWith(`#${wanted}`);
  });
}
