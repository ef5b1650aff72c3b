import { comparePositions, type Position } from '../../../model/playbook/step_place.js';
import type { OnceResult, StepEnd } from '../../batch/batch_state.js';
import type { Turn } from '../../batch/once.js';
import { clearForAll } from '../../walk/walk_meta.js';
import type { Answers } from '../messages.js';
import type { Walked } from './walk_coordinator.js';

type Performing = Extract<Turn<OnceResult>, { type: 'perform' }>;

interface StepOfBatch {
  readonly step: string;
  readonly position: Position;
}

/**
 * What other controllers of the batch wait for: a walk's progress in lockstep, and the steps that it carries out for
 * all.
 */
export class WalkTurns {
  readonly #performing = new Map<string, Performing>();
  /** In lockstep: the current step, the pending request to begin one, and the last completed one. */
  #inside: Position | undefined;
  #beginning: Promise<void> | undefined;
  #passed: Position | undefined;
  /** The worker replays a step that an earlier attempt has completed. */
  #isReplaying = false;
  /** What the walk has cleared for all controllers, and at which position. */
  readonly #cleared = new Set<string>();
  /** The result for other controllers of steps that this one no longer carries out. */
  #left: StepEnd | undefined;

  constructor(private readonly walked: Walked) {}

  /** Prepares for another worker that continues the walk. */
  restart(): void {
    this.#isReplaying = false;
  }

  /** Passes steps at once that an earlier attempt has completed: the other controllers do not wait for them again. */
  async beginStep(position: Position): Promise<void> {
    if (this.#passed !== undefined && comparePositions(position, this.#passed) <= 0) {
      this.#isReplaying = true;
      return;
    }
    if (this.#inside !== undefined) return;
    this.#beginning ??= this.walked.barrier.beginStep(position).then(() => {
      this.#inside = position;
      this.#beginning = undefined;
    });
    await this.#beginning;
  }

  endStep(): void {
    if (this.#isReplaying) this.#isReplaying = false;
    else if (this.#inside !== undefined) {
      this.#passed = this.#inside;
      this.#inside = undefined;
      this.walked.barrier.endStep();
    }
  }

  async turn(at: StepOfBatch): Promise<Answers['turn']> {
    const { batch, state } = this.walked;
    const key = onceKey(at);
    // An earlier attempt has the turn.
    if (this.#performing.has(key)) return { type: 'perform' };
    const turn = await batch.state.once.turn(state.name, at.step, at.position);
    if (turn.type === 'share') return turn;
    if (this.#left === undefined) this.#performing.set(key, turn);
    else turn.done({ type: 'step', end: this.#left });
    return { type: 'perform' };
  }

  onceDone(at: StepOfBatch, result: OnceResult): void {
    const { barrier, context, state } = this.walked;
    if (result.type === 'task' && barrier.lockstep)
      context.run.fleet.share(context.play.batch, result.end.keptVariables, state.name);
    const key = onceKey(at);
    this.#performing.get(key)?.done(result);
    this.#performing.delete(key);
  }

  /** Clears only once, because what an earlier attempt cleared may have been set again since. */
  clear(what: 'errors' | 'facts', position: Position): void {
    const key = `${what} ${position.join('.')}`;
    if (this.#cleared.has(key)) return;
    this.#cleared.add(key);
    clearForAll(this.walked.context, what);
  }

  /**
   * The controller leaves the batch.
   * @param end the result for other controllers of the steps that it did not finish
   */
  async leave(end: StepEnd): Promise<void> {
    this.#left = end;
    for (const { done } of this.#performing.values()) done({ type: 'step', end });
    this.#performing.clear();
    await this.#beginning;
    this.#isReplaying = false;
    this.endStep();
  }
}

function onceKey({ step, position }: StepOfBatch): string {
  return `${step} ${position.join('.')}`;
}
