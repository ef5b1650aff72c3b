import { comparePositions, placeIn, positionIn, type StepPosition } from '../../core/model/playbook/step_place.js';
import type { BatchEnded, Journal } from '../../core/model/run/journal.js';
import type { Past } from '../../core/model/run/past.js';

interface BatchRef {
  /** From 0. */
  readonly play: number;
  /** From 1. */
  readonly batch: number;
  /** Area of the play in the journal. */
  readonly area: string;
}

interface Cause {
  readonly reason: string;
  /** Of the step that halted the batch. */
  readonly position?: StepPosition | undefined;
}

/**
 * Records which controllers of a batch are at work, so that a resume finishes what had started before the batch ended.
 */
export class BatchJournal {
  /** How the batch ended before the run was cut off. */
  readonly past: readonly (Pick<BatchEnded, 'how' | 'reason'> & Pick<Cause, 'position'>)[];
  readonly #atWork = new Map<string, string>();
  /** The last step for each controller that was at work when the batch ended. */
  readonly #mayReach = new Map<string, StepPosition>();
  /** Whether a step began that the run had not finished before the interrupt. */
  hasBegun = false;

  constructor(
    private readonly ref: BatchRef,
    private readonly journal: Journal | undefined,
    past: Past | undefined,
  ) {
    const ended = past?.ended(ref.play, ref.batch) ?? [];
    this.past = ended.map(({ how, reason, place }) => ({
      how,
      reason,
      position: place === undefined ? undefined : positionIn(ref.area, place),
    }));
    for (const { controller, place } of ended.flatMap(({ underWay }) => underWay)) {
      const position = positionIn(ref.area, place);
      const known = this.#mayReach.get(controller) ?? [];
      if (position !== undefined && comparePositions(position, known) > 0) this.#mayReach.set(controller, position);
    }
  }

  begin(controller: string, position: StepPosition): void {
    this.hasBegun = true;
    if (this.journal !== undefined) this.#atWork.set(controller, placeIn(this.ref.area, position));
  }

  finishStep(controller: string): void {
    this.#atWork.delete(controller);
  }

  end(how: BatchEnded['how'], cause?: Cause): void {
    const { play, batch, area } = this.ref;
    const underWay = [...this.#atWork].map(([controller, place]) => ({ controller, place }));
    const why = cause && { reason: cause.reason };
    const at = cause?.position && { place: placeIn(area, cause.position) };
    this.journal?.record({ type: 'batch-ended', play, batch, how, ...why, ...at, underWay });
  }

  /** Whether the batch was halted before the interrupt. */
  get wasHalted(): boolean {
    return this.past.some(({ how }) => how === 'halted');
  }

  /** Whether the controller had reached that position, or a later one, before the batch ended. */
  mayFinish(controller: string, position: StepPosition): boolean {
    const last = this.#mayReach.get(controller);
    return last !== undefined && comparePositions(position, last) <= 0;
  }
}
