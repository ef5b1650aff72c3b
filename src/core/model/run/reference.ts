import { decodedUri } from '../values/uri.js';
import { LATER, entry, mapLeaves, type Mapping, type Value } from '../values/value.js';

/** A reference that names its object: `/api/network?name=web&cloud=edge`, or the bare name in a field whose kind is known. */
export interface NamedReference {
  /** `/api/network/`. */
  readonly collection: string;
  readonly name: string;
  /** The cloud in which the name is looked up, as a name, path or URL. */
  readonly cloud?: string | undefined;
  /** Whether the reference itself names the cloud; otherwise the cloud is the referring object's. */
  readonly isCloudNamed?: boolean | undefined;
  /** The tenant in which it is looked up; absent: that of the task. */
  readonly tenant?: string | undefined;
}

/** The object that a named reference refers to. */
export type ResolvedReference =
  /** `path`: `/api/network/UUID`. */
  | { readonly type: 'found'; readonly path: string }
  /** An earlier task of this check would create the object. */
  | { readonly type: 'expected' }
  /** `known`: names of existing objects of the collection in that scope. */
  | { readonly type: 'missing'; readonly known: readonly string[] }
  /** The reference names a cloud that does not exist or is ambiguous. `known`: the names of clouds. */
  | { readonly type: 'no cloud'; readonly count: number; readonly known: readonly string[] }
  /** Several objects have the name. `objects`: a description of each. */
  | { readonly type: 'ambiguous'; readonly count: number; readonly objects: string };

/** Which objects references can mean. */
export interface ReferenceView {
  /** Objects count as earlier tasks of a check would leave them; else as they are. */
  readonly asExpected?: boolean;
  /** The task never writes: then also what such tasks would create counts. */
  readonly onlyCompares?: boolean | undefined;
}

/** Resolves references by name on one controller and tenant. Lists a collection again only if the list lacks a name. */
export interface ReferenceLookup {
  resolve(reference: NamedReference): Promise<ResolvedReference>;
  readonly findCollection: FindCollection;
  /** The cloud of objects that name none, if an object's name is unique only in its cloud. */
  readonly defaultCloud: NamedReference | undefined;
  /**
   * The tenant of the lookup, if controllers also show it objects of another one, such as clouds of `admin`. Undefined
   * in the default tenant.
   */
  readonly tenant: NamedReference | undefined;
  /** The name of an object that was already read. */
  knownName(collection: string, uuid: string): string | undefined;
  /** Records what a check would create (`before` is null), change or delete (`after` is null), for references by name. */
  expect(collection: string, before: Mapping | null, after: Mapping | null): void;
}

/**
 * The collection of a bare name in a reference field.
 *
 * @param object path of the object that has the field, or of its collection
 */
export type FindCollection = (field: string, object: string) => Promise<string>;

/** Derived from the field's own name: `health_monitor_refs` means `/api/healthmonitor/`. */
export function collectionNamed(field: string): string {
  return `/api/${field
    .replace(/_refs?$/, '')
    .replaceAll('_', '')
    .toLowerCase()}/`;
}

/** Distinguishes objects with the same name. */
export interface Scope {
  /** Equal for equal scopes. */
  readonly key: string;
  /** Whether the object must belong to the tenant of the request, which also sees objects of others. */
  readonly ownOnly: boolean;
  /** The objects that the scope includes, of those with the same name. `lookup` is the session's. */
  select(objects: readonly Mapping[], lookup: () => Promise<ReferenceLookup | undefined>): Promise<readonly Mapping[]>;
}

/** A reference to an object by its uuid, as a path or URL. */
export interface DirectReference {
  /** `/api/pool/`. */
  readonly collection: string;
  readonly uuid: string;
}

