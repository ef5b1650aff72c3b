import type { JsonObject } from '../protocol/exchange.js';
import { SYSTEM_CONFIGURATION } from '../state/controller_state.js';
import { FRESH_SYSTEM_CONFIGURATION } from '../state/defaults.js';
import { ADMIN_TENANT, referenceTo, type ObjectStore } from './object_store.js';
import { smallestObject, withStructureDefaults } from './structure.js';

/** Adds the objects that every controller has from the start. */
export function addInitialObjects(store: ObjectStore, defaultCloud: string, basicAllowed: boolean): void {
  addSingleObjects(store, basicAllowed);
  if (store.all('tenant').length > 0) return;
  add(store, 'tenant', { uuid: 'admin', name: 'admin', local: true });
  const cloud = add(store, 'cloud', { name: defaultCloud, vtype: 'CLOUD_NONE', tenant_ref: ADMIN_TENANT });
  for (const [kind, object] of cloudChildren(cloud)) add(store, kind, object);
  for (const [kind, objects] of Object.entries(INITIAL)) {
    const tenant = store.kind(kind)?.scope === 'controller' ? {} : { tenant_ref: ADMIN_TENANT };
    for (const [name, fields] of Object.entries(objects)) add(store, kind, { name, ...tenant, ...fields });
  }
  const config = smallestPart(store, 'wafprofile', 'config');
  const profile = add(store, 'wafprofile', { name: 'System-WAF-Profile', tenant_ref: ADMIN_TENANT, config });
  const rules = { mode: 'WAF_MODE_DETECTION_ONLY', waf_profile_ref: referenceTo('wafprofile', profile) };
  add(store, 'wafpolicy', { name: 'System-WAF-Policy', tenant_ref: ADMIN_TENANT, ...rules });
}

function smallestPart(store: ObjectStore, kind: string, field: string): JsonObject {
  const structure = store.kind(kind)?.structure.fields.get(field)?.structure;
  return structure === undefined ? {} : smallestObject(structure);
}

/** Adds the only object of a kind that a controller has once, when it is asked for. */
export function addSingleObject(store: ObjectStore, kind: string, path: string): void {
  const structure = store.kind(kind)?.structure;
  if (structure === undefined || store.state.hasSingleton(path)) return;
  const stamp = store.state.stamp();
  store.state.setSingleton(path, { ...smallestObject(structure), uuid: 'default', _last_modified: stamp });
}

/** Adds a tenant, unless it exists. */
export function addTenant(store: ObjectStore, name: string): void {
  if (!store.all('tenant').some((tenant) => tenant['name'] === name)) add(store, 'tenant', { name });
}

function add(store: ObjectStore, kind: string, object: JsonObject): JsonObject {
  const structure = store.kind(kind)?.structure;
  return store.add(kind, structure === undefined ? object : withStructureDefaults(object, structure));
}

function addSingleObjects({ state }: ObjectStore, basicAllowed: boolean): void {
  const { portal_configuration: portal, ...others } = FRESH_SYSTEM_CONFIGURATION;
  const portalSettings = { ...portal, allow_basic_authentication: basicAllowed };
  const initial: Readonly<Record<string, JsonObject>> = {
    [SYSTEM_CONFIGURATION]: { ...others, portal_configuration: portalSettings },
    '/api/cluster': {
      name: 'cluster-0-1',
      tenant_ref: ADMIN_TENANT,
      nodes: [{ name: 'node1', ip: { type: 'V4', addr: '127.0.0.1' } }],
    },
  };
  for (const [path, object] of Object.entries(initial)) {
    if (!state.hasSingleton(path))
      state.setSingleton(path, { ...object, uuid: 'default', _last_modified: state.stamp() });
  }
}

const VCENTER = 'CLOUD_VCENTER';

/** The objects that each cloud has from the start, by kind. */
export function cloudChildren(cloud: JsonObject): readonly (readonly [kind: string, object: JsonObject])[] {
  const scope = { cloud_ref: referenceTo('cloud', cloud), tenant_ref: ADMIN_TENANT };
  return [
    ['serviceenginegroup', { name: 'Default-Group', ...scope }],
    ['vrfcontext', { name: 'global', system_default: true, ...scope }],
    ['vrfcontext', { name: 'management', system_default: true, ...scope }],
    ...(cloud['vtype'] === VCENTER ? [['network', { name: 'VM Network', ...scope }] as const] : []),
  ];
}

