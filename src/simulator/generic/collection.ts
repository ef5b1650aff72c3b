import { randomUUID } from 'node:crypto';
import type { Behaviour } from '../behaviour/behaviour.js';
import { refusal, type SimulatedAnswer, type SimulatedRequest, success } from '../protocol/exchange.js';
import type { JsonObject } from '../protocol/json.js';
import type { SimulatedState } from '../state/controller_state.js';
import { CLOUD_DEFAULTS, withDefaults } from '../state/defaults.js';
import { OBJECT_SHAPE, readBody, refuseStale } from './field_types.js';

/** GET and POST of `/api/NAME/` (API document, section 4). */
export function answerCollection(
  path: string,
  request: SimulatedRequest,
  state: SimulatedState,
  behaviour: Behaviour,
): SimulatedAnswer {
  switch (request.method) {
    case 'GET':
      return success(listAnswer(path, state.collection(path).read(), request, behaviour));
    case 'POST':
      return create(path, request, state, behaviour);
    default:
      return refusal(405, `Method "${request.method}" not allowed.`, { allow: 'GET, POST' });
  }
}

function create(path: string, request: SimulatedRequest, state: SimulatedState, behaviour: Behaviour): SimulatedAnswer {
  const body = readBody(request, OBJECT_SHAPE);
  if (body.status === 'refused') return body.answer;
  const { name, uuid: given } = body.value;
  if (given !== undefined) return refusal(400, 'uuid is made by the controller and must not be sent.');
  if (typeof name !== 'string' || name === '') return refusal(400, 'name is required.');
  const objects = state.collection(path).current;
  const conflict = refuseDuplicate(name, objects, path, behaviour);
  if (conflict !== undefined) return conflict;
  const uuid = `${kind(path)}-${randomUUID()}`;
  const created = complete(body.value, path, uuid, request, state);
  state.setObjects(path, [...objects, created], behaviour.lag);
  return success(created, 201);
}

/**
 * PUT of `/api/NAME/UUID`: the body replaces the object, except for the fields that the server sets. DELETE removes the object,
 * which the API document does not promise.
 */
export function answerObject(
  collection: string,
  uuid: string,
  request: SimulatedRequest,
  state: SimulatedState,
  behaviour: Behaviour,
): SimulatedAnswer {
  const objects = state.collection(collection).current;
  const present = objects.find((object) => object['uuid'] === uuid);
  if (present === undefined) return refusal(404, `${kind(collection)} object ${uuid} not found.`);
  if (request.method === 'DELETE') {
    state.setObjects(
      collection,
      objects.filter((object) => object !== present),
      behaviour.lag,
    );
    return { status: 204, headers: {}, body: undefined };
  }
  if (request.method !== 'PUT') {
    return refusal(405, `Method "${request.method}" not allowed.`, { allow: 'PUT, DELETE' });
  }
  const body = readBody(request, OBJECT_SHAPE);
  if (body.status === 'refused') return body.answer;
  const refused = refuseUpdate(body.value, present, objects, collection, behaviour);
  if (refused !== undefined) return refused;
  const updated = complete(body.value, collection, uuid, request, state);
  state.setObjects(
    collection,
    objects.map((object) => (object === present ? updated : object)),
    behaviour.lag,
  );
  return success(updated);
}

function refuseUpdate(
  body: JsonObject,
  present: JsonObject,
  objects: readonly JsonObject[],
  collection: string,
  behaviour: Behaviour,
): SimulatedAnswer | undefined {
  const { name, uuid } = body;
  if (uuid !== undefined && uuid !== present['uuid']) return refusal(400, 'uuid does not match the path.');
  if (typeof name !== 'string' || name === '') return refusal(400, 'name is required.');
  const stale = refuseStale(body, present, behaviour);
  if (stale !== undefined) return stale;
  return name === present['name'] ? undefined : refuseDuplicate(name, objects, collection, behaviour);
}

function refuseDuplicate(
  name: string,
  objects: readonly JsonObject[],
  path: string,
  behaviour: Behaviour,
): SimulatedAnswer | undefined {
  const { duplicates = 409 } = behaviour;
  if (duplicates === 'allow' || !objects.some((object) => object['name'] === name)) return undefined;
  return refusal(duplicates, `${kind(path)} object with name "${name}" already exists.`);
}

/** With defaults, as `/api/cloud/` has them, and the fields that only the server sets. */
function complete(
  body: JsonObject,
  path: string,
  uuid: string,
  request: Pick<SimulatedRequest, 'base'>,
  state: SimulatedState,
): JsonObject {
  const filled = path === '/api/cloud/' ? withDefaults(body, CLOUD_DEFAULTS) : body;
  return { ...filled, uuid, url: `${request.base}${path}${uuid}`, _last_modified: state.stamp() };
}

/** `/api/cloud/` holds objects of the kind `cloud`. */
function kind(path: string): string {
  return path.split('/').at(-2) ?? '';
}

type Filter = NonNullable<Behaviour['filter']>;

/** The list result of the API document, 2.2; filtered, cut into pages and counted as the behaviour says. */
function listAnswer(
  path: string,
  objects: readonly JsonObject[],
  request: SimulatedRequest,
  behaviour: Behaviour,
): JsonObject {
  const name = request.query.get('name');
  const passes = NAME_FILTERS[behaviour.filter ?? 'exact'];
  const matching =
    name === null ? objects : objects.filter((one) => typeof one['name'] === 'string' && passes(one['name'], name));
  const count = Math.max(0, matching.length + (behaviour.count ?? 0));
  const { paging } = behaviour;
  if (paging === undefined) return { count, results: matching };
  const page = Math.max(1, Number.parseInt(request.query.get('page') ?? '1', 10) || 1);
  const results = matching.slice((page - 1) * paging.size, page * paging.size);
  const next = page * paging.size < matching.length ? nextPage(path, page, request, paging.next) : undefined;
  return next === undefined ? { count, results } : { count, results, next };
}

/** How a list is filtered by name. */
export const NAME_FILTERS: Readonly<Record<Filter, (value: string, wanted: string) => boolean>> = {
  exact: (value, wanted) => value === wanted,
  substring: (value, wanted) => value.includes(wanted),
  'case-insensitive': (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  ignored: () => true,
};

export function nextPage(
  path: string,
  page: number,
  request: SimulatedRequest,
  next: NonNullable<Behaviour['paging']>['next'] = 'absolute',
): string | undefined {
  const query = new URLSearchParams(request.query);
  query.set('page', String(next === 'loop' ? page : page + 1));
  switch (next) {
    case 'absolute':
    case 'loop':
      return `${request.base}${path}?${query.toString()}`;
    case 'relative':
      return `${new URL(request.base).pathname.replace(/\/$/, '')}${path}?${query.toString()}`;
    case 'foreign':
      return `https://elsewhere.invalid${path}?${query.toString()}`;
    case 'missing':
      return undefined;
  }
}
