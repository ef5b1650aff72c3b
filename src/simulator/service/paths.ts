import { decodedUri } from '../../core/model/values/uri.js';
import { type JsonObject, errorAnswer, type SimulatedAnswer, success, textOrEmpty } from '../protocol/exchange.js';
import { SYSTEM_CONFIGURATION } from '../state/controller_state.js';
import { documentedSingle, readBody } from './document.js';
import { addSingleObject } from './initial_objects.js';
import { asksForNames, answerPage, shown } from './list.js';
import { isVisible, type StoreTurn } from './object_store.js';
import { rendered } from './references.js';
import { healthScore, inventoryRuntime, metricsAnswer, serverRuntimes } from './runtime.js';
import { answerFileService, exportConfiguration, uploadImage } from './uploads.js';
import { create, patch, patchedByRequest, prepare, remove, replace, requireFresh } from './write.js';

const ONE = /^\/api\/([a-z0-9]+)\/([^/]+)$/;
const COLLECTION = /^\/api\/([a-z0-9]+)$/;
const INVENTORY = /^\/api\/([a-z0-9]+)-inventory(?:\/([^/]+))?$/;
const CLOUD_STATUS = /^\/api\/cloud\/([^/]+)\/status$/;
const RUNTIME = /^\/api\/(pool|virtualservice)\/([^/]+)\/runtime(\/server)?$/;
/** What the engines do with a virtual service, which changes nothing of its configuration. */
const SCALING = /^\/api\/virtualservice\/([^/]+)\/(?:scaleout|scalein|migrate|switchover)$/;
const METRICS = /^\/api\/analytics\/metrics\/(pool|virtualservice)\/([^/]+)$/;

/** @param path without a slash at the end */
export function answerPath(path: string, turn: StoreTurn): SimulatedAnswer {
  if (turn.documented) return answerDocumented(turn);
  const special = specialPath(path, turn);
  if (special !== undefined) return special;
  const [, single = ''] = COLLECTION.exec(path) ?? [];
  if (turn.store.kind(single)?.single === true) return answerSingle(path, single, turn);
  if (single !== '') return answerCollection(single, turn);
  const [, kind, uuid] = ONE.exec(path) ?? [];
  return kind === undefined || uuid === undefined ? errorAnswer(404, 'Not found.') : answerOne(kind, uuid, turn);
}

const DOCUMENTED = /^\/api\/((?:[^/]+\/)*[^/]+)(\/?)$/;
const UUID = /(^|-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The slash decides: `/api/NAME/` is a collection, `/api/NAME/UUID` an object of it, any other path without a final slash a single object.
 * The two paths of the API document behave exactly as documented.
 */
function answerDocumented(turn: StoreTurn): SimulatedAnswer {
  const { path } = turn.request;
  const [, name = '', slash] = DOCUMENTED.exec(path) ?? [];
  if (name === '' || path === '/api/cloud' || path === `${SYSTEM_CONFIGURATION}/`)
    return errorAnswer(404, 'Not found.');
  if (slash === '/') return answerCollection(name, turn);
  const at = name.lastIndexOf('/');
  const [kind, uuid] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)];
  const isObject = kind !== '' && (UUID.test(uuid) || turn.store.state.hasCollection(`/api/${kind}/`));
  return isObject ? answerOne(kind, decodedUri(uuid), turn) : answerSingle(path, name, turn);
}

