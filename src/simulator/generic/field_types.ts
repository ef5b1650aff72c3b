import { isJsonList, isJsonObject, type SimulatedJson } from '../protocol/json.js';

/** The types of known fields: a list holds the shape of its elements; fields that are not named may hold anything. */
export type Shape = 'string' | 'boolean' | 'integer' | readonly [Shape] | { readonly [field: string]: Shape };

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
export function firstMismatch(value: SimulatedJson, shape: Shape, path = ''): string | undefined {
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
