import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  tryReadJson,
  requestRejected,
  type RequestRejected,
  type SimulatedJson,
  type SimulatedRequest,
} from '../protocol/exchange.js';
import { SYSTEM_CONFIGURATION } from '../state/controller_state.js';
import { CLOUD_DEFAULTS, SYSTEM_CONFIGURATION_DEFAULTS, withDefaults } from '../state/defaults.js';

/** The types of known fields: a list holds the shape of its elements; fields that are not named may hold anything. */
type Shape = 'string' | 'boolean' | 'integer' | readonly [Shape] | { readonly [field: string]: Shape };

const ADDRESS: Shape = { type: 'string', addr: 'string' };

/** Any collection's object (API document, 2.1). */
const OBJECT_SHAPE: Shape = { name: 'string', uuid: 'string' };

/** API document, 2.3. */
const SYSTEM_CONFIGURATION_SHAPE: Shape = {
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

/** Refuses the first field whose type is wrong: `dns_configuration.server_list must be a list.` */
function requireShape(value: SimulatedJson, shape: Shape, path = ''): void {
  if (typeof shape === 'string') {
    if (!isScalar(value, shape)) throw wrong(path, `of type ${shape}`);
  } else if (isListShape(shape)) {
    if (!isJsonList(value)) throw wrong(path, 'a list');
    for (const [index, element] of value.entries()) requireShape(element, shape[0], `${path}[${index}]`);
  } else {
    if (!isJsonObject(value)) throw wrong(path, 'an object');
    for (const [field, inner] of Object.entries(shape)) {
      const given = value[field];
      if (given !== undefined) requireShape(given, inner, path === '' ? field : `${path}.${field}`);
    }
  }
}

function isListShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isScalar(value: SimulatedJson, type: 'string' | 'boolean' | 'integer'): boolean {
  return type === 'integer' ? typeof value === 'bigint' || Number.isInteger(value) : typeof value === type;
}

function wrong(path: string, kind: string): RequestRejected {
  return requestRejected(400, `${path} must be ${kind}.`);
}

/** The JSON object in a write's body. */
export function readBody({ headers, body }: SimulatedRequest): JsonObject {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw requestRejected(415, 'The body must be application/json.');
  const parsed = tryReadJson(body);
  if (parsed === undefined) throw requestRejected(400, 'The body is not valid JSON.');
  if (!isJsonObject(parsed)) throw requestRejected(400, 'The body must be a JSON object.');
  return parsed;
}

/** An object of a collection with the defaults that it gets, by the API document. */
export function documentedObject(kind: string, given: JsonObject, isNew: boolean): JsonObject {
  requireShape(given, OBJECT_SHAPE);
  if (isNew && given['uuid'] !== undefined)
    throw requestRejected(400, 'uuid is made by the controller and must not be sent.');
  if (given['name'] === undefined || given['name'] === '') throw requestRejected(400, 'name is required.');
  return kind === 'cloud' ? withDefaults(given, CLOUD_DEFAULTS) : given;
}

/** The same for an object without a uuid in its path. */
export function documentedSingle(path: string, given: JsonObject): JsonObject {
  if (path !== SYSTEM_CONFIGURATION) return given;
  requireShape(given, SYSTEM_CONFIGURATION_SHAPE);
  return withDefaults(given, SYSTEM_CONFIGURATION_DEFAULTS);
}
