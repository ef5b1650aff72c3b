import { SERVER_FIELDS } from '../../core/model/run/result.js';
import { mapValues } from '../../core/model/values/value.js';
import type { Kind } from '../../kinds/kind_table.js';
import {
  isJsonObject,
  type JsonObject,
  errorAnswer,
  requestRejected,
  type SimulatedAnswer,
  type SimulatedJson,
  success,
  textOrEmpty,
} from '../protocol/exchange.js';
import { withStoredSecrets } from '../state/secrets.js';
import { documentedObject, readBody } from './document.js';
import { cloudChildren, isBuiltIn } from './initial_objects.js';
import { ADMIN_TENANT, referenceTo, type ObjectStore, type StoreTurn } from './object_store.js';
import { patched } from './patch.js';
import { referrers, rendered, resolveReferences } from './references.js';
import { firstFault, withoutNullFields, withStructureDefaults } from './structure.js';

/** POST of a collection. */
export function create(kind: string, turn: StoreTurn): SimulatedAnswer {
  const { store, behaviour, clouds, documented } = turn;
  const prepared = prepare(kind, readBody(turn.request), undefined, turn);
  requireUnique(kind, prepared, undefined, turn);
  const created = store.add(kind, prepared, behaviour.lag);
  if (kind === 'cloud' && !documented) {
    clouds.created(textOrEmpty(created['uuid']), behaviour.cloud_ready_after);
    for (const [child, object] of cloudChildren(created)) store.add(child, object);
  }
  return success(writeReply(kind, created, turn), 201);
}

/** PUT of an object: the body replaces it, except for the fields that the controller sets. */
export function replace(kind: string, current: JsonObject, turn: StoreTurn): SimulatedAnswer {
  const body = readBody(turn.request);
  const { uuid } = body;
  if (uuid !== undefined && uuid !== current['uuid']) return errorAnswer(400, 'uuid does not match the path.');
  return update(kind, current, body, turn);
}

/** PATCH of an object. */
export function patch(kind: string, current: JsonObject, turn: StoreTurn): SimulatedAnswer {
  return update(kind, current, patchedByRequest(kind, current, turn), turn);
}

/** The object after the `{add, replace, delete}` of a request. */
export function patchedByRequest(kind: string, current: JsonObject, turn: StoreTurn): JsonObject {
  // References in the patch must be resolved before they are compared with those of the object.
  const resolved = mapValues(readBody(turn.request), (fields, operation) => {
    if (!isJsonObject(fields)) throw requestRejected(400, `Patch operation "${operation}" must be an object.`);
    return resolveReferences(fields, turn.store.kind(kind)?.structure, objectScope(current, turn));
  });
  const result = patched(current, resolved);
  if (typeof result === 'string') throw requestRejected(400, result);
  return result;
}

function update(kind: string, current: JsonObject, given: JsonObject, turn: StoreTurn): SimulatedAnswer {
  requireFresh(given, current, turn);
  const prepared = prepare(kind, given, current, turn);
  requireUnique(kind, prepared, current, turn);
  const updated = turn.store.replace(kind, current, prepared, turn.behaviour.lag);
  if (kind === 'pool') turn.drains.changed(current, updated);
  return success(writeReply(kind, updated, turn));
}

/** 412 if the client read an older state than the one it would replace, on controllers that check this. */
export function requireFresh(
  { _last_modified: given }: JsonObject,
  current: JsonObject,
  { behaviour: { locking }, documented }: StoreTurn,
): void {
  if ((locking ?? !documented) && given !== undefined && given !== current['_last_modified'])
    throw requestRejected(412, 'Concurrent update: the object was changed since it was read.');
}

/** DELETE of an object. */
export function remove(kind: string, current: JsonObject, turn: StoreTurn): SimulatedAnswer {
  const { store, behaviour } = turn;
  if (turn.documented) {
    store.remove(kind, new Set([current]), behaviour.lag);
    return { status: 204, headers: {}, body: undefined };
  }
  if (isBuiltIn(kind, current)) return errorAnswer(403, 'Cannot delete system default object');
  const own = kind === 'cloud' ? builtInObjects(referenceTo('cloud', current), store) : [];
  const except = new Set([current, ...own.map(([, object]) => object)]);
  const targets = [referenceTo(kind, current), ...own.map(([child, object]) => referenceTo(child, object))];
  const users = [...new Set(targets.flatMap((reference) => referrers(reference, store, except)))];
  if (users.length > 0)
    return errorAnswer(403, `Cannot delete, object is referred by: [${users.map((user) => `'${user}'`).join(', ')}]`);
  for (const child of new Set(own.map(([name]) => name))) store.remove(child, except);
  store.remove(kind, except, behaviour.lag);
  return { status: 204, headers: {}, body: undefined };
}

