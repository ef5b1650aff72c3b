import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  ok,
  type OrRefusal,
  parseJson,
  refused,
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

/** The JSON object in a write's body, or why it is invalid. */
export function readBody({ headers, body }: SimulatedRequest): OrRefusal<JsonObject> {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    return refused(415, 'The body must be application/json.');
  }
  const parsed = parseJson(body);
  if (parsed === undefined) return refused(400, 'The body is not valid JSON.');
  return isJsonObject(parsed) ? ok(parsed) : refused(400, 'The body must be a JSON object.');
}

/** An object of a collection with the defaults that it gets; why it is not one, by the API document. */
export function documentedObject(kind: string, given: JsonObject, isNew: boolean): OrRefusal<JsonObject> {
  const mismatch = firstMismatch(given, OBJECT_SHAPE);
  if (mismatch !== undefined) return refused(400, mismatch);
  if (isNew && given['uuid'] !== undefined) return refused(400, 'uuid is made by the controller and must not be sent.');
  if (given['name'] === undefined || given['name'] === '') return refused(400, 'name is required.');
  return ok(kind === 'cloud' ? withDefaults(given, CLOUD_DEFAULTS) : given);
}

/** The same for an object without a uuid in its path. */
export function documentedSingle(path: string, given: JsonObject): OrRefusal<JsonObject> {
  if (path !== SYSTEM_CONFIGURATION) return ok(given);
  const mismatch = firstMismatch(given, SYSTEM_CONFIGURATION_SHAPE);
  return mismatch === undefined ? ok(withDefaults(given, SYSTEM_CONFIGURATION_DEFAULTS)) : refused(400, mismatch);
}
