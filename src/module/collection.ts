import { SERVER_FIELDS, type Change } from '../core/model/run/result.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { encodedPart } from '../core/model/values/uri.js';
import { hasLater, entry, type Mapping, type Value } from '../core/model/values/value.js';
import { matches, SCOPE } from './comparison/comparison.js';
import type { DesiredMember, MemberIdentity, Desired } from './comparison/desired.js';
import { declaredScope, refersByName } from './comparison/scope.js';
import type { Plan, Reader, Writer, Singleton } from './contract.js';
import { planCreate, planUpdate, planUnreadable } from './planning.js';

/** The result of looking a name up in a collection. */
export type CollectionMember = Mapping | undefined;

/** Describes the arguments of a task once: it asks about ten times. */
function onceFor<Args extends object, Described>(describe: (args: Args) => Described): (args: Args) => Described {
  const known = new WeakMap<Args, Described>();
  return (args) => getOrAdd(known, args, () => describe(args));
}

/**
 * The resource half of a module for named objects of a collection (`/api/cloud/`): found by name, created with POST,
 * updated with PUT under the uuid that the controller gave it (API document, section 4).
 */
export function collectionMember<Args extends object>(describe: (args: Args) => DesiredMember) {
  const desired = onceFor(describe);
  return {
    object: (args: Args): string => desired(args).object,
    read: (args: Args, reader: Reader): Promise<CollectionMember> => {
      const { path, name, ...declared } = desired(args);
      return reader.find(path, name, declaredScope(path, declared));
    },
    plan: (args: Args, observed: CollectionMember): Plan => planMember(desired(args), observed),
    apply: (args: Args, plan: Plan, observed: CollectionMember, writer: Writer): Promise<void> =>
      write(desired(args), plan, observed, writer),
  };
}

function planMember(desired: DesiredMember, observed: CollectionMember): Plan {
  // Without them, the controller would create the object in the tenant of the request and the default cloud.
  const scope: Mapping = Object.fromEntries(
    Object.entries(desired.match ?? {}).filter(([name, value]) => SCOPE.has(name) && value !== null),
  );
  const plan =
    observed === undefined
      ? planCreate({ ...desired, fields: { ...scope, ...desired.fields } })
      : planUpdate(desired, observed);
  const { change, refusal } = plan;
  if (refusal !== undefined || (change.kind !== 'create' && change.kind !== 'update')) return plan;
  const field = unmatchable(desired, written(change));
  if (field === undefined) return plan;
  const way = SERVER_FIELDS.includes(field) ? 'leave it out of' : 'declare the same value as in';
  const why =
    change.kind === 'update'
      ? `has another "${field}" in "match" than is declared, so that no run would find it again: leave it out of "match"`
      : `with the fields of "match" does not exist, and a new one would not have this "${field}": ${way} "match" to create one`;
  return { ...plan, refusal: `${desired.object} ${why}` };
}

/** An object as a write leaves it. */
interface Written {
  readonly fields: Mapping;
  /** Whether its other fields are not known: an earlier task of the check would create it. */
  readonly isFuture?: boolean;
}

/** An update does not move an object to another cloud or tenant, even if it does not send them. */
function written({ before, after }: Extract<Change, { readonly kind: 'create' | 'update' }>): Written {
  if (before === null) return { fields: after };
  const scope = Object.entries(before).filter(([name]) => SCOPE.has(name));
  return { fields: { ...Object.fromEntries(scope), ...after }, isFuture: entry(before, 'uuid') === undefined };
}

/** A field of `match` that an object as it is written cannot have, so that no run would find it again. */
export function unmatchable(
  { match = {}, structure }: Pick<DesiredMember, 'match' | 'structure'>,
  { fields, isFuture = false }: Written,
): string | undefined {
  const canHave = ([field, wanted]: readonly [string, Value]): boolean => {
    const sent = entry(fields, field);
    if (hasLater([wanted, sent]) || (isFuture && sent === undefined)) return true;
    // Which objects they name is known only after a lookup.
    if (refersByName(wanted, field) || refersByName(sent ?? null, field)) return true;
    return matches(wanted, sent ?? structure?.()?.fields.get(field)?.default, field);
  };
  return Object.entries(match).find((one) => !canHave(one))?.[0];
}

/**
 * The resource half of a module that makes sure that a collection has no object of a name. Deletes only the object that was read,
 * by its uuid.
 */
export function absentMember<Args>(identity: (args: Args) => MemberIdentity & { readonly fields?: Mapping }) {
  return {
    object: (args: Args): string => identity(args).object,
    read: (args: Args, reader: Reader): Promise<CollectionMember> => {
      const { path, name, fields = {}, match } = identity(args);
      return reader.find(path, name, declaredScope(path, { fields, match }), { names: true });
    },
    plan: (args: Args, observed: CollectionMember): Plan => {
      if (observed === undefined) return { change: { kind: 'none' } };
      return { change: { kind: 'delete', object: identity(args).object, before: observed, after: null } };
    },
    apply: async (args: Args, { change }: Plan, observed: CollectionMember, writer: Writer): Promise<void> => {
      if (change.kind === 'delete' && observed !== undefined) await writer.remove(memberPath(identity(args), observed));
    },
  };
}

async function write(desired: DesiredMember, plan: Plan, observed: CollectionMember, writer: Writer): Promise<void> {
  const body = plan.change.kind === 'create' || plan.change.kind === 'update' ? plan.change.after : undefined;
  if (body === undefined) return;
  const { path, name } = desired;
  if (observed === undefined) await writer.create(path, name, body, declaredScope(path, desired));
  else await writer.replace(memberPath(desired, observed), body);
}

function memberPath({ object, path }: MemberIdentity, observed: Mapping): string {
  const uuid = observed['uuid'];
  if (typeof uuid === 'string' && uuid !== '') return `${path}${encodedPart(uuid)}`;
  throw new Error(`the controller's answer for ${object} has no "uuid", so it cannot be written`);
}

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
export function singleton<Args extends object>(describe: (args: Args) => Desired, guard: Guard<Args> = () => ({})) {
  const desired = onceFor(describe);
  return {
    object: (args: Args): string => desired(args).object,
    read: (args: Args, reader: Reader): Promise<Singleton> => reader.single(desired(args).path),
    plan: (args: Args, observed: Singleton): Plan => {
      const wanted = desired(args);
      const isFound = observed.status === 'found';
      const plan = isFound ? planUpdate(wanted, observed.object) : planUnreadable(wanted, observed.written);
      return guarded(guard, args, observed, plan);
    },
    apply: async (args: Args, plan: Plan, _observed: Singleton, writer: Writer): Promise<void> => {
      if (plan.change.kind === 'update') await writer.replace(desired(args).path, plan.change.after);
    },
  };
}

function guarded<Args>(guard: Guard<Args>, args: Args, observed: Singleton, plan: Plan): Plan {
  if (plan.change.kind !== 'update' || plan.refusal !== undefined) return plan;
  const { warnings = [], ...judged } = guard(args, plan.change.before, plan.change.after, observed);
  const all = [...(plan.warnings ?? []), ...warnings];
  return { ...plan, ...judged, ...(all.length === 0 ? {} : { warnings: all }) };
}
