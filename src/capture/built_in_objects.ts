/** What controllers of the dialects with tenants have from the start, besides `System-…`. */
const NAMES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
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
  return name.startsWith('System-') || NAMES.get(kind)?.has(name) === true;
}
