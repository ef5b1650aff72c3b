import type { Event, RunFinished, TaskFinished } from '../core/model/run/event.js';
import type { Change } from '../core/model/run/result.js';
import { type FieldPath, placeText, type Source } from '../core/model/source/diagnostic.js';
import { getOrAdd, appendTo } from '../core/model/values/groups.js';
import { valueAt, type Value } from '../core/model/values/value.js';
import { NOT_IN_CHECK } from '../engine/execution/action.js';
import { type ChangeGroup, ChangeGroups, upToList } from '../reporting/diff/change_groups.js';
import { differences } from '../reporting/diff/differences.js';
import type { WrittenArguments } from '../reporting/output/options.js';
import { FailureLog } from '../reporting/run/failures/failure_log.js';
import { type ActingController, actingController } from '../reporting/text/messages.js';
import { compareNames } from '../reporting/text/words.js';

/** A change that a check found, with values to compare. */
export type DriftChange = Extract<Change, { kind: 'create' | 'update' | 'delete' }>;

/** An object that differs from what the playbook declares. */
export interface DriftedObject {
  /** The controller whose task found it. */
  readonly controller: string;
  /** The host whose controller has it. */
  readonly target: string;
  /** That controller, unless its inventory says where it is. */
  readonly address: string | undefined;
  /** Both, as results name them: `lb1 → lb2`. */
  readonly acting: string;
  readonly tenant: string | undefined;
  readonly object: string;
  readonly kind: DriftChange['kind'];
  /** The values that an update would replace. Lists are whole, because their elements have no names. */
  readonly now: readonly { readonly path: FieldPath; readonly value: Value | undefined }[];
  /** Kept only for raw diffs. */
  readonly change: DriftChange | undefined;
}

/** By how results name them: `lb1`, `lb1 → lb2`. */
export type ActingControllers = ReadonlyMap<string, ActingController>;

/** Controllers with the same drift. */
export interface DriftGroup {
  readonly changes: ChangeGroup;
  readonly members: DriftedObject[];
}

/** The drift that one task found. */
export interface DriftedTask {
  readonly task: string;
  readonly module: string;
  readonly source: Source;
  /** The most frequent drift first. */
  readonly groups: readonly DriftGroup[];
  /** Controllers whose drift is not in `groups`, because there were too many different changes. */
  readonly others: ReadonlySet<string>;
  /** Controllers on which the task would make a change that `no_log` masks. */
  readonly masked: ActingControllers;
  /**
   * Files or passwords that an action would send, with their controllers. The action compares them, but has no fields
   * to show.
   */
  readonly invoked: ReadonlyMap<string, ActingControllers>;
}

/** A task that could not compare these controllers, and why. */
export interface NotCompared {
  readonly task: string;
  readonly source: Source;
  readonly reason: string;
  readonly controllers: ActingControllers;
  /** Whether unread objects may differ. False: the task has no state to compare. */
  readonly unread: boolean;
}

interface OpenTask extends Pick<DriftedTask, 'task' | 'module' | 'source'> {
  readonly changes: ChangeGroups;
  readonly groups: Map<ChangeGroup, DriftedObject[]>;
  readonly unshown: Map<string, ActingController>;
  readonly masked: Map<string, ActingController>;
  readonly invoked: Map<string, Map<string, ActingController>>;
}

interface OpenGap extends Omit<NotCompared, 'controllers'> {
  readonly controllers: Map<string, ActingController>;
  /** The module decides whether it matters. */
  readonly module: string;
}

export interface CollectorOptions {
  readonly written: WrittenArguments;
  /** Keep every change, for raw diffs. */
  readonly raw: boolean;
}

/** Collects the drift that a check finds: a fold over its events, which are masked. */
export class DriftCollector {
  readonly #tasks = new Map<string, OpenTask>();
  readonly #gaps = new Map<string, OpenGap>();
  readonly controllers = new Set<string>();
  /** Controllers in a loop. */
  readonly #looping = new Set<string>();
  readonly failures = new FailureLog();
  finished: RunFinished | undefined;

  constructor(private readonly options: CollectorOptions) {}

  readonly handle = (event: Event): void => {
    this.failures.handle(event);
    if (event.type === 'play-started') for (const name of event.controllers) this.controllers.add(name);
    if (event.type === 'task-finished') this.#finishTask(event);
    if (event.type === 'run-finished') this.finished = event;
  };

