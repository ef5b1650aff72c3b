import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_DIALECT, DIALECTS, type Dialect } from '../../src/core/model/dialect.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import { isJsonObject, type JsonObject } from '../../src/simulator/protocol/exchange.js';

/** The operations: create an object, update one or the system configuration, delete one. */
export type Errand = 'create' | 'update' | 'system' | 'remove' | 'patch';

/** The objects of a matrix. */
export interface Subject {
  readonly dialect: Dialect;
  readonly variables: Mapping;
  /** The modules that carry out each errand. */
  readonly forms: Readonly<Partial<Record<Errand, readonly string[]>>>;
  /** Runs the module that the variable `form` names, and checks if `check` says so. */
  readonly playbook: string;
  readonly collection: string;
  /** Other objects with similar names, which a loose filter would match. */
  readonly others: readonly JsonObject[];
  readonly object: JsonObject;
  readonly configuration: JsonObject;
  /** Whether the object is as declared, and nothing else in it is lost. */
  readonly isUpdated: (object: JsonObject) => boolean;
  /** Whether the configuration still has what no task declares. */
  readonly keeps: (configuration: JsonObject) => boolean;
  /** The same words for every errand: `read` and `write` for its requests, `it` for its object. */
  readonly plain: (message: string) => string;
}

export const SYSTEM = '/api/systemconfiguration';
const DNS = { search_domain: 'before.example', server_list: [{ type: 'V4', addr: '10.0.0.53' }] };

export const GENERIC: Subject = {
  dialect: DEFAULT_DIALECT,
  variables: {},
  forms: {
    create: ['cloud_present', 'resource_present with a name'],
    update: ['cloud_present', 'resource_present with a name'],
    system: ['system_config', 'resource_present'],
    remove: ['cloud_absent', 'resource_absent'],
  },
  playbook: `
- hosts: all
  tasks:
    - { cloud_present: { name: edge, mtu: 9000 }, when: form == 'cloud_present', check_mode: '{{check}}' }
    - resource_present: { path: /api/cloud/, name: edge, properties: { mtu: 9000 } }
      when: form == 'resource_present with a name'
      check_mode: '{{check}}'
    - system_config: { dns_configuration: { search_domain: after.example } }
      when: form == 'system_config'
      check_mode: '{{check}}'
    - resource_present: { path: /api/systemconfiguration, properties: { dns_configuration: { search_domain: after.example } } }
      when: form == 'resource_present'
      check_mode: '{{check}}'
    - { cloud_absent: { name: edge }, when: form == 'cloud_absent', check_mode: '{{check}}' }
    - { resource_absent: { path: /api/cloud/, name: edge }, when: form == 'resource_absent', check_mode: '{{check}}' }
`,
  collection: '/api/cloud/',
  others: [
    { name: 'edge-1', uuid: 'cloud-1' },
    { name: 'EDGE', uuid: 'cloud-2' },
  ],
  object: { name: 'edge', uuid: 'cloud-3', mtu: 1400, site: 'kept' },
  configuration: {
    dns_configuration: DNS,
    portal_configuration: { http_port: 8080, allow_basic_authentication: true, enable_https: true },
    vendor_field: 'kept',
  },
  isUpdated: ({ mtu, site }) => mtu === 9000 && site === 'kept',
  keeps: (configuration) => configuration['vendor_field'] === 'kept',
  plain: (message) =>
    message
      .replace(/(?:cloud|\/api\/cloud\/) "edge"|system configuration|(?<!PUT )\/api\/systemconfiguration(?= )/, 'it')
      .replaceAll(/GET \/api\/(?:cloud\/\?name=edge|systemconfiguration)/g, 'read')
      .replaceAll(
        /(?:POST \/api\/cloud\/|(?:PUT|DELETE) \/api\/cloud\/cloud-3|PUT \/api\/systemconfiguration)(?=:)/g,
        'write',
      ),
};

const POOL = {
  _last_modified: '1',
  uuid: 'pool-3',
  name: 'edge',
  tenant_ref: '/api/tenant/admin',
  description: 'kept',
};

