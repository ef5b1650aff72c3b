import type { Mapping } from '../../src/core/model/values/value.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';

/** One use of a resource module, and the location of its object. */
export interface Use {
  readonly title: string;
  readonly module: string;
  /** Arguments that declare these fields of the object. */
  readonly declare: (fields: Mapping) => Mapping;
  readonly fields: Mapping;
  readonly otherFields: Mapping;
  /** The collection and the name in it; a singleton has no name. */
  readonly path: string;
  readonly name?: string;
  /** The name of the object in messages, from `object` of the module. */
  readonly object: string;
  /** The lines that a rollback from `otherFields` to `fields` shows in its preview. */
  readonly preview: readonly string[];
  /** Fields that strict controllers accept, too, and that `fields` and `otherFields` do not contain. */
  readonly byHand: JsonObject;
  /** Such fields with a secret. Undefined: the object has no secrets. */
  readonly withSecret?: (secret: string) => Mapping;
  /** The code of a project module. */
  readonly source?: string;
}

const ofCloud = {
  byHand: { obj_name_prefix: 'hand' },
  withSecret: (password: string): Mapping => ({
    vcenter_configuration: { privilege: 'WRITE_ACCESS', username: 'u', password },
  }),
};
const ofSystem = {
  byHand: { host_key_algorithm_exclude: 'ssh-dss' },
  withSecret: (auth_password: string): Mapping => ({
    email_configuration: { smtp_type: 'SMTP_ANONYMOUS_SERVER', auth_password },
  }),
};
const ofPool = { byHand: { description: 'by hand' } };

const DNS = { search_domain: 'example.com', server_list: [{ type: 'V4', addr: '10.0.0.53' }] };
const OTHER_DNS = { search_domain: 'example.org', server_list: [{ type: 'V4', addr: '10.0.1.53' }] };

/** The uses that test the contract of built-in resource modules. One module represents those from the table of kinds. */
export const USES: readonly Use[] = [
  {
    title: 'cloud_present',
    module: 'cloud_present',
    declare: (fields) => ({ name: 'edge', ...fields }),
    fields: { vtype: 'CLOUD_NONE', mtu: 9000 },
    otherFields: { mtu: 1400, custom_tags: [{ tag_key: 'site', tag_val: 'fra' }] },
    path: '/api/cloud/',
    name: 'edge',
    object: 'cloud "edge"',
    preview: ['- mtu: 1400', '+ mtu: 9000'],
    ...ofCloud,
  },
  {
    title: 'system_config',
    module: 'system_config',
    declare: (fields) => fields,
    fields: {
      dns_configuration: DNS,
      ntp_configuration: { ntp_servers: [{ server: { type: 'DNS', addr: 'ntp.example.com' } }] },
    },
    otherFields: { dns_configuration: OTHER_DNS, portal_configuration: { http_port: 8080 } },
    path: '/api/systemconfiguration',
    object: 'system configuration',
    preview: ['- dns_configuration.search_domain: example.org', '+ dns_configuration.search_domain: example.com'],
    ...ofSystem,
  },
  {
    title: 'resource_present in a collection',
    module: 'resource_present',
    declare: (fields) => ({ path: '/api/pool/', name: 'web', properties: fields }),
    fields: { default_server_port: 80, servers: [{ ip: { type: 'V4', addr: '10.1.0.1' } }] },
    otherFields: { default_server_port: 8080 },
    path: '/api/pool/',
    name: 'web',
    object: '/api/pool/ "web"',
    preview: ['- default_server_port: 8080', '+ default_server_port: 80'],
    ...ofPool,
  },
  {
    title: 'resource_present of a single object',
    module: 'resource_present',
    declare: (fields) => ({ path: '/api/systemconfiguration', properties: fields }),
    fields: { dns_configuration: DNS },
    otherFields: { dns_configuration: OTHER_DNS },
    path: '/api/systemconfiguration',
    object: '/api/systemconfiguration',
    preview: ['- dns_configuration.search_domain: example.org', '+ dns_configuration.search_domain: example.com'],
    ...ofSystem,
  },
  {
    title: 'pool_present',
    module: 'pool_present',
    declare: (fields) => ({ name: 'web', ...fields }),
    fields: { default_server_port: 80, servers: [{ ip: { type: 'V4', addr: '10.1.0.1' } }] },
    otherFields: { default_server_port: 8080 },
    path: '/api/pool/',
    name: 'web',
    object: 'pool "web"',
    preview: ['- default_server_port: 8080', '+ default_server_port: 80'],
    ...ofPool,
  },
];

/** One use of a module that deletes an object. */
export interface AbsentUse {
  readonly title: string;
  readonly module: string;
  readonly args: Mapping;
  /** The fields of the object before. */
  readonly fields: JsonObject;
  readonly path: string;
  readonly name: string;
  readonly object: string;
}