  /** Modules that changed something without showing it, or failed without stopping their controller. */
  get unclearModules(): ReadonlySet<string> {
    const unshown = [...this.#tasks.values()].filter((one) => one.unshown.size > 0);
    return new Set([...unshown, ...this.#gaps.values()].map(({ module }) => module));
  }

  /**
   * @param isResource whether a module compares objects. For other modules, `changed` is not drift, and a failure
   * hides no drift.
   */
  tasks(isResource: (module: string) => boolean): readonly DriftedTask[] {
    const found = [...this.#tasks.values()].map((open): DriftedTask => {
      const { changes, groups, masked, unshown, ...rest } = open;
      return {
        ...rest,
        others: changes.others,
        groups: changes.sorted.map((group) => ({
          changes: group,
          members: (groups.get(group) ?? []).sort((a, b) => compareNames(a.controller, b.controller)),
        })),
        masked: isResource(rest.module) ? new Map([...masked, ...unshown]) : masked,
      };
    });
    return found.filter((one) => one.groups.length + one.others.size + one.masked.size + one.invoked.size > 0);
  }

  notCompared(isResource: (module: string) => boolean): readonly NotCompared[] {
    return [...this.#gaps.values()].filter(({ unread, module }) => !unread || isResource(module));
  }

  #finishTask(event: TaskFinished): void {
    const { change, status } = event;
    if (this.#endsLoop(event)) return;
    if (change !== undefined && change.kind !== 'none' && change.kind !== 'invoke') this.#add(event, change);
    else if (status === 'changed') this.#addUnshown(event, this.#task(event));
    if (status === 'skipped' && event.message?.endsWith(NOT_IN_CHECK) === true)
      this.#miss(event, 'check mode skips it', false);
    if (status === 'failed' && (event.ignored === true || event.rescued === true))
      this.#miss(event, `failed: ${event.message ?? ''}`, true);
    if (status === 'unreachable' && event.ignored === true)
      this.#miss(event, `unreachable: ${event.message ?? ''}`, true);
  }

  /** The event of a whole loop repeats those of its items. */
  #endsLoop({ item, controller }: TaskFinished): boolean {
    if (item === undefined) return this.#looping.delete(controller);
    this.#looping.add(controller);
    return false;
  }

  #addUnshown(event: TaskFinished, { invoked, masked, unshown }: OpenTask): void {
    const { change, maskedChange } = event;
    if (change?.kind === 'invoke')
      addActing(
        getOrAdd(invoked, change.object, () => new Map()),
        event,
      );
    else addActing(maskedChange === true ? masked : unshown, event);
  }

  #add(event: TaskFinished, change: DriftChange): void {
    if (change.kind === 'update' && change.before === null)
      return this.#miss(event, `the controller does not show ${change.object}`, true);
    const { controller, tenant, address, delegatedTo: target = controller, source } = event;
    const open = this.#task(event);
    const group = open.changes.add(event, change, this.options.written(source));
    if (group === undefined) return;
    const drifted = {
      controller,
      target,
      address,
      tenant,
      acting: actingController(event),
      object: change.object,
      kind: change.kind,
      now: currentState(change),
      change: this.options.raw ? change : undefined,
    };
    appendTo(open.groups, group, drifted);
  }

  #task({ task, module, source }: TaskFinished): OpenTask {
    const key = placeText(source);
    return getOrAdd(this.#tasks, key, () => ({
      task,
      module,
      source,
      changes: new ChangeGroups(),
      groups: new Map<ChangeGroup, DriftedObject[]>(),
      unshown: new Map<string, ActingController>(),
      masked: new Map<string, ActingController>(),
      invoked: new Map<string, Map<string, ActingController>>(),
    }));
  }

  #miss(event: TaskFinished, reason: string, unread: boolean): void {
    const { task, module, source } = event;
    const key = JSON.stringify([placeText(source), reason]);
    const gap = getOrAdd(this.#gaps, key, () => ({
      task,
      module,
      source,
      reason,
      unread,
      controllers: new Map<string, ActingController>(),
    }));
    addActing(gap.controllers, event);
  }
}

function addActing(found: Map<string, ActingController>, { controller, delegatedTo }: TaskFinished): void {
  const acting = { controller, delegatedTo };
  found.set(actingController(acting), acting);
}

function currentState(change: DriftChange): DriftedObject['now'] {
  if (change.kind !== 'update') return [];
  const paths = new Map(differences(change).map(({ path }) => [JSON.stringify(upToList(path)), upToList(path)]));
  return [...paths.values()].map((path) => ({ path, value: valueAt(change.before, path) }));
}
