import type { Event, RunFinished, TaskFinished } from '../core/model/run/event.js';
import type { Change, NotComparedReason } from '../core/model/run/result.js';
import { type FieldPath, placeText, type Source } from '../core/model/source/diagnostic.js';
import { getOrAdd, appendTo } from '../core/model/values/groups.js';
import { valueAt, type Value } from '../core/model/values/value.js';
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
  readonly masked: Map<string, ActingController>;
  readonly invoked: Map<string, Map<string, ActingController>>;
}

type GapCause = NotComparedReason | 'unreachable' | 'not shown';

interface OpenGap extends Omit<NotCompared, 'controllers' | 'unread'> {
  readonly gap: GapCause;
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

  /** Modules of tasks that could not compare something. */
  get unclearModules(): ReadonlySet<string> {
    return new Set([...this.#gaps.values()].map(({ module }) => module));
  }

  get tasks(): readonly DriftedTask[] {
    const found = [...this.#tasks.values()].map((open): DriftedTask => {
      const { changes, groups, ...rest } = open;
      return {
        ...rest,
        others: changes.others,
        groups: changes.sorted.map((group) => ({
          changes: group,
          members: (groups.get(group) ?? []).sort((a, b) => compareNames(a.controller, b.controller)),
        })),
      };
    });
    return found.filter((one) => one.groups.length + one.others.size + one.masked.size + one.invoked.size > 0);
  }

  /** @param isAction whether a module has no objects to compare: its failure hides no drift */
  notCompared(isAction: (module: string) => boolean): readonly NotCompared[] {
    return [...this.#gaps.values()].flatMap(({ gap, ...rest }): readonly NotCompared[] => {
      const unread = gap !== 'check mode' && !isAction(rest.module);
      return unread || gap === 'check mode' || gap === 'later' ? [{ ...rest, unread }] : [];
    });
  }

  #finishTask(event: TaskFinished): void {
    const { change, status, message = '', notCompared } = event;
    if (this.#endsLoop(event)) return;
    if (change?.kind === 'invoke')
      addActing(
        getOrAdd(this.#task(event).invoked, change.object, () => new Map()),
        event,
      );
    else if (change !== undefined && change.kind !== 'none') this.#add(event, change);
    else if (event.maskedChange === true) addActing(this.#task(event).masked, event);
    const isPassedOver = event.ignored === true || event.rescued === true;
    if (notCompared === 'check mode') this.#miss(event, 'check mode skips it', notCompared);
    else if (notCompared === 'later') this.#miss(event, message, notCompared);
    else if (notCompared === 'failed' || (status === 'failed' && isPassedOver))
      this.#miss(event, `failed: ${message}`, 'failed');
    else if (status === 'unreachable' && isPassedOver) this.#miss(event, `unreachable: ${message}`, 'unreachable');
  }

  /** The event of a whole loop repeats those of its items. */
  #endsLoop({ item, controller }: TaskFinished): boolean {
    if (item === undefined) return this.#looping.delete(controller);
    this.#looping.add(controller);
    return false;
  }

  #add(event: TaskFinished, change: DriftChange): void {
    if (change.kind === 'update' && change.before === null)
      return this.#miss(event, `the controller does not show ${change.object}`, 'not shown');
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
      masked: new Map<string, ActingController>(),
      invoked: new Map<string, Map<string, ActingController>>(),
    }));
  }

  #miss(event: TaskFinished, reason: string, gap: GapCause): void {
    const { task, module, source } = event;
    const key = JSON.stringify([placeText(source), reason]);
    const open = getOrAdd(this.#gaps, key, () => ({
      task,
      module,
      source,
      reason,
      gap,
      controllers: new Map<string, ActingController>(),
    }));
    addActing(open.controllers, event);
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
