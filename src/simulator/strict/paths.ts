import { readBody, refuseStale } from '../generic/field_types.js';
import { refusal, success, type SimulatedAnswer } from '../protocol/exchange.js';
import { textOrEmpty, type JsonObject } from '../protocol/json.js';
import { withoutSecrets } from '../state/secrets.js';
import { addSingleObject } from './initial_objects.js';
import { asksForNames, listAnswer, listPage, shown } from './list.js';
import { isVisible, type StoreTurn } from './object_store.js';
import { patched } from './patch.js';
import { rendered } from './references.js';
import { healthScore, inventoryRuntime, metricsAnswer, serverRuntimes } from './runtime.js';
import { answerFileService, exportConfiguration, uploadImage } from './uploads.js';
import { create, patch, prepare, remove, replace } from './write.js';

const ONE = /^\/api\/([a-z0-9]+)\/([^/]+)$/;
const COLLECTION = /^\/api\/([a-z0-9]+)$/;
const INVENTORY = /^\/api\/([a-z0-9]+)-inventory(?:\/([^/]+))?$/;
const CLOUD_STATUS = /^\/api\/cloud\/([^/]+)\/status$/;
const RUNTIME = /^\/api\/(pool|virtualservice)\/([^/]+)\/runtime(\/server)?$/;
const METRICS = /^\/api\/analytics\/metrics\/(pool|virtualservice)\/([^/]+)$/;

/** @param path without a slash at the end */
export function answerPath(path: string, turn: StoreTurn): SimulatedAnswer {
  const special = specialPath(path, turn);
  if (special !== undefined) return special;
  const [, single = ''] = COLLECTION.exec(path) ?? [];
  if (turn.store.kind(single)?.single === true) return answerSingle(path, single, turn);
  if (single !== '') return answerCollection(single, turn);
  const [, kind, uuid] = ONE.exec(path) ?? [];
  return kind === undefined || uuid === undefined ? refusal(404, 'Not found.') : answerOne(kind, uuid, turn);
}

function specialPath(path: string, turn: StoreTurn): SimulatedAnswer | undefined {
  const { method } = turn.request;
  const { version } = turn.upgrades;
  const [, status] = CLOUD_STATUS.exec(path) ?? [];
  if (status !== undefined) return cloudStatus(status, turn);
  const [, inventoryOf, uuid] = INVENTORY.exec(path) ?? [];
  if (inventoryOf !== undefined) return inventory(inventoryOf, uuid, turn);
  const [, running, runningUuid = '', servers] = RUNTIME.exec(path) ?? [];
  if (running !== undefined) return runtime(running, runningUuid, servers !== undefined, turn);
  const [, measured, measuredUuid = ''] = METRICS.exec(path) ?? [];
  if (measured !== undefined) {
    return withObject(measured, measuredUuid, turn, (object) => metricsAnswer(measured, object, turn));
  }
  if (path.startsWith('/api/fileservice')) return answerFileService(path, turn);
  switch (path) {
    case '/api/cluster/version':
      return success({ Version: version, Product: 'controller', Tag: `${version}-9000` });
    case '/api/cluster/runtime':
    case '/api/cluster/status':
      return success(CLUSTER_RUNTIME);
    case '/api/configuration/export':
      return exportConfiguration(version, turn, (kind) => exported(kind, turn));
    case '/api/image':
      return method === 'POST' ? uploadImage(turn) : undefined;
    case '/api/upgrade':
      return method === 'POST' ? turn.upgrades.start(turn) : notAllowed(turn, 'POST');
    case '/api/upgradestatusinfo':
      return method === 'GET' ? turn.upgrades.status() : notAllowed(turn, 'GET');
    default:
      return undefined;
  }
}

const CLUSTER_RUNTIME: JsonObject = {
  cluster_state: { state: 'CLUSTER_UP_NO_HA', progress: 100 },
  node_states: [{ name: 'node1', mgmt_ip: '127.0.0.1', role: 'CLUSTER_LEADER', state: 'CLUSTER_ACTIVE' }],
};

/** References in a backup do not contain the controller's address. */
function exported(kind: string, turn: StoreTurn): readonly JsonObject[] {
  const withoutAddress = { ...turn, request: { ...turn.request, base: '' } };
  return visible(kind, turn).map((object) => shown(kind, object, withoutAddress));
}

function visible(kind: string, { store, view }: StoreTurn): readonly JsonObject[] {
  return store.all(kind).filter((object) => isVisible(kind, object, view));
}

function cloudStatus(uuid: string, turn: StoreTurn): SimulatedAnswer {
  return turn.store.get('cloud', uuid) === undefined ? notFound('cloud', turn) : success(turn.clouds.status(uuid));
}

