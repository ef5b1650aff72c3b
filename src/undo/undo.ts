import type { WriteConnection } from '../core/model/run/journal.js';
import type { Mapping } from '../core/model/values/value.js';
import { differingFields, matches, type FieldNames } from '../module/comparison/comparison.js';
import { looksSame } from './fields.js';

/** How to restore one object. */
export interface Undo {
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  /** Where it is written. */
  readonly path: string;
  /** How to find a member of a collection. Absent: a single object, read at the path where it is written. */
  readonly member?: UndoMember | undefined;
  /** The run deleted it: create it again if it is not there. Only a member of a collection can be found again. */
  readonly isDeleted?: boolean | undefined;
  /** The fields to put back; of a deleted object, in case that the deletion did not take effect. */
  readonly fields: readonly FieldNames[];
  /** The object as it was before the run's first write. */
  readonly before: Mapping;
  /** The states in which the run may have left it: in any other state, someone else has changed it since. */
  readonly left: readonly ObjectState[];
  /**
   * Fields that the controller hid when they were read, such as `vcenter.password`: their former values are unknown.
   */
  readonly neverShown: readonly string[];
  /** Why the object must not be written. It is still an item of the task, so that it is counted and recorded. */
  readonly refusal?: string | undefined;
  /** The connection, if it differs from the inventory. */
  readonly connection?: WriteConnection | undefined;
  /** The tenant that the object is in, if there are tenants. */
  readonly tenant?: string | undefined;
  /** Written under `no_log`: must not be shown. */
  readonly masked: boolean;
  /** Identifies a deleted object for references to it. */
  readonly renewal?: Renewal | undefined;
  /** The objects of the controller that get or got another uuid. */
  readonly renewals: readonly Renewal[];
}

/** An object that the run deleted. Created again, it has another uuid, which other restored objects must refer to. */
export interface Renewal {
  readonly collection: string;
  readonly name: string;
  /** The uuid before the run. */
  readonly former: string;
  /** The uuid of the object that the run created instead; undefined if the rollback creates it. */
  readonly now?: string | undefined;
  readonly before: Mapping;
}

interface UndoMember {
  readonly collection: string;
  /** Before the run. */
  readonly name: string;
  readonly uuid: string;
}

/** The state in which a run left an object, as far as known. */
export interface ObjectState {
  readonly object: Mapping;
  /**
   * Whether the controller returned exactly this. Otherwise it is what was sent, and the controller may have added
   * fields.
   */
  readonly whole: boolean;
}

/**
 * The fields that were changed since the run left the object in one of these states; none if it is unchanged. Compares
 * with the nearest state.
 */
export function changedSince(left: readonly ObjectState[], current: Mapping): readonly FieldNames[] {
  const found = left.map((one) => differences(one, current)).toSorted((a, b) => a.length - b.length);
  return found[0] ?? [];
}

function differences({ object, whole }: ObjectState, current: Mapping): readonly FieldNames[] {
  if (whole) return differingFields(object, current, looksSame);
  return differingFields(object, current, (sent, shown, name) => sent === undefined || matches(sent, shown, name));
}