export const ABSENT_USES: readonly AbsentUse[] = [
  {
    title: 'cloud_absent',
    module: 'cloud_absent',
    args: { name: 'edge' },
    fields: { vtype: 'CLOUD_NONE', mtu: 1400, custom_tags: [{ tag_key: 'site', tag_val: 'fra' }] },
    path: '/api/cloud/',
    name: 'edge',
    object: 'cloud "edge"',
  },
  {
    title: 'resource_absent',
    module: 'resource_absent',
    args: { path: '/api/pool', name: 'web' },
    fields: { default_server_port: 80, servers: [{ ip: { type: 'V4', addr: '10.1.0.1' }, enabled: true, ratio: 1 }] },
    path: '/api/pool/',
    name: 'web',
    object: '/api/pool/ "web"',
  },
  {
    title: 'pool_absent',
    module: 'pool_absent',
    args: { name: 'web' },
    fields: { default_server_port: 80, servers: [{ ip: { type: 'V4', addr: '10.1.0.1' }, enabled: true, ratio: 1 }] },
    path: '/api/pool/',
    name: 'web',
    object: 'pool "web"',
  },
];

/** A module whose `read` returns a list of an unrelated object and its own one, and whose changes contain only declared fields. */
const OWN_MEMBER = `
export default {
  type: 'resource',
  name: 'own_member',
  summary: 'a pool',
  args: { type: 'object', properties: { pool: { type: 'string' }, fields: { type: 'object' } }, required: ['pool', 'fields'] },
  examples: [],
  object: ({ pool }) => 'pool "' + pool + '"',
  read: async ({ pool }, reader) => [await reader.single('/api/systemconfiguration'), await reader.find('/api/pool/', pool)],
  plan: ({ pool, fields }, [, found]) => {
    const object = 'pool "' + pool + '"';
    if (found === undefined) return { change: { kind: 'create', object, before: null, after: { name: pool, ...fields } } };
    const differing = Object.keys(fields).filter((name) => JSON.stringify(found[name]) !== JSON.stringify(fields[name]));
    if (differing.length === 0) return { change: { kind: 'none' } };
    const only = (from) => Object.fromEntries(differing.flatMap((name) => (name in from ? [[name, from[name]]] : [])));
    return { change: { kind: 'update', object, before: only(found), after: only(fields) } };
  },
  apply: async ({ pool, fields }, { change }, [, found], writer) => {
    if (change.kind === 'create') await writer.create('/api/pool/', pool, change.after);
    else await writer.replace('/api/pool/' + found.uuid, { ...found, ...fields });
  },
};
`;

/** A module whose `read` returns a text. */
const OWN_SINGLE = `
const PATH = '/api/systemconfiguration';
export default {
  type: 'resource',
  name: 'own_single',
  summary: 'the message of the day',
  args: { type: 'object', properties: { motd: { type: 'string' } }, required: ['motd'] },
  examples: [],
  object: () => 'message of the day',
  read: async (_, reader) => JSON.stringify((await reader.single(PATH)).object),
  plan: ({ motd }, observed) => {
    const { linux_configuration: { motd: now = '' } = {} } = JSON.parse(observed);
    if (now === motd) return { change: { kind: 'none' } };
    return { change: { kind: 'update', object: 'message of the day', before: { motd: now }, after: { motd } } };
  },
  apply: (_, { change }, observed, writer) => {
    const { linux_configuration, ...others } = JSON.parse(observed);
    return writer.replace(PATH, { ...others, linux_configuration: { ...linux_configuration, ...change.after } });
  },
};
`;

/** Uses of project modules whose `read` does not return the object itself. */
export const OWN_USES: readonly Use[] = [
  {
    title: 'a project module that reads a list',
    module: 'own_member',
    declare: (fields) => ({ pool: 'web', fields }),
    fields: { default_server_port: 80 },
    otherFields: {
      default_server_port: 8080,
      servers: [{ ip: { type: 'V4', addr: '10.1.0.1' }, enabled: true, ratio: 1 }],
    },
    path: '/api/pool/',
    name: 'web',
    object: 'pool "web"',
    preview: ['- default_server_port: 8080', '+ default_server_port: 80'],
    ...ofPool,
    source: OWN_MEMBER,
  },
  {
    title: 'a project module that reads a text',
    module: 'own_single',
    declare: (fields) => fields,
    fields: { motd: 'be kind' },
    otherFields: { motd: 'be quick' },
    path: '/api/systemconfiguration',
    object: 'message of the day',
    preview: ['- linux_configuration.motd: be quick', '+ linux_configuration.motd: be kind'],
    ...ofSystem,
    source: OWN_SINGLE,
  },
];
