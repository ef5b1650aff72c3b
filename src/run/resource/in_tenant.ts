import type { ConnectionSettings } from '../../model/inventory/connection.js';
import type { ResourceModule } from '../../module/contract.js';

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
  const suffix = ` in tenant "${tenant}"`;
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
