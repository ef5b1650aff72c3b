import type { Behaviour } from '../behaviour/behaviour.js';
import {
  ok,
  refusal,
  refused,
  type OrRefusal,
  type SimulatedAnswer,
  type SimulatedRequest,
} from '../protocol/exchange.js';
import { isJsonList, isJsonObject, type SimulatedJson, parseJson, type JsonObject } from '../protocol/json.js';

/** The types of known fields: a list holds the shape of its elements; fields that are not named may hold anything. */
type Shape = 'string' | 'boolean' | 'integer' | readonly [Shape] | { readonly [field: string]: Shape };

const ADDRESS: Shape = { type: 'string', addr: 'string' };

/** Any collection's object (API document, 2.1). */
export const OBJECT_SHAPE: Shape = { name: 'string', uuid: 'string' };

/** API document, 2.3. */
export const SYSTEM_CONFIGURATION_SHAPE: Shape = {
  dns_configuration: { search_domain: 'string', server_list: [ADDRESS] },
  ntp_configuration: { ntp_servers: [{ server: ADDRESS }] },
  portal_configuration: {
    password_strength_check: 'boolean',
    use_uuid_from_input: 'boolean',
    redirect_to_https: 'boolean',
    enable_clickjacking_protection: 'boolean',
    enable_https: 'boolean',
    disable_remote_cli_shell: 'boolean',
    http_port: 'integer',
    enable_http: 'boolean',
    allow_basic_authentication: 'boolean',
  },
};

/** A sentence about the first field whose type is wrong, or undefined: `dns_configuration.server_list must be a list.` */
function firstMismatch(value: SimulatedJson, shape: Shape, path = ''): string | undefined {
  if (typeof shape === 'string') return isScalar(value, shape) ? undefined : wrong(path, `of type ${shape}`);
  if (isListShape(shape)) {
    if (!isJsonList(value)) return wrong(path, 'a list');
    return first(value.entries(), ([index, element]) => firstMismatch(element, shape[0], `${path}[${index}]`));
  }
  if (!isJsonObject(value)) return wrong(path, 'an object');
  return first(Object.entries(shape), ([field, inner]) => {
    const given = value[field];
    return given === undefined ? undefined : firstMismatch(given, inner, path === '' ? field : `${path}.${field}`);
  });
}

function isListShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isScalar(value: SimulatedJson, type: 'string' | 'boolean' | 'integer'): boolean {
  return type === 'integer' ? typeof value === 'bigint' || Number.isInteger(value) : typeof value === type;
}

function wrong(path: string, kind: string): string {
  return `${path} must be ${kind}.`;
}

function first<T>(items: Iterable<T>, check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = check(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The JSON object in a write's body, or why it is invalid. Fields of the API document must have its types. */
export function readBody(request: SimulatedRequest, shape: Shape): OrRefusal<JsonObject> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refused(415, 'The body must be application/json.');
  }
  const parsed = parseJson(request.body);
  if (parsed === undefined) return refused(400, 'The body is not valid JSON.');
  if (!isJsonObject(parsed)) return refused(400, 'The body must be a JSON object.');
  const mismatch = firstMismatch(parsed, shape);
  return mismatch === undefined ? ok(parsed) : refused(400, mismatch);
}

/** 412 if the client read an older state than the one it would replace, on controllers that check this. */
export function refuseStale(body: JsonObject, present: JsonObject, behaviour: Behaviour): SimulatedAnswer | undefined {
  const given = body['_last_modified'];
  if (behaviour.locking !== true || given === undefined || given === present['_last_modified']) return undefined;
  return refusal(412, 'Concurrent update: the object was changed since it was read.');
}
