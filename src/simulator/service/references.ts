import { mapValues } from '../../core/model/values/value.js';
import type { Structure } from '../../kinds/kind_table.js';
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  requestRejected,
  type SimulatedJson,
  textOrEmpty,
} from '../protocol/exchange.js';
import { withoutSecrets } from '../state/secrets.js';
import { isVisible, referenceTo, type ObjectStore, type StoreTurn, type TenantView } from './object_store.js';

/** Where names are looked up. */
interface LookupScope {
  readonly store: ObjectStore;
  readonly view: TenantView;
  /** The cloud of the object that refers; undefined if it has none. */
  readonly cloud: string | undefined;
}

/** The object with its references as `/api/KIND/UUID`. Refuses the first one that points to no object. */
export function resolveReferences(
  object: JsonObject,
  structure: Structure | undefined,
  scope: LookupScope,
): JsonObject {
  return mapValues(object, (value, name) => {
    const field = structure?.fields.get(name);
    const isKnown = structure === undefined || field !== undefined;
    const isReference = field?.refers !== undefined || (isKnown && /_refs?$/.test(name));
    return isReference
      ? resolveValue(value, name, field?.refers, scope)
      : resolveWithin(value, field?.structure, scope);
  });
}

function resolveWithin(value: SimulatedJson, structure: Structure | undefined, scope: LookupScope): SimulatedJson {
  if (isJsonList(value)) return value.map((one) => resolveWithin(one, structure, scope));
  return isJsonObject(value) ? resolveReferences(value, structure, scope) : value;
}

function resolveValue(
  value: SimulatedJson,
  name: string,
  refers: string | undefined,
  scope: LookupScope,
): SimulatedJson {
  if (isJsonList(value)) return value.map((one) => resolveValue(one, name, refers, scope));
  return typeof value === 'string' ? resolveReference(value, name, refers, scope) : value;
}

const REFERENCE = /^(?:https?:\/\/[^/?#]+)?(?:\/[^?#]*)?\/api\/([a-z0-9]+)\/?([^/?#]*)\/?(?:\?([^#]*))?(?:#.*)?$/is;

/** `/api/pool/UUID`, `/api/pool?name=web&cloud=edge`, or either as a full URL. */
function resolveReference(given: string, field: string, refers: string | undefined, scope: LookupScope): string {
  const { store } = scope;
  const [, kindGiven = refers ?? '', uuid = given, query = ''] = REFERENCE.exec(given) ?? [];
  const kind = kindGiven.toLowerCase();
  if (refers !== undefined && kind !== refers) {
    const why = `Invalid reference "${given}" in field "${field}": must refer to ${store.title(refers)}.`;
    throw requestRejected(400, why);
  }
  const found = uuid === '' ? named(kind, new URLSearchParams(query), scope) : withUuid(kind, uuid, scope);
  const [object, another] = found;
  if (object === undefined) throw requestRejected(404, `${store.title(kind)} object not found!`);
  if (another !== undefined)
    throw requestRejected(
      400,
      `Reference "${given}" in field "${field}" is ambiguous: ${found.length} objects have this name.`,
    );
  return referenceTo(kind, object);
}

function withUuid(kind: string, uuid: string, { store, view }: LookupScope): readonly JsonObject[] {
  const object = store.get(kind, uuid);
  return object !== undefined && isVisible(kind, object, view) ? [object] : [];
}

function named(
  kind: string,
  query: URLSearchParams,
  { store, view, cloud: around }: LookupScope,
): readonly JsonObject[] {
  const cloud = query.get('cloud');
  const inScope = store.all(kind).filter((object) => {
    if (object['name'] !== query.get('name') || !isVisible(kind, object, view)) return false;
    const { cloud_ref: own } = object;
    if (typeof own !== 'string') return true;
    return cloud === null ? around === undefined || own === around : store.at(own)?.['name'] === cloud;
  });
  const ofTenant = view.all ? [] : inScope.filter((object) => object['tenant_ref'] === view.ref);
  return ofTenant.length > 0 ? ofTenant : inScope;
}

/** The object as a client sees it: references are URLs, with names after `#` if it asks for `names`. */
export function rendered(kind: string, object: JsonObject, names: boolean, turn: StoreTurn): JsonObject {
  const { store, request, behaviour, documented } = turn;
  if (documented) return behaviour.sensitive === true ? withoutSecrets(object, undefined) : object;
  const how = { base: request.base, names };
  const fields = withoutSecrets(object, store.kind(kind)?.structure);
  const url = shown(referenceTo(kind, object), object, how);
  return { ...mapValues(fields, (value) => renderedValue(value, how, store)), url };
}

/** How a client addresses the controller, and whether it sees names after `#`. */
interface ReferenceRendering {
  readonly base: string;
  readonly names: boolean;
}

function renderedValue(value: SimulatedJson, how: ReferenceRendering, store: ObjectStore): SimulatedJson {
  if (isJsonList(value)) return value.map((one) => renderedValue(one, how, store));
  if (isJsonObject(value)) return mapValues(value, (one) => renderedValue(one, how, store));
  if (typeof value !== 'string' || !value.startsWith('/api/')) return value;
  const target = store.at(value);
  return target === undefined ? value : shown(value, target, how);
}

function shown(reference: string, { name }: JsonObject, { base, names }: ReferenceRendering): string {
  return `${base}${reference}${names && typeof name === 'string' ? `#${name}` : ''}`;
}

/** The objects that refer to an object: `VirtualService web`. */
export function referrers(reference: string, store: ObjectStore, except: ReadonlySet<JsonObject>): readonly string[] {
  return store.everything.flatMap(([kind, objects]) =>
    objects
      .filter((object) => !except.has(object) && mentions(object, reference))
      .map(({ name }) => `${store.title(kind)} ${textOrEmpty(name)}`.trimEnd()),
  );
}

function mentions(value: SimulatedJson, reference: string): boolean {
  if (isJsonList(value)) return value.some((one) => mentions(one, reference));
  if (isJsonObject(value)) return Object.values(value).some((one) => mentions(one, reference));
  return value === reference;
}
