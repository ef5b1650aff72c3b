import { EXIT } from '../core/model/exit_code.js';
import type { Event, RunFinished } from '../core/model/run/event.js';
import { emptyStats, isTrouble, type Stats } from '../core/model/run/result.js';
import { getOrAdd } from '../core/model/values/groups.js';
import type { CountedTask } from './context/task_run.js';
import type { ControllerStatus } from './controllers/controller_state.js';

/** Folds `task-finished` events into the recap. A loop counts once, as its task; checks of gates do not count. */
export class StatsFold {
  readonly #stats = new Map<string, Stats>();
  /** Controllers that changed something in a failure that does not count. */
  readonly #handled = new Set<string>();

  /** @param order of the controllers in `all`, because the order in which they finish varies from run to run */
  constructor(private readonly order: readonly string[] = []) {}

  /** A task has started on the controller. Returns what its tasks count to so far. */
  begin(controller: string): Stats {
    return getOrAdd(this.#stats, controller, () => emptyStats());
  }

  add(event: CountedTask): void {
    if (event.item !== undefined || event.round !== undefined) return;
    count(this.begin(event.controller), event);
    if (event.changed === true && !isTrouble(event)) this.#handled.add(event.controller);
  }

  /** Controllers whose only changes were in such failures. */
  get changed(): readonly string[] {
    return [...this.#handled].filter((name) => this.#stats.get(name)?.changed === 0);
  }

  get(controller: string): Stats | undefined {
    return this.#stats.get(controller);
  }

  get all(): Readonly<Record<string, Stats>> {
    const names = new Set([...this.order, ...this.#stats.keys()]);
    const entries = [...names].map((name) => [name, this.#stats.get(name)] as const);
    return Object.fromEntries(entries.flatMap(([name, stats]) => (stats === undefined ? [] : [[name, stats]])));
  }
}

/** A run as far as its events say, even if the last one is missing. */
export class RunFold {
  /** Of the plays that have started. */
  readonly controllers = new Set<string>();
  readonly stats = new StatsFold();
  /** All controllers of the latest gate are stale. */
  staleGate = false;
  finished: RunFinished | undefined;
  /** Controllers that have not finished their play. */
  readonly #open = new Set<string>();

  handle(event: Event): void {
    // A resume starts the same run again.
    if (event.type === 'run-started') this.finished = undefined;
    if (event.type === 'play-started')
      for (const name of event.controllers) {
        this.controllers.add(name);
        this.#open.add(name);
      }
    if (event.type === 'task-started') this.stats.begin(event.controller);
    if (event.type === 'task-finished') this.stats.add(event);
    if (event.type === 'controller-finished' && event.cutOff !== true) this.#open.delete(event.controller);
    if (event.type === 'gate-started') this.staleGate = event.controllers.length === 0;
    if (event.type === 'run-finished') this.finished = event;
  }

  /** Of a run whose process has ended: the controllers that started no task. */
  get unstarted(): readonly string[] {
    return [...this.#open].filter((name) => this.stats.get(name) === undefined);
  }

  /** Of a run whose process has ended: those that did not finish their play. */
  get cutOff(): readonly string[] {
    return [...this.#open].filter((name) => this.stats.get(name) !== undefined);
  }
}

/** An ignored failure also counts as ok, and a rescued one only as rescued, as in Ansible's recap. */
function count(stats: Stats, { status, ignored, rescued, changed, included = 1 }: CountedTask): void {
  if (status === 'interrupted') return;
  if ((status === 'failed' || status === 'unreachable') && ignored === true) {
    stats.ok++;
    stats.ignored++;
    if (status === 'failed' && changed === true) stats.changed++;
    return;
  }
  if (status === 'changed') stats.ok++;
  if (status === 'failed' && rescued === true) stats.rescued++;
  else stats[status] += status === 'ok' ? included : 1;
}

export type Ending = Pick<RunFinished, 'status' | 'exitCode'>;

/** Why a run may have ended early. */
interface Ended {
  readonly interrupted: boolean;
  /** A gate ended the run. */
  readonly gated: boolean;
  /** The journal could not be written any more, controllers were left out, or a failure that was cleared meanwhile has kept some from their tasks. */
  readonly isIncomplete?: boolean;
}

/**
 * The exit code of a run: 130 interrupted, 6 a gate stopped the rollout, 2 a controller failed or tasks were left out, 4 a
 * controller was unreachable and none failed, 0 success. Failures that `clear_host_errors` cleared do not count, as in Ansible.
 */
export function judgeEnding(
  controllers: Iterable<ControllerStatus>,
  { interrupted, gated, isIncomplete = false }: Ended,
): Ending {
  if (interrupted) return { status: 'interrupted', exitCode: EXIT.interrupted };
  if (gated) return { status: 'failed', exitCode: EXIT.gated };
  const statuses = new Set(controllers);
  if (statuses.has('failed')) return { status: 'failed', exitCode: EXIT.failed };
  if (statuses.has('stale')) return { status: 'stale', exitCode: EXIT.stale };
  if (statuses.has('unreachable')) return { status: 'unreachable', exitCode: EXIT.unreachable };
  if (isIncomplete) return { status: 'failed', exitCode: EXIT.failed };
  return { status: 'ok', exitCode: EXIT.ok };
}
