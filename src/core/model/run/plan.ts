import type { Source } from '../source/diagnostic.js';
import type { Mapping, Value } from '../values/value.js';
import type { Change } from './result.js';

/** The first line of a plan file. */
export const PLAN_MAGIC = 'evenkeel plan';

/** An object that a task read when the plan was made. */
export interface SeenObject {
  /** The object's path; for a member of a collection, the path of the collection. */
  readonly path: string;
  /** The name by which a member was looked up. */
  readonly name?: string | undefined;
  /**
   * Without the fields that every write changes. Null: the object did not exist, or the controller does not show it.
   */
  readonly digest: string | null;
}

/** How tasks reach a controller. */
export interface PlannedConnection {
  /** Its URL and its route. */
  readonly address: string;
  /** A digest of the address and of everything else that decides what a request acts on. */
  readonly id: string;
  /** Short digests of everything else, to name what has changed. */
  readonly parts: readonly string[];
}

/** A resource task: `apply` runs it with these arguments if its objects have not changed. */
export interface PlannedResource {
  readonly type: 'resource';
  readonly args: Mapping;
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  readonly seen: readonly SeenObject[];
  /** For display: references show the names of their objects. */
  readonly change: Change;
  /** `check_mode: true`: apply does not make the change either. */
  readonly onlyCompares?: true;
  /** The id of its `PlannedConnection`, because an object of another tenant is a different object. */
  readonly connection: string;
  readonly tenant?: string | undefined;
}

/** The decision about one task, or one item of its loop. */
export type Decided =
  | PlannedResource
  /** Its `when` was false; `condition` is the false part. */
  | { readonly type: 'skipped'; readonly condition: string }
  /** It cannot be planned (a raw POST, a pause): `apply` runs it when it reaches it. */
  | {
      readonly type: 'in place';
      /** What it depends on was not known, which may include its connection. */
      readonly open?: true;
      /** It only waits, or reads. Absent: it may write. */
      readonly writes?: false;
      /** It was kept after later tasks of its host, because of what another host does. */
      readonly late?: true;
      /** The id of its `PlannedConnection`. Absent: it was not known, or the task contacts no controller. */
      readonly connection?: string;
    };

/** One task of one controller in a plan, or one item of its loop. */
export interface PlannedStep {
  /** As in the journal: equal for each replay of the run. */
  readonly place: string;
  /** From 0. */
  readonly item?: number | undefined;
  /** A digest of the task as written, and of its item. */
  readonly written: string;
  /** The displayed name of the task. */
  readonly title: string;
  readonly play: string;
  readonly module: string;
  /** The controller that the task contacts instead of its own. */
  readonly delegatedTo?: string | undefined;
  readonly source: Source;
  /** `no_log`: show only that it changes something. */
  readonly masked?: boolean | undefined;
  /** The conditions that decided, as written. */
  readonly when?: readonly Value[] | undefined;
  readonly changedWhen?: readonly Value[] | undefined;
  readonly decided: Decided;
}

/** The change that apply makes at the step. Undefined: none, or one that only apply knows. */
export function plannedWrite({ decided }: Pick<PlannedStep, 'decided'>): Exclude<Change, { kind: 'none' }> | undefined {
  if (decided.type !== 'resource' || decided.onlyCompares === true || decided.change.kind === 'none') return undefined;
  return decided.change;
}

/** Whether apply has something to write at the step: a planned change, or what cannot be planned. */
export function isCarriedOut({ decided }: Pick<PlannedStep, 'decided'>): boolean {
  return decided.type === 'in place' ? decided.writes !== false : plannedWrite({ decided }) !== undefined;
}

/** A run that makes a plan: a check that records its decisions. */
export interface PlanMaker {
  readonly type: 'make';
  /** A keyed digest: equal for equal values of this plan, and meaningless without the key. */
  digest(value: Value): string;
  keep(controller: string, step: PlannedStep): void;
  /** A task contacts the controller in this way, or may. */
  reached(controller: string, connection: PlannedConnection): void;
}

/** A run that applies a plan: it writes what the plan decided, and nothing else. */
export interface PlanGuide {
  readonly type: 'follow';
  /** The command line that made the plan, without secrets. Absent: unknown. */
  readonly madeBy?: string | undefined;
  /** Like the plan maker's. */
  digest(value: Value): string;
  find(controller: string, place: string, matches: (step: PlannedStep) => boolean): PlannedStep | undefined;
  /**
   * Called before the run's first write to the controller. Returns the earlier run that applied the plan to it: then
   * nothing may be written.
   */
  begin(controller: string, run: string): Promise<string | undefined>;
  /** Whether this run or an earlier one has called `begin`: for this controller, the plan cannot be applied again. */
  hasBegun(controller: string): boolean;
  /** How the plan reached the controller; empty if it did not. Nothing is sent to another address. */
  connections(controller: string): readonly PlannedConnection[];
  /** The hosts whose tasks were to change something at the address, also those that are not in the plan. */
  changingAt(address: string): readonly string[];
  /** In the order of the decisions; empty if the plan does not contain the controller. */
  steps(controller: string): readonly PlannedStep[];
}