/** Signs in with a session, and refers to other objects by name. */
export const AVI: Subject = {
  dialect: DIALECTS.get('avi') ?? DEFAULT_DIALECT,
  variables: { controller_dialect: 'avi', controller_auth: 'session' },
  forms: {
    create: ['pool_present'],
    update: ['pool_present'],
    system: ['system_config'],
    remove: ['pool_absent'],
    patch: ['api_request'],
  },
  playbook: `
- hosts: all
  tasks:
    - pool_present: { name: edge, default_server_port: 8080, health_monitor_refs: [System-TCP] }
      when: form == 'pool_present'
      check_mode: '{{check}}'
    - system_config: { dns_configuration: { search_domain: after.example } }
      when: form == 'system_config'
      check_mode: '{{check}}'
    - { pool_absent: { name: edge }, when: form == 'pool_absent', check_mode: '{{check}}' }
    - api_request: { method: PATCH, path: /api/pool/pool-3, body: { replace: { default_server_port: 8080 } } }
      when: form == 'api_request'
      check_mode: '{{check}}'
`,
  collection: '/api/pool/',
  others: [{ uuid: 'pool-1', name: 'EDGE', tenant_ref: '/api/tenant/admin' }],
  object: { ...POOL, default_server_port: 80 },
  configuration: {
    uuid: 'default',
    _last_modified: '1',
    dns_configuration: DNS,
    portal_configuration: { allow_basic_authentication: false, enable_https: true },
    linux_configuration: { motd: 'kept' },
  },
  isUpdated: (object) => object['default_server_port'] === 8080 && object['description'] === 'kept',
  keeps: ({ linux_configuration: linux }) => isJsonObject(linux) && linux['motd'] === 'kept',
  plain: (message) =>
    message
      .replace(/pool "edge"|system configuration|(?<!PUT )\/api\/systemconfiguration(?= )/, 'it')
      .replaceAll(/GET \/api\/(?:pool\?name=edge(?:&include_name)?|systemconfiguration)/g, 'read')
      .replaceAll('GET /api/healthmonitor?page_size=200', 'list')
      .replaceAll('POST /login', 'sign-in')
      .replace(/^PATCH \S+ answered 200$/, '')
      .replaceAll(
        /(?:POST \/api\/pool|(?:PUT|PATCH|DELETE) \/api\/pool\/pool-3|PUT \/api\/systemconfiguration)(?=:| )/g,
        'write',
      ),
};

/**
 * `before`: untouched. `after`: as declared, and nothing else lost. `bare`: as declared, but undeclared fields are lost. Anything else is
 * `broken`.
 */
export function stateOf(
  subject: Subject,
  errand: Errand,
  controller: SimulatedController,
): 'before' | 'after' | 'bare' | 'broken' {
  if (errand === 'system') return systemState(subject, controller.object(SYSTEM));
  const [found] = namesakes(subject, controller);
  if (errand === 'remove' && found === undefined) return 'after';
  if (errand === 'create' && found === undefined) return 'before';
  if (found === undefined) return 'broken';
  if (errand !== 'create' && isDeepStrictEqual(unstamped(found), unstamped(subject.object))) return 'before';
  return subject.isUpdated(errand === 'create' ? { ...subject.object, ...found } : found) ? 'after' : 'broken';
}

function systemState({ configuration, keeps }: Subject, now: JsonObject): 'before' | 'after' | 'bare' | 'broken' {
  if (isDeepStrictEqual(unstamped(now), unstamped(configuration))) return 'before';
  const { dns_configuration: dns } = now;
  if (isDeepStrictEqual(dns, { ...DNS, search_domain: 'after.example' }) && keeps(now)) return 'after';
  return isDeepStrictEqual(dns, { search_domain: 'after.example' }) && !keeps(now) ? 'bare' : 'broken';
}

function unstamped(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== '_last_modified'));
}

export const namesakes = ({ collection, object }: Subject, controller: SimulatedController): readonly JsonObject[] =>
  controller.objects(collection).filter(({ name }) => name === object['name']);
