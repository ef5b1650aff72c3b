import type { PlannedResource, PlannedStep } from '../../core/model/run/plan.js';
import type { Change } from '../../core/model/run/result.js';
import { hasLater } from '../../core/model/values/json.js';
import { entry, isEqual, type Mapping, type Value } from '../../core/model/values/value.js';
import { comparable } from '../controllers/expected_objects.js';
import type { Connection } from '../controllers/session_pool.js';

/** @param isOpen it may be another change, but none that deletes instead */
export function isPlannedChange(planned: Change, now: Change, isOpen: boolean): boolean {
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

/**
 * Whether a step of another host shows this change of the object.
 *
 * @param isOwn the run itself has written the object, which may have another uuid now
 */
export function isForOther(
  planned: PlannedResource,
  now: Change,
  connection: Pick<Connection, 'settings'> | undefined,
  isOwn: boolean,
): (step: PlannedStep) => boolean {
  const { name, path } = planned.seen.at(-1) ?? {};
  // The tenants, and what exists once, are the same in all tenants.
  const isSameInAll = name === undefined || path === connection?.settings.dialect.tenants?.collection;
  return ({ decided }) => {
    if (decided.type !== 'resource' || decided.object !== planned.object) return false;
    if (decided.tenant !== planned.tenant && !isSameInAll) return false;
    const { change } = decided;
    const isSameObject = isOwn || writtenUuid(change) === writtenUuid(now);
    return isSameObject && (isSameChange(change, now) || (hasLater(change) && change.kind === now.kind));
  };
}

function writtenUuid(change: Change): Value | undefined {
  return change.kind === 'none' ? undefined : change.before && entry(change.before, 'uuid');
}

/** @param absent hosts of the controller that take no part */
export function otherwise(planned: PlannedResource, { kind }: Change, absent: readonly string[]): string {
  const isUnplanned = kind === 'delete' && planned.change.kind !== 'delete';
  const what = isUnplanned
    ? 'would be deleted, which the plan does not show'
    : 'would be changed differently than planned';
  const [first, ...more] = absent;
  if (first !== undefined)
    return `${what}, and the apply leaves out hosts of the same controller (${first}${more.length > 0 ? ` and ${more.length} more` : ''})`;
  return isUnplanned ? what : `${what}: an object that the change refers to was replaced`;
}
