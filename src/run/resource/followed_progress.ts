import type { PlanGuide, PlanProgress, PlanState } from '../../model/run/plan.js';
import { WrittenObjects } from './written_objects.js';

/** How far a run is with the plan that it follows. Each of its processes tells the others. */
export class FollowedProgress {
  readonly written = new WrittenObjects();
  /** Controllers that were checked: nothing that the plan depends on has changed. */
  readonly #checked = new Set<string>();
  /** Connections with a change: nothing is written there for other controllers either. */
  readonly #stale = new Set<string>();
  #watch: (controller: string, progress: PlanProgress) => void = () => undefined;

  constructor(private readonly guide: Pick<PlanGuide, 'stepsOf'>) {}

  isChecked(controller: string): boolean {
    return this.#checked.has(controller);
  }

  isStale(connection: string): boolean {
    return this.#stale.has(connection);
  }

  /** @param watch called with the progress of this process, and its controller */
  onProgress(watch: (controller: string, progress: PlanProgress) => void): void {
    this.#watch = watch;
  }

  /** This process makes progress with the plan of a controller. */
  note(controller: string, progress: PlanProgress): void {
    this.learn(progress);
    this.#watch(controller, progress);
  }

  /** Takes over the progress of another process of the run. */
  learn(progress: PlanProgress): void {
    switch (progress.type) {
      case 'writes':
      case 'left':
        for (const seen of progress.objects)
          this.written.set(progress.connection, seen, progress.type === 'left' ? seen.digest : undefined);
        return;
      case 'checked':
        this.#checked.add(progress.controller);
        return;
      case 'stale':
        this.#stale.add(progress.connection);
        return;
      default:
        progress satisfies never;
    }
  }

  /** The connections on which the plan acts for a controller. */
  connectionsOf(controller: string): ReadonlySet<string> {
    const steps = this.guide.stepsOf(controller);
    return new Set(steps.flatMap(({ decided }) => (decided.type === 'resource' ? [decided.connection] : [])));
  }

  /** The state for the process that walks the controller next. */
  stateFor(controller: string): PlanState {
    const connections = [...this.connectionsOf(controller)];
    const written = connections.map((one) => [one, this.written.of(one)] as const);
    return {
      checked: this.isChecked(controller),
      stale: connections.filter((one) => this.isStale(one)),
      written: written.filter(([, left]) => left.length > 0),
    };
  }

  learnState(controller: string, { checked, stale, written }: PlanState): void {
    if (checked) this.#checked.add(controller);
    for (const connection of stale) this.#stale.add(connection);
    for (const [connection, left] of written) this.written.add(connection, left);
  }
}
