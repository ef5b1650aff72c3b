import { decodedUri } from '../values/uri.js';
import { entry, type Mapping, type Value } from '../values/value.js';

/** A reference that names its object: `/api/network?name=web&cloud=edge`, or the bare name in a field whose kind is known. */
export interface NamedReference {
  /** `/api/network/`. */
  readonly collection: string;
  readonly name: string;
  /** The cloud in which the name is looked up, as a name, path or URL. */
  readonly cloud?: string | undefined;
  /** Whether the reference itself names the cloud; otherwise it is that of the referring object. */
  readonly isCloudNamed?: boolean | undefined;
}

/** What a named reference means. */
export type ResolvedReference =
  /** `path`: `/api/network/UUID`. */
  | { readonly type: 'found'; readonly path: string }
  /** An earlier task of this check would create the object. */
  | { readonly type: 'expected' }
  /** `known`: names that objects of the collection have in that scope. */
  | { readonly type: 'missing'; readonly known: readonly string[] }
  /** The reference names a cloud, of which there are none or several. `known`: the names of clouds. */
  | { readonly type: 'no cloud'; readonly count: number; readonly known: readonly string[] }
  /** More than one object of that name. `objects`: which, in words. */
  | { readonly type: 'ambiguous'; readonly count: number; readonly objects: string };

/** Finds the objects of one controller and tenant that references name. Each collection is listed at most once. */
export interface ReferenceLookup {
  resolve(reference: NamedReference): Promise<ResolvedReference>;
  readonly collectionOf: CollectionOf;
  /** Whether an object's name is unique only in its cloud. */
  readonly isCloudScoped: boolean;
  /** The name of an object that is known already. */
  nameOf(collection: string, uuid: string): string | undefined;
  /** A check found that an object would be created: references to its name are fine. */
  expect(collection: string, object: Mapping): void;
}

/**
 * The collection that a bare name in a reference field means.
 *
 * @param object path of the object that has the field, or of its collection
 */
export type CollectionOf = (field: string, object: string) => Promise<string>;

/** By the field's own name: `health_monitor_refs` means `/api/healthmonitor/`. */
export function collectionNamed(field: string): string {
  return `/api/${field
    .replace(/_refs?$/, '')
    .replaceAll('_', '')
    .toLowerCase()}/`;
}

/** Tells objects of one name apart. */
export interface Scope {
  /** The same for equal scopes. */
  readonly key: string;
  /** Those of the objects of that name that are meant. `lookup`: as of a session. */
  select(objects: readonly Mapping[], lookup: () => Promise<ReferenceLookup | undefined>): Promise<readonly Mapping[]>;
}

/** A reference to an object by its uuid, as a path or URL. */
export interface DirectReference {
  /** `/api/pool/`. */
  readonly collection: string;
  readonly uuid: string;
}

/** Undefined if the text is none: it names its object, or is no reference. What follows a `#` is the object's name. */
export function directReference(text: string): DirectReference | undefined {
  const [, collection, uuid] =
    /^(?:https?:\/\/[^/?#]+(?:\/[^?#]*?)?)?(\/api\/(?:[^/?#]+\/)+)([^/?#]+)(?:#.*)?$/.exec(text) ?? [];
  return collection === undefined || uuid === undefined ? undefined : { collection, uuid: decodedUri(uuid) };
}

/** Undefined if the text does not ask for its object by name. */
export function queriedReference(text: string): NamedReference | undefined {
  const [, path, query] =
    /^(?:https?:\/\/[^/?#]+(?:\/[^?#]*?)?)?(\/api\/[^?#]*[^/?#])\/?\?([^#]*)(?:#.*)?$/.exec(text) ?? [];
  if (path === undefined || query === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const [name, cloud] = [parameters.get('name'), parameters.get('cloud')];
  if (name === null || parameters.has('tenant')) return undefined;
  return { collection: `${path}/`, name, ...(cloud !== null && { cloud, isCloudNamed: true }) };
}

/** Objects of one name by their uuids, each with what tells it from the others: `network-1 in cloud "edge"`. */
export function whereabouts(objects: readonly Mapping[]): string {
  const places = SCOPES.filter(([field]) => new Set(objects.map((object) => entry(object, field))).size > 1);
  return objects
    .map((object) => {
      const uuid = entry(object, 'uuid');
      const scopes = places.flatMap(([field, word]) => scopeText(word, entry(object, field)));
      return [typeof uuid === 'string' ? uuid : 'no uuid', ...scopes].join(' ');
    })
    .join(', ');
}

const SCOPES = [
  ['cloud_ref', 'cloud'],
  ['tenant_ref', 'tenant'],
] as const;

function scopeText(word: string, reference: Value | undefined): readonly string[] {
  if (typeof reference !== 'string') return [];
  const hash = reference.indexOf('#');
  const name = hash < 0 ? (directReference(reference)?.uuid ?? reference) : reference.slice(hash + 1);
  return [`in ${word} "${name}"`];
}
