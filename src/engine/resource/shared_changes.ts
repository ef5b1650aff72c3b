import type { PlanGuide, PlannedStep } from '../../core/model/run/plan.js';
import type { Change, RunTaskResult } from '../../core/model/run/result.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { hasLater, isMapping, type Value } from '../../core/model/values/value.js';
import type { Connection } from '../controllers/session_pool.js';
import type { IdentifiedObject } from './observation.js';
import { hostThatShows, type SharingHost } from './planned_change.js';
import { changeValues, type NamedTask } from './resource_task.js';
import { type FoundObject, type TakeBack, WrittenObjects } from './written_objects.js';

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
  /** What each host has written where others write, too. */
  readonly #written = new Map<string, WrittenObjects>();
  /** The steps there that were `changed`. A task is repeated until it finds nothing to do. */
  readonly #changed = new Set<string>();

  constructor(
    private readonly guide: Pick<PlanGuide, 'changingAt' | 'steps' | 'digest'>,
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
        isPart: this.limit?.has(name) !== false,
        steps: () => this.guide.steps(name),
      }));
  }

  /** @param found what a task writes to, before the write or after it */
  noteWrite(acting: ActingTask, found: readonly FoundObject[]): TakeBack {
    if (this.others(acting).length === 0) return () => undefined;
    const written = getOrAdd(this.#written, acting.controller, () => new WrittenObjects());
    return written.setAll(this.#identify(written, acting), found);
  }

  /** Whether another host has written the object. Which of its tasks did so, and for which step, does not matter. */
  isByOther(acting: ActingTask, seen: IdentifiedObject | undefined): boolean {
    if (seen === undefined) return false;
    return [...this.#written].some(
      ([host, written]) =>
        host !== acting.controller && written.compare(this.#identify(written, acting), seen) !== undefined,
    );
  }

  /** @param isMade whether another host has made what is planned for the step */
  asPlanned(
    acting: ActingTask,
    step: PlannedStep,
    task: NamedTask,
    result: RunTaskResult,
    isMade: boolean,
  ): RunTaskResult {
    const { decided: planned } = step;
    if (planned.type !== 'resource') return result;
    const { object = null } = result.values;
    if (result.status === 'changed' && planned.change.kind === 'none') {
      const host = hostThatShows(planned, result.change, acting.connection, this.others(acting));
      if (host === undefined) return result;
      return { status: 'ok', values: changeValues(task, NONE, object), message: `made as planned for ${host}` };
    }
    const id = JSON.stringify([acting.controller, step.place, step.item, step.written]);
    const isLeft = result.status === 'ok' && isMade && !this.#changed.has(id);
    if (isLeft || (this.#written.size > 0 && result.status === 'changed')) this.#changed.add(id);
    if (!isLeft) return result;
    const change = known(planned.change, object);
    return { status: 'changed', values: changeValues(task, change, object), change };
  }

  #identify(written: WrittenObjects, { connection }: ActingTask): string {
    return written.identify(connection, (value) => this.guide.digest(value));
  }
}

/** With what only the write has made known. */
function known(change: Change, object: Value): Change {
  const isKnown = change.kind === 'none' || change.kind === 'invoke' || change.kind === 'delete' || !hasLater(change);
  return isKnown || !isMapping(object) ? change : { ...change, after: object };
}