function specialPath(path: string, turn: StoreTurn): SimulatedAnswer | undefined {
  const { method } = turn.request;
  const { version } = turn.upgrades;
  const [, status] = CLOUD_STATUS.exec(path) ?? [];
  if (status !== undefined)
    return turn.store.get('cloud', status) === undefined
      ? notFound('cloud', status, turn)
      : success(turn.clouds.status(status));
  const [, inventoryOf, uuid] = INVENTORY.exec(path) ?? [];
  if (inventoryOf !== undefined) return inventory(inventoryOf, uuid, turn);
  const [, running, runningUuid = '', servers] = RUNTIME.exec(path) ?? [];
  if (running !== undefined) return runtime(running, runningUuid, servers !== undefined, turn);
  const [, scaled] = SCALING.exec(path) ?? [];
  if (scaled !== undefined)
    return method === 'POST' ? withObject('virtualservice', scaled, turn, () => success({})) : notAllowed(turn, 'POST');
  const [, measured, measuredUuid = ''] = METRICS.exec(path) ?? [];
  if (measured !== undefined)
    return withObject(measured, measuredUuid, turn, (object) => metricsAnswer(measured, object, turn));
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
  return turn.store
    .all(kind)
    .filter((object) => isVisible(kind, object, turn.view))
    .map((object) => shown(kind, object, withoutAddress));
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
  const { results, ...counted } = answerPage(kind, turn);
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
  return object === undefined || !isVisible(kind, object, turn.view) ? notFound(kind, uuid, turn) : answer(object);
}

function answerCollection(kind: string, turn: StoreTurn): SimulatedAnswer {
  switch (turn.request.method) {
    case 'GET':
      return success(answerPage(kind, turn));
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
  const current = objects === undefined ? turn.store.get(kind, uuid) : turn.store.find(uuid, objects);
  if (current === undefined || !isVisible(kind, current, turn.view)) return notFound(kind, uuid, turn);
  const allowed = turn.documented ? ['PUT', 'DELETE'] : ['GET', 'PUT', 'PATCH', 'DELETE'];
  if (!allowed.includes(method)) return notAllowed(turn, allowed.join(', '));
  return WRITES[method]?.(kind, current, turn) ?? success(shown(kind, current, turn));
}

const WRITES: Readonly<Record<string, (kind: string, current: JsonObject, turn: StoreTurn) => SimulatedAnswer>> = {
  PUT: replace,
  PATCH: patch,
  DELETE: remove,
};

/** GET, PUT and PATCH of an object that a controller has exactly once. */
function answerSingle(path: string, kind: string, turn: StoreTurn): SimulatedAnswer {
  const { request, store, behaviour, documented } = turn;
  const { state } = store;
  addSingleObject(store, kind, path);
  const url = `${request.base}${path}`;
  const show = (object: JsonObject, names: boolean): JsonObject => ({
    ...rendered(kind, object, names, turn),
    ...(!documented && { url }),
  });
  if (request.method === 'GET') {
    if (behaviour.unreadable !== undefined) return notAllowed(turn, 'PUT', behaviour.unreadable);
    return success(show(state.singleton(path).read(), asksForNames(turn)));
  }
  const isPatch = request.method === 'PATCH' && !documented;
  if (request.method !== 'PUT' && !isPatch) return notAllowed(turn, documented ? 'GET, PUT' : 'GET, PUT, PATCH');
  const { current } = state.singleton(path);
  const given = isPatch ? patchedByRequest(kind, current, turn) : readBody(request);
  requireFresh(given, current, turn);
  const prepared = documented ? documentedSingle(path, given) : prepare(kind, given, current, turn);
  const uuid = current['uuid'] ?? 'default';
  const resulting = { ...prepared, uuid, _last_modified: state.stamp(), ...(documented && { url }) };
  state.setSingleton(path, resulting, behaviour.lag);
  // The API document allows both, so a client sees both: 201 for the first write.
  const status = documented && current['url'] === undefined ? 201 : 200;
  return success(show(resulting, turn.dialect.references !== undefined), status);
}

function notFound(kind: string, uuid: string, { store, documented }: StoreTurn): SimulatedAnswer {
  const why = documented ? `${store.title(kind)} object ${uuid} not found.` : `${store.title(kind)} object not found!`;
  return errorAnswer(404, why);
}

function notAllowed({ request, documented }: StoreTurn, allow: string, status = 405): SimulatedAnswer {
  if (documented) return errorAnswer(status, `Method "${request.method}" not allowed.`, { allow });
  return { status, headers: { allow }, body: { detail: `Method '${request.method}' not allowed.` } };
}
