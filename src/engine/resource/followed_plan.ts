import { ControllerError } from '../../controller/exchange/call.js';
import type { Past } from '../../core/model/run/past.js';
import type { PlanGuide, PlannedResource, PlannedStep } from '../../core/model/run/plan.js';
import { entry, isMapping, type Value } from '../../core/model/values/value.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { RawRequest } from '../../module/contract.js';
import type { Connection } from '../controllers/session_pool.js';
import type { TaskSession } from '../controllers/task_session.js';
import { failed, TaskProblem, type FailedResult } from '../keywords/failed_result.js';
import { type IdentifiedObject, Observation } from './observation.js';
import { differenceToPlan } from './planned_change.js';
import { withReadableNames } from './references.js';
import type { ResourceDecision, ResourceTask, PlanHooks } from './resource_task.js';
import { SharedChanges } from './shared_changes.js';
import { WritesBeforeInterrupt } from './writes_before.js';
import { type FoundObject, possiblyWritten, seenObjectKey, type TakeBack, WrittenObjects } from './written_objects.js';

const HINT = 'find out what changed it, and make a new plan for this controller';

export interface HostConnection {
  /** The host whose task it is. */
  readonly controller: string;
  readonly connection: Connection | undefined;
  /** Leads to other tenants. Absent: these are not looked into. */
  readonly session?: Pick<TaskSession, 'inTenant'> | undefined;
}

/** Identifies a task as a step of a plan. */
export type StepInPlan = Pick<PlannedStep, 'place' | 'item' | 'written'>;

/** A plan that a run follows. The run's own writes do not make it stale. */
export class FollowedPlan {
  readonly #written = new WrittenObjects();
  /** Controllers with connections that were checked: nothing there that the plan depends on has changed. */
  readonly #checked = new Set<string>();
  /** Controllers, in a tenant, with a change: nothing is written there for other hosts or as another user either. Without one: the host. */
  readonly #stale = new Set<string>();
  readonly #before: WritesBeforeInterrupt;
  readonly #shared: SharedChanges;

  constructor(
    readonly guide: PlanGuide,
    private readonly catalogue: Pick<Catalogue, 'load'>,
    past: Pick<Past, 'writtenTo'> | undefined,
    /** The id of the run. */
    private readonly run: string,
    /** The hosts that take part; absent: all. */
    limit?: ReadonlySet<string>,
  ) {
    this.#shared = new SharedChanges(guide, limit);
    this.#before = new WritesBeforeInterrupt(past, this.#digest);
  }

  /** The planned step of a task, or of an item of its loop. */
  find(controller: string, { place, item, written }: StepInPlan): PlannedStep | undefined {
    const isExact = (step: PlannedStep): boolean => step.item === item && step.written === written;
    // The items of the loop may have been unknown: then the plan has the loop as a whole.
    const isWhole = (step: PlannedStep): boolean =>
      step.decided.type === 'in place' && written.startsWith(`${step.written}#`);
    return (
      this.guide.find(controller, place, isExact) ??
      (item === undefined ? undefined : this.guide.find(controller, place, isWhole))
    );
  }

