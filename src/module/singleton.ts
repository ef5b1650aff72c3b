import type { Mapping } from '../core/model/values/value.js';
import type { Desired } from './comparison/desired.js';
import type { Plan, Reader, Singleton, Writer } from './contract.js';
import { planUnreadable, planUpdate } from './planning.js';

/** What a plan must not do to an object, or should warn about; `before` is null if the object cannot be read. */
export type Guard<Args> = (
  args: Args,
  before: Mapping | null,
  after: Mapping,
  observed: Singleton,
) => Pick<Plan, 'refusal' | 'warnings' | 'locksOut'>;

/**
 * The resource half of a module for an object that exists once on a controller (`/api/systemconfiguration`). Reads the
 * object if the controller shows it, compares it, and replaces it with PUT (API document, section 4).
 */
export function singleton<Args>(desired: (args: Args) => Desired, guard: Guard<Args> = () => ({})) {
  return {
    object: (args: Args): string => desired(args).object,
    read: (args: Args, reader: Reader): Promise<Singleton> => reader.single(desired(args).path),
    plan: (args: Args, observed: Singleton): Plan =>
      guarded(guard, args, observed, planSingleton(desired(args), observed)),
    apply: async (args: Args, plan: Plan, _observed: Singleton, writer: Writer): Promise<void> => {
      if (plan.change.kind === 'update') await writer.replace(desired(args).path, plan.change.after);
    },
  };
}

function planSingleton(desired: Desired, observed: Singleton): Plan {
  return observed.status === 'found' ? planUpdate(desired, observed.object) : planUnreadable(desired, observed.written);
}

function guarded<Args>(guard: Guard<Args>, args: Args, observed: Singleton, plan: Plan): Plan {
  if (plan.change.kind !== 'update' || plan.refusal !== undefined) return plan;
  const { warnings = [], ...judged } = guard(args, plan.change.before, plan.change.after, observed);
  const all = [...(plan.warnings ?? []), ...warnings];
  return { ...plan, ...judged, ...(all.length === 0 ? {} : { warnings: all }) };
}
