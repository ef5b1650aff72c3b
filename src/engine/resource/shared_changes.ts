import type { PlanGuide, PlannedResource, PlannedStep } from '../../core/model/run/plan.js';
import type { Change, RunTaskResult } from '../../core/model/run/result.js';
import { hasLater } from '../../core/model/values/json.js';
import { isMapping, type Value } from '../../core/model/values/value.js';
import type { Connection } from '../controllers/session_pool.js';
import { stepThatShows, type SharingHost } from './planned_change.js';
import { changeValues, type NamedTask } from './resource_task.js';
import type { TakeBack } from './written_objects.js';

const NONE: Change = { kind: 'none' };

/** A task of a host, and how it reaches its controller. */
interface ActingTask {
  readonly controller: string;
  readonly connection: Connection | undefined;
}

/**
 * Hosts that share a controller: each may make what is planned for another one. Results stay as planned, because conditions and
 * handlers of the plan depend on them.
 */
export class SharedChanges {
  /** The steps whose change another host has made. */
  readonly #made = new Set<string>();

  constructor(
    private readonly guide: Pick<PlanGuide, 'changingAt' | 'stepsOf'>,
    /** The hosts that take part; absent: all. */
    private readonly limit: ReadonlySet<string> | undefined,
  ) {}

  /** The other hosts whose tasks change something there. */
  others({ controller, connection }: ActingTask): readonly SharingHost[] {
    const all = this.guide.changingAt(connection?.reached.url ?? '');
    return all
      .filter((name) => name !== controller)
      .map((name) => ({
        name,
        isPart: this.#isPart(name),
        steps: () => this.guide.stepsOf(name),
      }));
  }

  /** What the plan has for the other hosts that act there. */
  stepsThere({ controller, connection }: ActingTask): readonly PlannedStep[] {
    const { reached, settings } = connection ?? {};
    const hosts = new Set([...this.guide.changingAt(reached?.url ?? ''), settings?.controller ?? controller]);
    hosts.delete(controller);
    return [...hosts].filter((name) => this.#isPart(name)).flatMap((name) => this.guide.stepsOf(name));
  }

  /** Before a write. */
  willMake(acting: ActingTask, planned: PlannedResource, change: Change): TakeBack {
    const other = this.#elsewhere(acting, planned, change);
    if (other === undefined) return () => undefined;
    const made = stepId(other.host, other.step);
    this.#made.add(made);
    return () => this.#made.delete(made);
  }

  /** Whether another host has made what is planned for the step. */
  isMade({ controller }: ActingTask, step: PlannedStep): boolean {
    return this.#made.has(stepId(controller, step));
  }

  /** @param isMade whether another host has made what is planned for this task */
  asPlanned(
    acting: ActingTask,
    planned: PlannedResource,
    task: NamedTask,
    result: RunTaskResult,
    isMade: boolean,
  ): RunTaskResult {
    const { object = null } = result.values;
    if (result.status === 'changed') {
      const other = this.#elsewhere(acting, planned, result.change);
      if (other === undefined) return result;
      return { status: 'ok', values: changeValues(task, NONE, object), message: `made as planned for ${other.host}` };
    }
    if (result.status !== 'ok' || !isMade) return result;
    const change = known(planned.change, object);
    return { status: 'changed', values: changeValues(task, change, object), change };
  }

  /** The step of another host for which the change is planned; undefined if this task is to change something itself. */
  #elsewhere(acting: ActingTask, planned: PlannedResource, change: Change) {
    if (planned.change.kind !== 'none') return undefined;
    return stepThatShows(planned, change, acting.connection, this.others(acting));
  }

  #isPart(host: string): boolean {
    return this.limit?.has(host) !== false;
  }
}

/** With what only the write has made known. */
function known(change: Change, object: Value): Change {
  const isKnown = change.kind === 'none' || change.kind === 'invoke' || change.kind === 'delete' || !hasLater(change);
  return isKnown || !isMapping(object) ? change : { ...change, after: object };
}

function stepId(host: string, { place, item, written }: PlannedStep): string {
  return JSON.stringify([host, place, item, written]);
}
