import type { PlanProgress, PlanState } from '../../../model/run/plan.js';
import type { FollowedProgress } from '../../resource/followed_progress.js';

/** Marks a connection that several controllers use. */
const SEVERAL = Symbol('several');

/** Tells each walk how far other walks are with the plan that the run applies. */
export class AppliedPlan {
  /** For each connection of the plan, the controller that uses it, or `SEVERAL`. */
  readonly #users = new Map<string, string | typeof SEVERAL>();

  /**
   * @param followed absent: the run applies no plan
   * @param share sends progress to all workers
   */
  constructor(
    private readonly followed: FollowedProgress | undefined,
    private readonly share: (progress: PlanProgress) => void,
  ) {
    followed?.onProgress((_, progress) => {
      this.#share(progress);
    });
  }

  /** A worker reports progress. */
  note(progress: PlanProgress): void {
    this.followed?.learn(progress);
    this.#share(progress);
  }

  /** The state of the plan for a walk of the controller. Undefined: the run does not apply a plan. */
  stateFor(controller: string): PlanState | undefined {
    this.useConnections(controller);
    return this.followed?.stateFor(controller);
  }

  /** A walk of the controller begins. */
  useConnections(controller: string): void {
    for (const connection of this.followed?.connectionsOf(controller) ?? []) {
      const known = this.#users.get(connection);
      this.#users.set(connection, known === undefined || known === controller ? controller : SEVERAL);
    }
  }

  /** Progress on a connection of only one controller is sent with its next walk. */
  #share(progress: PlanProgress): void {
    if (progress.type !== 'checked' && this.#users.get(progress.connection) === SEVERAL) this.share(progress);
  }
}
