import type { Include, Included, Task } from '../playbook/step.js';
import type { Source } from '../source/source.js';
import type { Mapping, Value } from '../values/value.js';
import type { Change } from './change.js';

/** An object that a task read when the plan was made. */
export interface SeenObject {
  /** The object's path; of a member, its collection. */
  readonly path: string;
  /** The name of a member, by which it was looked up. */
  readonly name?: string | undefined;
  /** Without the fields that every write changes. Null: there was none, or the controller does not show it. */
  readonly digest: string | null;
}

/** A resource task: `apply` carries it out with these arguments if its objects have not changed. */
export interface PlannedResource {
  readonly type: 'resource';
  readonly args: Mapping;
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  readonly seen: readonly SeenObject[];
  /** For display: references with the names of their objects. */
  readonly change: Change;
  /** A digest of the address, the user and the tenant: the same object of another tenant is another object. */
  readonly connection: string;
}

/** What was decided about one task, or one item of its loop. */
export type Decided =
  | PlannedResource
  /** Its `when` was false; `condition` is the false part. */
  | { readonly type: 'skipped'; readonly condition: string }
  /** It cannot be planned (a raw POST, a pause): `apply` runs it at its place. */
  | { readonly type: 'in place' };

/** One task of one controller in a plan, or one item of its loop. */
export interface PlannedStep {
  /** As in the journal: the same each time the same run is replayed. */
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
  /** `no_log`: show only that it changes something. */
  readonly masked?: boolean | undefined;
  /** The conditions that decided, as they are written. */
  readonly when?: readonly Value[] | undefined;
  readonly changedWhen?: readonly Value[] | undefined;
  readonly decided: Decided;
}

/** A run that makes a plan: a check that records its decisions. */
export interface PlanMaker {
  readonly type: 'make';
  /** A keyed digest: equal for equal values of this plan, and meaningless without the key. */
  digest(value: Value): string;
  keep(controller: string, step: PlannedStep): void;
  /** A file or role that was read during the run: `apply` must not read it again. */
  included(include: Include, args: Mapping, included: Included): void;
  /** Some arguments of the task become known when the plan is carried out: messages about them need their positions. */
  keepPositions(task: Task | Include): void;
}

/** What a run that applies a plan has found or done: all of its processes must know it. */
export type PlanProgress =
  /** It is about to write to these objects, or has left them in the state of their digests. */
  | { readonly type: 'writes' | 'left'; readonly connection: string; readonly objects: readonly SeenObject[] }
  /** Nothing that the plan says about the controller has changed. */
  | { readonly type: 'checked'; readonly controller: string }
  /** Something there has changed since the plan was made. */
  | { readonly type: 'stale'; readonly connection: string };

/** What a run that applies a plan knows about the connections of a controller's steps, when another process begins its walk. */
export interface PlanState {
  /** As in `PlanProgress`. */
  readonly checked: boolean;
  readonly stale: readonly string[];
  /** Of each connection: objects that the run has written to, and a number for the state in which it left each. */
  readonly written: readonly (readonly [
    connection: string,
    left: readonly (readonly [object: string, state: number])[],
  ])[];
}

/** A run that applies a plan: it writes what was decided, and nothing else. */
export interface PlanGuide {
  readonly type: 'follow';
  /** As that of the maker. */
  digest(value: Value): string;
  /** A step of a controller that is at that place. */
  find(controller: string, place: string, matches: (step: PlannedStep) => boolean): PlannedStep | undefined;
  /**
   * The run is about to write to the controller for the first time. Returns the run that has applied the plan to it before: then nothing may be
   * written.
   */
  begin(controller: string, run: string): string | undefined | Promise<string | undefined>;
  /** In the order in which they were decided; empty if the plan knows nothing about the controller. */
  stepsOf(controller: string): readonly PlannedStep[];
}
