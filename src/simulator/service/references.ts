import type { Structure } from '../../kinds/kind_table.js';
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  ok,
  type OrRefusal,
  refused,
  type SimulatedJson,
  textOrEmpty,
} from '../protocol/exchange.js';
import { withoutSecrets } from '../state/secrets.js';
import { isVisible, referenceTo, type ObjectStore, type StoreTurn, type TenantView } from './object_store.js';

/** Where names are looked up. */
interface LookupScope {
  readonly view: TenantView;
  /** The cloud of the object that refers; undefined if it has none. */
  readonly cloud: string | undefined;
}

/** The object with its references as `/api/KIND/UUID`, or the refusal because of the first one that points to no object. */
export function resolveReferences(
  object: JsonObject,
  structure: Structure | undefined,
  scope: LookupScope,
  store: ObjectStore,
): OrRefusal<JsonObject> {
  const resolved: Record<string, SimulatedJson> = {};
  for (const [name, value] of Object.entries(object)) {
    const field = structure?.fields.get(name);
    const isKnown = structure === undefined || field !== undefined;
    const isReference = field?.refers !== undefined || (isKnown && /_refs?$/.test(name));
    const outcome = isReference
      ? resolveValue(value, name, field?.refers, scope, store)
      : resolveWithin(value, field?.structure, scope, store);
    if (outcome.status === 'refused') return outcome;
    resolved[name] = outcome.value;
  }
  return ok(resolved);
}

function resolveWithin(
  value: SimulatedJson,
  structure: Structure | undefined,
  scope: LookupScope,
  store: ObjectStore,
): OrRefusal<SimulatedJson> {
  if (isJsonList(value)) return each(value, (one) => resolveWithin(one, structure, scope, store));
  return isJsonObject(value) ? resolveReferences(value, structure, scope, store) : ok(value);
}

function resolveValue(
  value: SimulatedJson,
  name: string,
  refers: string | undefined,
  scope: LookupScope,
  store: ObjectStore,
): OrRefusal<SimulatedJson> {
  if (isJsonList(value)) return each(value, (one) => resolveValue(one, name, refers, scope, store));
  return typeof value === 'string' ? resolveReference(value, name, refers, scope, store) : ok(value);
}

function each(
  values: readonly SimulatedJson[],
  resolve: (value: SimulatedJson) => OrRefusal<SimulatedJson>,
): OrRefusal<SimulatedJson> {
  const resolved: SimulatedJson[] = [];
  for (const value of values) {
    const outcome = resolve(value);
    if (outcome.status === 'refused') return outcome;
    resolved.push(outcome.value);
  }
  return ok(resolved);
}

const REFERENCE = /^(?:https?:\/\/[^/?#]+)?(?:\/[^?#]*)?\/api\/([a-z0-9]+)\/?([^/?#]*)\/?(?:\?([^#]*))?(?:#.*)?$/is;

/** `/api/pool/UUID`, `/api/pool?name=web&cloud=edge`, or either as a full URL. */
function resolveReference(
  given: string,
  field: string,
  refers: string | undefined,
  scope: LookupScope,
  store: ObjectStore,
): OrRefusal<string> {
  const [, kindGiven = refers ?? '', uuid = given, query = ''] = REFERENCE.exec(given) ?? [];
  const kind = kindGiven.toLowerCase();
  if (refers !== undefined && kind !== refers) {
    return refused(400, `Invalid reference "${given}" in field "${field}": must refer to ${store.title(refers)}.`);
  }
  const found =
    uuid === '' ? named(kind, new URLSearchParams(query), scope, store) : withUuid(kind, uuid, scope, store);
  const [object, another] = found;
  if (object === undefined) return refused(404, `${store.title(kind)} object not found!`);
  if (another !== undefined) {
    return refused(
      400,
      `Reference "${given}" in field "${field}" is ambiguous: ${found.length} objects have this name.`,
    );
  }
  return ok(referenceTo(kind, object));
}

function withUuid(kind: string, uuid: string, { view }: LookupScope, store: ObjectStore): readonly JsonObject[] {
  const object = store.get(kind, uuid);
  return object !== undefined && isVisible(kind, object, view) ? [object] : [];
}

function named(kind: string, query: URLSearchParams, scope: LookupScope, store: ObjectStore): readonly JsonObject[] {
  const cloud = query.get('cloud');
  const inScope = store.all(kind).filter((object) => {
    if (object['name'] !== query.get('name') || !isVisible(kind, object, scope.view)) return false;
    const { cloud_ref: own } = object;
    if (typeof own !== 'string') return true;
    return cloud === null ? scope.cloud === undefined || own === scope.cloud : store.at(own)?.['name'] === cloud;
  });
  const { view } = scope;
  const ofTenant = view.all ? [] : inScope.filter((object) => object['tenant_ref'] === view.ref);
  return ofTenant.length > 0 ? ofTenant : inScope;
}

/** The object as a client sees it: references are URLs, with names after `#` if it asks for `names`. */
export function rendered(kind: string, object: JsonObject, names: boolean, turn: StoreTurn): JsonObject {
  const { store, request, behaviour, documented } = turn;
  if (documented) return behaviour.sensitive === true ? withoutSecrets(object, undefined) : object;
  const how = { base: request.base, names };
  const url = shown(referenceTo(kind, object), object, how);
  return { ...renderedFields(withoutSecrets(object, store.kind(kind)?.structure), how, store), url };
}

/** How a client addresses the controller, and whether it sees names after `#`. */
interface ReferenceRendering {
  readonly base: string;
  readonly names: boolean;
}

function renderedFields(object: JsonObject, how: ReferenceRendering, store: ObjectStore): JsonObject {
  const fields = Object.entries(object).map(([name, value]) => [name, renderedValue(value, how, store)] as const);
  return Object.fromEntries(fields);
}

function renderedValue(value: SimulatedJson, how: ReferenceRendering, store: ObjectStore): SimulatedJson {
  if (isJsonList(value)) return value.map((one) => renderedValue(one, how, store));
  if (isJsonObject(value)) return renderedFields(value, how, store);
  if (typeof value !== 'string' || !value.startsWith('/api/')) return value;
  const target = store.at(value);
  return target === undefined ? value : shown(value, target, how);
}

function shown(reference: string, { name }: JsonObject, { base, names }: ReferenceRendering): string {
  return `${base}${reference}${names && typeof name === 'string' ? `#${name}` : ''}`;
}

/** The objects that refer to an object: `VirtualService web`. */
export function referrers(reference: string, store: ObjectStore, except: ReadonlySet<JsonObject>): readonly string[] {
  return store.populatedKinds.flatMap((kind) =>
    store
      .all(kind)
      .filter((object) => !except.has(object) && mentions(object, reference))
      .map(({ name }) => `${store.title(kind)} ${textOrEmpty(name)}`),
  );
}

function mentions(value: SimulatedJson, reference: string): boolean {
  if (isJsonList(value)) return value.some((one) => mentions(one, reference));
  if (isJsonObject(value)) return Object.values(value).some((one) => mentions(one, reference));
  return value === reference;
}