  planHooks(step: PlannedStep, planned: PlannedResource, host: HostConnection): Required<PlanHooks> {
    const id = this.#written.identify(host.connection, this.#digest);
    let before: readonly IdentifiedObject[] = [];
    let isMade = false;
    return {
      decided: async (task, decision) => {
        if (id !== planned.connection) return stale(planned.object, MOVED);
        const reason = this.#difference(host, planned, decision, task.before.length > 0);
        if (reason !== undefined) return this.#staleOn(host, planned.object, reason);
        if (task.check) return undefined;
        if (decision.plan.change.kind === 'none') {
          const seen = decision.observation.found(this.#digest).at(-1);
          isMade =
            planned.change.kind !== 'none' && (this.#shared.isByOther(host, seen) || this.#before.isOther(host, seen));
          return undefined;
        }
        return this.beforeFirstWrite(step, task.session, host);
      },
      wrote: ({ observation }) => {
        const found = observation.found(this.#digest);
        before = [...before, ...found];
        return this.#noteWrite(host, found);
      },
      left: (observation) => {
        const found = observation.found(this.#digest);
        this.#shared.noteWrite(host, found);
        this.#written.replace(id, before, found);
      },
      reported: (task, result) => (task.check ? result : this.#shared.asPlanned(host, step, task, result, isMade)),
    };
  }

  /** Before an action writes: what it may write to is the run's own from then on. */
  willWrite(host: HostConnection, { path, body }: Pick<RawRequest, 'path' | 'body'>): TakeBack {
    const name = isMapping(body) ? entry(body, 'name') : undefined;
    return this.#noteWrite(host, possiblyWritten(path, name));
  }

  #noteWrite(host: HostConnection, found: readonly FoundObject[]): TakeBack {
    const noted = this.#shared.noteWrite(host, found);
    const takeBack = this.#written.setAll(this.#written.identify(host.connection, this.#digest), found);
    return () => {
      noted();
      takeBack();
    };
  }

  /**
   * Checks once everything there that later tasks of the controller depend on: if any of it has changed, nothing is written.
   *
   * @param current the step that is about to write
   */
  async beforeFirstWrite(
    current: PlannedStep,
    session: ResourceTask['session'],
    host: HostConnection,
  ): Promise<FailedResult | undefined> {
    const { controller } = host;
    const id = this.#written.identify(host.connection, this.#digest);
    if (this.#stale.has(staleKey(host))) return stale(current.title, ELSEWHERE);
    const checked = JSON.stringify([controller, id]);
    if (this.#checked.has(checked)) return undefined;
    const steps = this.guide.steps(controller);
    const isLate = current.decided.type === 'in place' && current.decided.late === true;
    const isCurrent = (step: PlannedStep): boolean => step.place === current.place && step.item === current.item;
    for (const { decided, module } of isLate ? steps : steps.slice(steps.findIndex(isCurrent) + 1)) {
      if (decided.type !== 'resource') continue;
      const reason =
        decided.connection === id
          ? await this.#changedLater(decided, module, session, host)
          : await this.#changedElsewhere(decided, module, host);
      if (reason !== undefined) return this.#staleOn(host, decided.object, reason);
    }
    const other = await this.guide.begin(controller, this.run);
    if (other !== undefined)
      return this.#staleOn(
        host,
        current.title,
        `is not carried out, because run ${other} began to apply this plan here`,
      );
    this.#checked.add(checked);
    return undefined;
  }

  #staleOn(host: HostConnection, object: string, reason: string): FailedResult {
    this.#stale.add(staleKey(host));
    return stale(object, reason);
  }

  /**
   * As `#changedLater`, in another tenant. It may not exist yet, or not be this user's to read: the first task there checks
   * it, too.
   */
  async #changedElsewhere(planned: PlannedResource, name: string, host: HostConnection): Promise<string | undefined> {
    const other = planned.tenant === undefined ? undefined : host.session?.inTenant(planned.tenant);
    const connection = await other?.connection();
    if (other === undefined || this.#written.identify(connection, this.#digest) !== planned.connection)
      return undefined;
    try {
      return await this.#changedLater(planned, name, other, { ...host, connection });
    } catch (error) {
      if (isClosed(error)) return undefined;
      throw error;
    } finally {
      await other.end();
    }
  }

  async #changedLater(
    planned: PlannedResource,
    name: string,
    session: ResourceTask['session'],
    host: HostConnection,
  ): Promise<string | undefined> {
    const module = await this.catalogue.load(name);
    if (module?.type !== 'resource') return undefined;
    const observation = new Observation(session);
    try {
      await module.read({ ...planned.args }, observation);
    } catch (error) {
      // It depends on an object that an earlier task creates: the task itself will check it.
      if (error instanceof TaskProblem) return undefined;
      throw error;
    }
    return this.#changed(host, planned, observation) === 'changed' ? CHANGED : undefined;
  }

  #difference(
    host: HostConnection,
    planned: PlannedResource,
    decision: ResourceDecision,
    isResumed: boolean,
  ): string | undefined {
    const { change } = decision.plan;
    // A write of this task was applied before the run was cut off.
    if (isResumed && (change.kind === 'none' || decision.plan.satisfied === true)) return undefined;
    const looked = this.#changed(host, planned, decision.observation, change.kind !== 'none');
    if (looked === 'changed') return CHANGED;
    const { connection } = host;
    const now = withReadableNames(change, decision.meaning);
    return differenceToPlan(planned, { now, connection, isResumed, looked }, this.#shared.others(host));
  }

  /** `written`: this run has written to the objects that were read, and they are as it left them. */
  #changed({ connection }: HostConnection, planned: PlannedResource, observation: Observation, writes = false) {
    const then = new Map(planned.seen.map((seen) => [seenObjectKey(seen), seen.digest]));
    let isWritten = false;
    for (const seen of observation.found(this.#digest)) {
      const known = then.get(seenObjectKey(seen));
      const left =
        this.#written.compare(planned.connection, seen, known) ?? this.#before.compare(connection, seen, known, writes);
      // A namesake of what the run wrote may be as it was when the plan was made.
      const isOther = known !== seen.digest && (left === 'another' || known !== undefined);
      if (left === 'as left') isWritten = true;
      else if (left === 'changed' || isOther) return 'changed';
    }
    return isWritten ? 'written' : 'same';
  }

  readonly #digest = (value: Value): string => this.guide.digest(value);
}

const CHANGED = 'was changed since the plan was made';
const ELSEWHERE = 'would write to a controller that has changed since the plan was made';
const MOVED =
  'is reached differently than when the plan was made: its address, route, user, tenant or headers have changed';

function staleKey({ controller, connection }: HostConnection): string {
  return JSON.stringify(connection ? [connection.reached.controller, connection.settings.tenant] : controller);
}

function stale(object: string, reason: string): FailedResult {
  return failed(`stale: ${object} ${reason}; nothing more is written to this controller`, { hint: HINT, stale: true });
}

/** Whether a controller answered that a tenant has nothing to read, or not for this user. */
function isClosed(error: unknown): boolean {
  if (!(error instanceof ControllerError) || error.outcome !== 'failed' || error.temporary) return false;
  return error.status === 403 || error.status === 404;
}
