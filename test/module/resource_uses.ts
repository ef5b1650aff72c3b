import type { Mapping } from '../../src/model/value.js';

/** One way to use a resource module, and where its object is. */
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
}

const DNS = { search_domain: 'example.com', server_list: [{ type: 'V4', addr: '10.0.0.53' }] };
const OTHER_DNS = { search_domain: 'example.org', server_list: [{ type: 'V4', addr: '10.0.1.53' }] };

/** Every resource module that comes with Evenkeel is held to the contract with these. */
export const USES: readonly Use[] = [
  {
    title: 'cloud_present',
    module: 'cloud_present',
    declare: (fields) => ({ name: 'edge', ...fields }),
    fields: { vtype: 'CLOUD_NONE', mtu: 9000 },
    otherFields: { mtu: 1400, custom_tags: [{ tag_key: 'site', tag_val: 'fra' }] },
    path: '/api/cloud/',
    name: 'edge',
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
  },
  {
    title: 'resource_present in a collection',
    module: 'resource_present',
    declare: (fields) => ({ path: '/api/pool/', name: 'web', properties: fields }),
    fields: { default_server_port: 80, servers: [{ ip: { type: 'V4', addr: '10.1.0.1' } }] },
    otherFields: { default_server_port: 8080 },
    path: '/api/pool/',
    name: 'web',
  },
  {
    title: 'resource_present of a single object',
    module: 'resource_present',
    declare: (fields) => ({ path: '/api/systemconfiguration', properties: fields }),
    fields: { dns_configuration: DNS },
    otherFields: { dns_configuration: OTHER_DNS },
    path: '/api/systemconfiguration',
  },
];
