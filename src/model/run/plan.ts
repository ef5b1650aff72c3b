import type { Include, Included } from '../playbook/step.js';
import type { Source } from '../source/source.js';
import type { Mapping, Value } from '../values/value.js';
import type { Change } from './change.js';

/** An object that a task looked at when the plan was made. */
export interface SeenObject {
  /** Of a member, its collection. */
  readonly path: string;
  /** Of a member, which was looked up by its name. */
  readonly name?: string | undefined;
  /** Without the fields that every write changes. Null: there was none, or the controller does not show it. */
  readonly digest: string | null;
}

/** A resource task: `apply` carries it out with these arguments if its objects are as they were. */
export interface PlannedResource {
  readonly type: 'resource';
  readonly args: Mapping;
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  readonly seen: readonly SeenObject[];
  /** As users read it: references with the names of their objects. */
  readonly change: Change;
  /** A digest of the address, the user and the tenant: the same object of another tenant is another object. */
  readonly connection: string;
  /** Absent: no tenants. */
  readonly tenant?: string | undefined;
}

/** What was decided about one task, or one item of its loop. */
export type Decided =
  | PlannedResource
  /** Its `when` did not hold; `condition` is that part of it. */
  | { readonly type: 'skipped'; readonly condition: string }
  /** What it does cannot be planned (a raw POST, a pause): `apply` carries it out in its place. */
  | { readonly type: 'in place' };

/** One task of one controller in a plan, or one item of its loop. */
export interface PlannedStep {
  /** As that of the journal: the same whenever the same run is walked through again. */
  readonly place: string;
  /** From 0. */
  readonly item?: number | undefined;
  /** A digest of the task as it is written, and of its item. */
  readonly written: string;
  /** Of the task, as it is shown. */
  readonly title: string;
  readonly play: string;
  readonly module: string;
  readonly source: Source;
  /** `no_log`: only that it changes something may be shown. */
  readonly masked?: boolean | undefined;
  /** The conditions that decided, as they are written. */
  readonly when?: readonly Value[] | undefined;
  readonly changedWhen?: readonly Value[] | undefined;
  readonly decided: Decided;
}

/** A run that makes a plan: a check that keeps what was decided. */
export interface PlanMaker {
  readonly type: 'make';
  /** A keyed digest: equal for equal values of this plan, and meaningless without the key. */
  digest(value: Value): string;
  keep(controller: string, step: PlannedStep): void;
  /** A file or role that was read during the run: `apply` must not read it again. */
  included(include: Include, args: Mapping, included: Included): void;
}

/** A run that applies a plan: it writes what was decided, and nothing else. */
export interface PlanGuide {
  readonly type: 'follow';
  /** As that of the maker. */
  digest(value: Value): string;
  /** A step of a controller that is at that place. */
  find(controller: string, place: string, isMeant: (step: PlannedStep) => boolean): PlannedStep | undefined;
  /**
   * The run is about to write to the controller for the first time. Returns the run that has applied the plan to it before: then nothing may be
   * written.
   */
  begin(controller: string, run: string): string | undefined;
  /** In the order in which they were decided; empty if the plan knows nothing about the controller. */
  stepsOf(controller: string): readonly PlannedStep[];
}
