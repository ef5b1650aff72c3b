import type { Source } from '../source/diagnostic.js';
import type { Mapping } from '../values/value.js';

/** Fields that the controller sets: never sent on create, never compared (API document, section 2.1). */
export const SERVER_FIELDS: readonly string[] = ['uuid', 'url', '_last_modified'];

/** A planned or completed change of a task to one object on a controller. */
export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly object: string; readonly before: null; readonly after: Mapping }
  /** `before` is null when the controller cannot show the object, so the change could not be compared. */
  | { readonly kind: 'update'; readonly object: string; readonly before: Mapping | null; readonly after: Mapping }
  /** Deletes the whole object. */
  | { readonly kind: 'delete'; readonly object: string; readonly before: Mapping; readonly after: null }
  /** Something without a state to compare, such as a raw request. */
  | { readonly kind: 'invoke'; readonly object: string; readonly before: null; readonly after: null };

/** The change with its object named, and shown before and after, in another way. */
export function mapChange(change: Change, name: (object: string) => string, show: (image: Mapping) => Mapping): Change {
  if (change.kind === 'none') return change;
  const object = name(change.object);
  if (change.kind === 'invoke') return { ...change, object };
  if (change.kind === 'create') return { ...change, object, after: show(change.after) };
  if (change.kind === 'delete') return { ...change, object, before: show(change.before) };
  return { ...change, object, before: change.before && show(change.before), after: show(change.after) };
}

/** `interrupted`: the task stopped because of an interrupt; it starts again when the run is resumed. */
export type TaskStatus = 'ok' | 'changed' | 'skipped' | 'failed' | 'unreachable' | 'interrupted';

/** A failure, worded for the user. */
export interface Failure {
  readonly message: string;
  readonly hint?: string | undefined;
  /** An object has changed since the plan was made: nothing was written, and nothing else may be. */
  readonly stale?: boolean | undefined;
  /** The controller could not be reached, which may pass. */
  readonly passing?: boolean | undefined;
  /** The route that is down, for all of its controllers. */
  readonly route?: string | undefined;
  /** The position of the cause, if it is outside the task: the template, the variable's file. */
  readonly source?: Source | undefined;
}

/**
 * How a resume resolved an interrupted write. `found`: it had taken effect, so it was not repeated. `repeated`: it had
 * not.
 */
export type Resumption = 'found' | 'repeated';

/**
 * Why a check did not compare what the task declares. `failed`: it failed, and `failed_when` says that it did not; also in a run that is no
 * check. `later`: it depends on what only a write makes known.
 */
export type NotComparedReason = 'failed' | 'check mode' | 'later';

/** The outcome of one task (or one loop item) on one controller. `values` is what `register` stores beside the flags. */
export type RunTaskResult =
  | {
      readonly status: 'ok';
      readonly values: Mapping;
      readonly message?: string | undefined;
      readonly change?: Change | undefined;
      readonly notCompared?: NotComparedReason | undefined;
    }
  | {
      readonly status: 'changed';
      readonly values: Mapping;
      readonly message?: string | undefined;
      readonly change: Change;
      readonly notCompared?: NotComparedReason | undefined;
      readonly resumed?: Resumption | undefined;
    }
  | {
      readonly status: 'skipped';
      readonly values: Mapping;
      readonly message: string;
      readonly notCompared?: NotComparedReason | undefined;
    }
  | {
      readonly status: 'interrupted';
      readonly values: Mapping;
      readonly message: string;
      readonly change?: Change | undefined;
    }
  | {
      readonly status: 'failed';
      readonly values: Mapping;
      readonly failure: Failure;
      readonly change?: Change | undefined;
    }
  | {
      readonly status: 'unreachable';
      readonly values: Mapping;
      readonly failure: Failure;
      readonly change?: Change | undefined;
    };

/** The recap of one controller. `changed` is counted in `ok` too (as Ansible does). */
export interface Stats {
  ok: number;
  changed: number;
  unreachable: number;
  failed: number;
  skipped: number;
  rescued: number;
  ignored: number;
}

export function emptyStats(): Stats {
  return { ok: 0, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };
}

interface Judged {
  readonly status: RunTaskResult['status'];
  readonly ignored?: boolean | undefined;
  readonly rescued?: boolean | undefined;
}

/** Whether a task failed, and the failure is neither ignored nor rescued. */
export function isTrouble({ status, ignored, rescued }: Judged): boolean {
  return (status === 'failed' || status === 'unreachable') && ignored !== true && rescued !== true;
}

/** Whether a task changed something, or would in check mode, even if it failed. */
export function changedSomething({
  status,
  changed,
}: Pick<Judged, 'status'> & { readonly changed?: boolean }): boolean {
  return status === 'changed' || changed === true;
}

/** The object of a change, or empty text if nothing changes. */
export function changeObject(change: Change): string {
  return change.kind === 'none' ? '' : change.object;
}
