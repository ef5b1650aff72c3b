import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { directReference } from '../../core/model/run/reference.js';
import type { ControllerSession } from '../../core/model/run/session.js';
import { entry, type Mapping } from '../../core/model/values/value.js';
import type { Plan, ResourceModule } from '../../module/contract.js';

/**
 * A module that names the tenant of its objects: `cloud "a" in tenant "b"`. Without tenants, and in the default tenant, the module
 * itself.
 */
export function inTenant(
  module: ResourceModule,
  connection: { readonly settings: Pick<ConnectionSettings, 'tenant' | 'dialect'> } | undefined,
): ResourceModule {
  const { tenant, dialect } = connection?.settings ?? {};
  if (tenant === undefined || tenant === dialect?.tenants?.default) return module;
  const suffix = tenantSuffix(tenant);
  // A rollback restores an object under the name that the run gave it.
  const named = (object: string): string => (object.endsWith(suffix) ? object : object + suffix);
  return {
    ...module,
    object: (args) => named(module.object(args)),
    plan: (args, observed) => {
      const plan = module.plan(args, observed);
      if (plan.change.kind === 'none') return plan;
      return { ...plan, change: { ...plan.change, object: named(plan.change.object) } };
    },
  };
}

export function withoutTenant(object: string, tenant: string | undefined): string {
  const suffix = tenant === undefined ? '' : tenantSuffix(tenant);
  return object.endsWith(suffix) ? object.slice(0, object.length - suffix.length) : object;
}

function tenantSuffix(tenant: string): string {
  return ` in tenant "${tenant}"`;
}

/**
 * Why an object must not be changed: it belongs to another tenant, which shares it with that of the task. Undefined if
 * it may be.
 */
export async function refusalOfShared(
  { change }: Plan,
  session: Pick<ControllerSession, 'references'>,
  check: boolean,
): Promise<string | undefined> {
  const owner = change.kind === 'update' && change.before !== null ? tenantUuid(change.before) : undefined;
  const lookup = owner === undefined ? undefined : await session.references({ asExpected: check });
  if (change.kind !== 'update' || owner === undefined || lookup?.tenant === undefined) return undefined;
  const { collection, name } = lookup.tenant;
  const own = await lookup.resolve(lookup.tenant);
  if (own.type !== 'found' || directReference(own.path)?.uuid === owner) return undefined;
  const ownerName = lookup.knownName(collection, owner) ?? owner;
  return `${withoutTenant(change.object, name)} belongs to the tenant "${ownerName}", and the task acts in "${name}", so it was not changed: give the task "tenant: ${ownerName}", or declare "tenant_ref: ${name}" to have another one there`;
}

function tenantUuid(object: Mapping): string | undefined {
  const tenant = entry(object, 'tenant_ref');
  return typeof tenant === 'string' ? directReference(tenant)?.uuid : undefined;
}

/** A module whose updates send placeholders where a controller then keeps its secrets. */
export function keepingSecrets(
  module: ResourceModule,
  connection: { readonly settings: Pick<ConnectionSettings, 'dialect'> } | undefined,
): ResourceModule {
  if (connection?.settings.dialect.placeholderKeepsSecret !== true) return module;
  return {
    ...module,
    plan: (args, observed) => {
      const { keeping, ...plan } = module.plan(args, observed);
      if (keeping === undefined || plan.change.kind !== 'update') return plan;
      const { after, warnings, unfounded } = keeping;
      const others = plan.warnings?.filter((warning) => !unfounded.includes(warning)) ?? [];
      return { ...plan, change: { ...plan.change, after }, warnings: [...others, ...warnings] };
    },
  };
}