/** Whether an object exists from the start, and cannot be deleted. */
export function isBuiltIn(kind: string, { name }: JsonObject): boolean {
  return typeof name === 'string' && (name.startsWith('System-') || BUILT_IN.get(kind)?.has(name) === true);
}

const BUILT_IN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['tenant', new Set(['admin'])],
  ['user', new Set(['admin'])],
  ['cloud', new Set(['Default-Cloud'])],
  ['serviceenginegroup', new Set(['Default-Group'])],
  ['vrfcontext', new Set(['global', 'management'])],
  ['network', new Set(['VM Network'])],
  ['backupconfiguration', new Set(['Backup-Configuration'])],
]);

/** By kind and name. */
const INITIAL: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  healthmonitor: {
    'System-HTTP': { type: 'HEALTH_MONITOR_HTTP', http_monitor: { http_request: 'HEAD / HTTP/1.0' } },
    'System-HTTPS': { type: 'HEALTH_MONITOR_HTTPS', https_monitor: { http_request: 'HEAD / HTTP/1.0' } },
    'System-Ping': { type: 'HEALTH_MONITOR_PING' },
    'System-TCP': { type: 'HEALTH_MONITOR_TCP' },
    'System-UDP': { type: 'HEALTH_MONITOR_UDP' },
    'System-DNS': { type: 'HEALTH_MONITOR_DNS' },
    'System-Xternal-Shell': { type: 'HEALTH_MONITOR_EXTERNAL' },
  },
  applicationprofile: {
    'System-HTTP': { type: 'APPLICATION_PROFILE_TYPE_HTTP' },
    'System-Secure-HTTP': { type: 'APPLICATION_PROFILE_TYPE_HTTP' },
    'System-L4-Application': { type: 'APPLICATION_PROFILE_TYPE_L4' },
    'System-SSL-Application': { type: 'APPLICATION_PROFILE_TYPE_SSL' },
    'System-DNS': { type: 'APPLICATION_PROFILE_TYPE_DNS' },
    'System-Syslog': { type: 'APPLICATION_PROFILE_TYPE_SYSLOG' },
  },
  networkprofile: {
    'System-TCP-Proxy': { profile: { type: 'PROTOCOL_TYPE_TCP_PROXY' } },
    'System-TCP-Fast-Path': { profile: { type: 'PROTOCOL_TYPE_TCP_FAST_PATH' } },
    'System-UDP-Fast-Path': { profile: { type: 'PROTOCOL_TYPE_UDP_FAST_PATH' } },
    'System-UDP-Per-Pkt': { profile: { type: 'PROTOCOL_TYPE_UDP_FAST_PATH' } },
  },
  applicationpersistenceprofile: {
    'System-Persistence-Client-IP': { persistence_type: 'PERSISTENCE_TYPE_CLIENT_IP_ADDRESS' },
    'System-Persistence-Http-Cookie': { persistence_type: 'PERSISTENCE_TYPE_HTTP_COOKIE' },
    'System-Persistence-Custom-Http-Header': { persistence_type: 'PERSISTENCE_TYPE_CUSTOM_HTTP_HEADER' },
    'System-Persistence-App-Cookie': { persistence_type: 'PERSISTENCE_TYPE_APP_COOKIE' },
    'System-Persistence-TLS': { persistence_type: 'PERSISTENCE_TYPE_TLS' },
  },
  sslprofile: { 'System-Standard': {}, 'System-Standard-Portal': {} },
  sslkeyandcertificate: {
    'System-Default-Cert': { certificate: { subject: { common_name: 'System Default Cert' } } },
    'System-Default-Cert-EC': { certificate: { subject: { common_name: 'System Default EC Cert' } } },
    'System-Default-Portal-Cert': { certificate: { subject: { common_name: 'System Default Portal Cert' } } },
  },
  analyticsprofile: { 'System-Analytics-Profile': {} },
  stringgroup: {
    'System-Compressible-Content-Types': { type: 'SG_TYPE_STRING' },
    'System-Cacheable-Resource-Types': { type: 'SG_TYPE_STRING' },
  },
  role: { 'System-Admin': {}, 'Tenant-Admin': {}, 'Application-Admin': {}, 'Application-Operator': {} },
  user: { admin: { username: 'admin', full_name: 'System Administrator', is_superuser: true } },
  useraccountprofile: { 'Default-User-Account-Profile': {}, 'No-Lockout-User-Account-Profile': {} },
  backupconfiguration: { 'Backup-Configuration': { save_local: true } },
};
