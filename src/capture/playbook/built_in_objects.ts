import type { Mapping } from '../../core/model/values/value.js';
import type { Structure } from '../../kinds/kind_table.js';
import { isDefault, withoutDefaults } from './defaults.js';

/** Objects that controllers of dialects with tenants have from the start, besides `System-…`. */
const BUILT_IN_NAMES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    tenant: ['admin'],
    user: ['admin'],
    cloud: ['Default-Cloud'],
    serviceenginegroup: ['Default-Group'],
    vrfcontext: ['global', 'management'],
    network: ['VM Network'],
    backupconfiguration: ['Backup-Configuration'],
    role: ['Tenant-Admin', 'Application-Admin', 'Application-Operator'],
    useraccountprofile: ['Default-User-Account-Profile', 'No-Lockout-User-Account-Profile'],
  }).map(([kind, names]) => [kind, new Set(names)]),
);

export function comesWithControllers(kind: string, name: string): boolean {
  return name.startsWith('System-') || BUILT_IN_NAMES.get(kind)?.has(name) === true;
}

/** Users configure these in place, so they may be configured even if they are equal everywhere. */
const CONFIGURED_IN_PLACE: ReadonlySet<string> = new Set([
  'cloud',
  'serviceenginegroup',
  'vrfcontext',
  'network',
  'backupconfiguration',
]);

/** Fields that such an object has before it is configured. */
const INITIAL_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'cloud_ref',
  'tenant_ref',
  'system_default',
  'license_type',
  'license_tier',
]);

/** Whether an object that comes with every controller, and is equal on all of them, may be unconfigured. */
export function isUnconfigured(kind: string, fields: Mapping, structure: Structure | undefined): boolean {
  if (!CONFIGURED_IN_PLACE.has(kind)) return true;
  return Object.entries(withoutDefaults(fields, structure)).every(
    ([name, value]) => INITIAL_FIELDS.has(name) || isDefault(name, value, structure),
  );
}