/** The objects that a cloud had from the start; they are deleted with the cloud. */
function builtInObjects(cloud: string, store: ObjectStore): readonly (readonly [string, JsonObject])[] {
  return ['serviceenginegroup', 'vrfcontext', 'network'].flatMap((kind) =>
    store
      .all(kind)
      .filter((object) => object['cloud_ref'] === cloud && isBuiltIn(kind, object))
      .map((object) => [kind, object] as const),
  );
}

/** The reply to a write: names after `#`. */
export function writeReply(kind: string, object: JsonObject, turn: StoreTurn): JsonObject {
  return rendered(kind, object, turn.dialect.references !== undefined, turn);
}

/** The object as it will be stored. */
export function prepare(kind: string, given: JsonObject, current: JsonObject | undefined, turn: StoreTurn): JsonObject {
  const { store } = turn;
  if (turn.documented) {
    const documented = documentedObject(kind, given, current === undefined);
    const uuid = current?.['uuid'] ?? store.newUuid(kind);
    const url = `${turn.request.base}${referenceTo(kind, { uuid })}`;
    return { ...without(documented, SERVER_FIELDS), uuid, url };
  }
  const known = store.kind(kind);
  const object = withoutNullFields(kind === 'user' ? sentUser(given, current) : given);
  const fault = known === undefined ? missingName(kind, object) : firstFault(object, known.structure);
  if (fault !== undefined) throw requestRejected(400, fault);
  const complete = withStoredSecrets(object, current, known?.structure);
  if (typeof complete === 'string')
    throw requestRejected(400, `Field "${complete}" has no stored value: "<sensitive>" cannot be kept.`);
  const scoped = withScope(complete, known, current, turn);
  const resolved = resolveReferences(scoped, known?.structure, objectScope(scoped, turn));
  const fields = without(resolved, SERVER_FIELDS);
  return known === undefined ? fields : withStructureDefaults(fields, known.structure);
}

/** A user keeps its password if the request has none. */
function sentUser(given: JsonObject, current: JsonObject | undefined): JsonObject {
  const { password } = current ?? {};
  // The vendor's web page sends it with a user, and so do playbooks.
  return { ...(password !== undefined && { password }), ...without(given, ['require_password_confirmation']) };
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function missingName(kind: string, { name }: JsonObject): string | undefined {
  return typeof name === 'string' && name !== ''
    ? undefined
    : `Message type "${kind}" is missing required field "name".`;
}

/** Adds the tenant and the cloud of the object, which never change. */
function withScope(
  object: JsonObject,
  known: Kind | undefined,
  current: JsonObject | undefined,
  turn: StoreTurn,
): JsonObject {
  const scoped: Record<string, SimulatedJson> = { ...object };
  const { view, store, dialect } = turn;
  const tenant = view.all ? dialect.tenants && ADMIN_TENANT : view.ref;
  const cloud = store.all('cloud').find(({ name }) => name === dialect.cloudScope?.default);
  const { field = '' } = dialect.cloudScope ?? {};
  const initial: Readonly<Record<string, string | undefined>> = {
    ...(known?.scope !== 'controller' && { tenant_ref: tenant }),
    ...(known?.scope === 'cloud' && cloud && { [field]: referenceTo('cloud', cloud) }),
  };
  for (const [name, fallback] of Object.entries(initial)) {
    const kept = current?.[name] ?? fallback;
    if (object[name] === undefined && kept !== undefined) scoped[name] = kept;
  }
  const resolved = resolveReferences(
    Object.fromEntries(Object.entries(scoped).filter(([name]) => Object.hasOwn(initial, name))),
    known?.structure,
    objectScope({}, turn),
  );
  const changed = Object.keys(initial).find((name) => (current?.[name] ?? resolved[name]) !== resolved[name]);
  if (changed !== undefined) throw requestRejected(400, `Field "${changed}" cannot be changed.`);
  return { ...scoped, ...resolved };
}

function objectScope(object: JsonObject, { store, view, dialect: { cloudScope } }: StoreTurn) {
  const cloud = cloudScope && object[cloudScope.field];
  return { store, view, cloud: typeof cloud === 'string' ? cloud : undefined };
}

function requireUnique(
  kind: string,
  object: JsonObject,
  current: JsonObject | undefined,
  { store, behaviour, dialect, documented }: StoreTurn,
): void {
  const { duplicates = 409 } = behaviour;
  const { name } = object;
  if (duplicates === 'allow' || name === undefined) return;
  const scope = documented ? [] : ['tenant_ref', dialect.cloudScope?.field ?? ''];
  const same = (other: JsonObject): boolean =>
    other !== current && other['name'] === name && scope.every((field) => other[field] === object[field]);
  if (!store.all(kind).some(same)) return;
  if (documented)
    throw requestRejected(duplicates, `${store.title(kind)} object with name "${textOrEmpty(name)}" already exists.`);
  const given = ['name', ...scope.filter((field) => object[field] !== undefined)].join(', ');
  throw requestRejected(duplicates, `${store.title(kind)} with this ${given} already exists.`);
}