/** Undefined if the text is not a reference by uuid. A `#` precedes the object's name. */
export function directReference(text: string): DirectReference | undefined {
  const [, collection, uuid] =
    /^(?:https?:\/\/[^/?#]+(?:\/[^?#]*?)?)?(\/api\/(?:[^/?#]+\/)+)([^/?#]+)(?:#.*)?$/s.exec(text) ?? [];
  return collection === undefined || uuid === undefined ? undefined : { collection, uuid: decodedUri(uuid) };
}

/** Whether the object at the path is another one for each user: their own account. */
export function isForUser({ path }: { readonly path: string }): boolean {
  return /^\/api\/useraccount\/?(?:\?|$)/.test(path);
}

/** A reference to an object that an earlier task of a check would create. */
export function expectedReference({ collection, name }: Pick<NamedReference, 'collection' | 'name'>): string {
  return `${collection}${LATER}#${name}`;
}

/** Whether fields of this name hold references, which may match without being equal. */
export function isReferenceName(name: string): boolean {
  return name.endsWith('_ref') || name.endsWith('_refs');
}

/** The object as it is sent: without the names that a controller shows after a `#`. */
export function withoutNames(object: Mapping): Mapping {
  return mapReferences(object, (reference) => reference.split('#', 1)[0] ?? reference);
}

/** The object with its references and its own `url` as paths, without the scheme, host and port at which the controller was reached. */
export function withoutOrigins(object: Mapping): Mapping {
  const mapped = mapReferences(object, (reference) => reference.replace(ORIGIN, ''));
  const url = entry(mapped, 'url');
  return typeof url === 'string' ? { ...mapped, url: url.replace(ORIGIN, '') } : mapped;
}

const ORIGIN = /^https?:\/\/[^/?#]+(?=\/(?:[^?#]*\/)?api\/)/;

/** The object with other texts in place of its references by uuid, and of its own `url`. */
export function mapReferences(object: Mapping, change: (reference: string) => string): Mapping {
  return mapLeaves(object, (value, field) => {
    const isReference = isReferenceName(field) || field === 'url';
    return typeof value === 'string' && isReference && directReference(value) !== undefined ? change(value) : value;
  });
}

/** The name of the object, if the reference shows it: `https://lb1/api/tenant/UUID#admin`. */
export function shownName(reference: string): string | undefined {
  const at = reference.indexOf('#');
  return at === -1 ? undefined : reference.slice(at + 1);
}

/** Undefined if the text is not a reference by name. */
export function queriedReference(text: string): NamedReference | undefined {
  const [, path, query] =
    /^(?:https?:\/\/[^/?#]+(?:\/[^?#]*?)?)?(\/api\/[^?#]*[^/?#])\/?\?([^#]*)(?:#.*)?$/s.exec(text) ?? [];
  if (path === undefined || query === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const [name, cloud, tenant] = [parameters.get('name'), parameters.get('cloud'), parameters.get('tenant')];
  if (name === null) return undefined;
  const inCloud = cloud !== null && { cloud, isCloudNamed: true };
  return { collection: `${path}/`, name, ...inCloud, ...(tenant !== null && { tenant }) };
}

/** Whether a shown reference, `…/api/pool/UUID#NAME`, means what is declared: by uuid, or by a name and nothing else. */
export function refersTo(shown: string, declared: string): boolean {
  const found = directReference(shown);
  const named = queriedReference(declared);
  if (named !== undefined)
    return isNameOnly(named) && found?.collection === named.collection && shownName(shown) === named.name;
  const meant = directReference(declared);
  return meant !== undefined && found?.collection === meant.collection && found.uuid === meant.uuid;
}

/** Whether the name alone says which object is meant: nothing shows the cloud or the tenant of another object. */
export function isNameOnly({ cloud, tenant }: NamedReference): boolean {
  return cloud === undefined && tenant === undefined;
}

/** Describes objects of the same name by uuid, each with what distinguishes it: `network-1 in cloud "edge"`. */
export function describeDistinctions(objects: readonly Mapping[]): string {
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
  const name = shownName(reference) ?? directReference(reference)?.uuid ?? reference;
  return [`in ${word} "${name}"`];
}
