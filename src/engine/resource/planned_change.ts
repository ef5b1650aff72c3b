import { plannedWrite, type PlannedResource, type PlannedStep, type SeenObject } from '../../core/model/run/plan.js';
import type { Change } from '../../core/model/run/result.js';
import { hasLater, entry, isEqual, type Mapping, type Value } from '../../core/model/values/value.js';
import { comparable } from '../../module/comparison/comparison.js';
import type { Connection } from '../controllers/session_pool.js';
import { seenObjectKey } from './written_objects.js';

/** What a task would do now. */
interface ChangeNow {
  readonly now: Change;
  readonly connection: Tenancy;
  readonly isResumed: boolean;
  /** `written`: the run itself has written what the task read. */
  readonly looked: 'same' | 'written';
}

/** Another host of the controller. */
export interface SharingHost {
  readonly name: string;
  readonly isPart: boolean;
  readonly steps: () => readonly PlannedStep[];
}

/** Why the change is not to be made; undefined if the plan shows it. */
export function differenceToPlan(
  planned: PlannedResource,
  { now, connection, isResumed, looked }: ChangeNow,
  sharing: readonly SharingHost[],
): string | undefined {
  const isWritten = looked === 'written';
  const may = (isOpen: boolean): boolean => isPlannedChange(planned.change, now, isOpen);
  if (may(isResumed || (isWritten && now.kind === 'none'))) return undefined;
  const isConcerned = changesWhatIsRead(planned, now, connection);
  const others = sharing.filter(({ steps }) => steps().some(isConcerned));
  const absent = others.filter(({ isPart }) => !isPart);
  // What the run itself has written may differ from what the plan expected, unless the plan shows it for a host that takes no part.
  if (isWritten && absent.length === 0 && may(true)) return undefined;
  // The order of hosts that share a controller is not known: each may make what is planned for another.
  const isShown = isForOther(planned, now, connection, isWritten);
  if (others.some(({ isPart, steps }) => isPart && steps().some(isShown))) return undefined;
  return otherwise(planned, now, others, absent);
}

/** Another host that takes part and for which the change is planned. */
export function hostThatShows(
  planned: PlannedResource,
  change: Change,
  connection: Tenancy,
  sharing: readonly SharingHost[],
): string | undefined {
  const isShown = isForOther(planned, change, connection, true);
  return sharing.find(({ isPart, steps }) => isPart && steps().some(isShown))?.name;
}

/** @param isOpen it may be another change, but none that deletes instead */
function isPlannedChange(planned: Change, now: Change, isOpen: boolean): boolean {
  // The plan lists the task as one that only apply can decide.
  if (planned.kind === 'invoke') return true;
  if (isOpen || hasLater(planned)) return now.kind !== 'delete' || planned.kind === 'delete';
  return isSameChange(planned, now);
}

/** Of updates, only what they change counts: another task may have changed the rest before. */
function isSameChange(one: Change, other: Change): boolean {
  return isEqual(comparableChange(one), comparableChange(other));
}

function comparableChange(change: Change): Value {
  const { kind } = change;
  if (kind === 'none' || kind === 'delete' || kind === 'invoke') return { kind };
  const after = comparable(change.after);
  if (change.before === null) return { kind, before: null, after };
  const before = comparable(change.before);
  return { kind, before: withoutEqual(before, after), after: withoutEqual(after, before) };
}

function withoutEqual(object: Mapping, other: Mapping): Mapping {
  return Object.fromEntries(Object.entries(object).filter(([field, value]) => !isEqual(value, other[field])));
}

type Tenancy = Pick<Connection, 'settings'> | undefined;

/** The tenants, and what exists once, are the same in all tenants. */
function isSameInAll(seen: SeenObject | undefined, connection: Tenancy): boolean {
  return seen?.name === undefined || seen.path === connection?.settings.dialect.tenants?.collection;
}

/** Whether a step of another host changes an object that the task read. */
function changesWhatIsRead(
  { seen, tenant }: PlannedResource,
  now: Change,
  connection: Tenancy,
): (step: PlannedStep) => boolean {
  const read = new Set(seen.map((one) => seenObjectKey(one)));
  const uuid = writtenUuid(now);
  return ({ decided }) => {
    if (decided.type !== 'resource' || plannedWrite({ decided }) === undefined) return false;
    if (uuid != null && writtenUuid(decided.change) === uuid) return true;
    const isHere = (one: SeenObject): boolean => decided.tenant === tenant || isSameInAll(one, connection);
    return decided.seen.some((one) => read.has(seenObjectKey(one)) && isHere(one));
  };
}

/**
 * Whether a step of another host shows this change of the object.
 *
 * @param isOwn the run itself has written the object, which may have another uuid now
 */
function isForOther(
  planned: PlannedResource,
  now: Change,
  connection: Tenancy,
  isOwn: boolean,
): (step: PlannedStep) => boolean {
  const isSame = isSameInAll(planned.seen.at(-1), connection);
  return ({ decided }) => {
    if (decided.type !== 'resource' || decided.object !== planned.object || decided.onlyCompares === true) return false;
    if (decided.tenant !== planned.tenant && !isSame) return false;
    const { change } = decided;
    const isSameObject = isOwn || writtenUuid(change) === writtenUuid(now);
    return isSameObject && (isSameChange(change, now) || (hasLater(change) && change.kind === now.kind));
  };
}

function writtenUuid(change: Change): Value | undefined {
  return change.kind === 'none' ? undefined : change.before && entry(change.before, 'uuid');
}

/**
 * @param others hosts of the controller that are to change what the task read
 * @param absent those of them that take no part
 */
function otherwise(
  planned: PlannedResource,
  { kind }: Change,
  others: readonly SharingHost[],
  absent: readonly SharingHost[],
): string {
  const isUnplanned = kind === 'delete' && planned.change.kind !== 'delete';
  const what = isUnplanned
    ? 'would be deleted, which the plan does not show'
    : 'would be changed differently than planned';
  if (absent.length > 0) return `${what}, and the apply leaves out hosts of the same controller (${firstName(absent)})`;
  if (isUnplanned) return what;
  const replaced = 'an object that the change refers to was replaced';
  const order = `hosts of the same controller (${firstName(others)}) came in another order than when the plan was made`;
  return others.length === 0 ? `${what}: ${replaced}` : `${what}: ${order}, or ${replaced}`;
}

function firstName([first, ...more]: readonly SharingHost[]): string {
  return `${first?.name ?? ''}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}