/** Objects with their runtime state, beside their configuration. */
function inventory(kind: string, uuid: string | undefined, turn: StoreTurn): SimulatedAnswer {
  const entry = (object: JsonObject): JsonObject => ({
    uuid: object['uuid'] ?? '',
    config: shown(kind, object, turn),
    ...runtimeEntry(kind, object, turn),
    ...(kind === 'cloud' && { status: turn.clouds.status(textOrEmpty(object['uuid'])) }),
  });
  if (uuid !== undefined) return withObject(kind, uuid, turn, (object) => success(entry(object)));
  const listed = listPage(kind, turn);
  if (listed.status === 'refused') return listed.answer;
  const { results, ...counted } = listed.value;
  const uuids = results.map((object) => textOrEmpty(object['uuid']));
  const objects = uuids.map((one) => turn.store.get(kind, one)).filter((object) => object !== undefined);
  return success({ ...counted, results: objects.map(entry) });
}

function runtimeEntry(kind: string, object: JsonObject, turn: StoreTurn): JsonObject {
  const state = inventoryRuntime(kind, object, turn);
  return state === undefined ? {} : { runtime: state, health_score: { health_score: healthScore(kind, object, turn) } };
}

function runtime(kind: string, uuid: string, servers: boolean, turn: StoreTurn): SimulatedAnswer {
  return withObject(kind, uuid, turn, (object) =>
    success(servers ? serverRuntimes(object, turn) : (inventoryRuntime(kind, object, turn) ?? {})),
  );
}

function withObject(
  kind: string,
  uuid: string,
  turn: StoreTurn,
  answer: (object: JsonObject) => SimulatedAnswer,
): SimulatedAnswer {
  const object = turn.store.get(kind, uuid);
  return object === undefined || !isVisible(kind, object, turn.view) ? notFound(kind, turn) : answer(object);
}

function answerCollection(kind: string, turn: StoreTurn): SimulatedAnswer {
  switch (turn.request.method) {
    case 'GET':
      return listAnswer(kind, turn);
    case 'POST':
      return create(kind, turn);
    default:
      return notAllowed(turn, 'GET, POST');
  }
}

function answerOne(kind: string, uuid: string, turn: StoreTurn): SimulatedAnswer {
  const { method } = turn.request;
  // Only a GET reads from the followers, which may lag.
  const objects = method === 'GET' ? turn.store.read(kind) : undefined;
  const present = objects === undefined ? turn.store.get(kind, uuid) : turn.store.find(uuid, objects);
  if (present === undefined || !isVisible(kind, present, turn.view)) return notFound(kind, turn);
  if (method === 'GET') return success(shown(kind, present, turn));
  const write = WRITES[method];
  return write === undefined ? notAllowed(turn, 'GET, PUT, PATCH, DELETE') : write(kind, present, turn);
}

const WRITES: Readonly<Record<string, (kind: string, present: JsonObject, turn: StoreTurn) => SimulatedAnswer>> = {
  PUT: replace,
  PATCH: patch,
  DELETE: remove,
};

/** GET, PUT and PATCH of an object that a controller has exactly once. */
function answerSingle(path: string, kind: string, turn: StoreTurn): SimulatedAnswer {
  const { request, store, behaviour } = turn;
  const { state } = store;
  addSingleObject(store, kind, path);
  const show = (object: JsonObject, names: boolean): JsonObject => ({
    ...rendered(kind, withoutSecrets(object, store.kind(kind)?.structure), { base: request.base, names }, store),
    url: `${request.base}${path}`,
  });
  if (request.method === 'GET') {
    if (behaviour.unreadable !== undefined) return refusal(behaviour.unreadable, `Method 'GET' not allowed.`);
    return success(show(state.singleton(path).read(), asksForNames(turn)));
  }
  if (request.method !== 'PUT' && request.method !== 'PATCH') return notAllowed(turn, 'GET, PUT, PATCH');
  const body = readBody(request, {});
  if (body.status === 'refused') return body.answer;
  const present = state.singleton(path).current;
  const given = request.method === 'PUT' ? body.value : patched(present, body.value);
  if (typeof given === 'string') return refusal(400, given);
  const stale = refuseStale(given, present, { locking: behaviour.locking ?? true });
  if (stale !== undefined) return stale;
  const prepared = prepare(kind, given, present, turn);
  if (prepared.status === 'refused') return prepared.answer;
  const resulting = { ...prepared.value, uuid: present['uuid'] ?? 'default', _last_modified: state.stamp() };
  state.setSingleton(path, resulting, behaviour.lag);
  return success(show(resulting, turn.dialect.references !== undefined));
}

function notFound(kind: string, { store }: StoreTurn): SimulatedAnswer {
  return refusal(404, `${store.title(kind)} object not found!`);
}

function notAllowed({ request }: StoreTurn, allow: string): SimulatedAnswer {
  return { status: 405, headers: { allow }, body: { detail: `Method '${request.method}' not allowed.` } };
}
