import type { BatchEnded, Journal } from '../../model/run/journal.js';
import { placeIn, positionIn, comparePositions, type Position } from '../../model/playbook/step_place.js';
import type { Past } from '../../model/run/past.js';

/** Identifies the batch. */
interface BatchRef {
  /** From 0. */
  readonly play: number;
  /** From 1. */
  readonly batch: number;
  /** Area of the play in the journal. */
  readonly area: string;
}

/**
 * Records which controllers of a batch are at work, so that a resume finishes what had started before the batch ended.
 */
export class BatchJournal {
  /** How the batch ended before the run was cut off. */
  readonly past: readonly BatchEnded[];
  readonly #atWork = new Map<string, string>();
  /** The last step for each controller that was at work when the batch ended. */
  readonly #mayReach = new Map<string, Position>();

  constructor(
    private readonly ref: BatchRef,
    private readonly journal: Journal | undefined,
    past: Past | undefined,
  ) {
    this.past = past?.ended(ref.play, ref.batch) ?? [];
    for (const { controller, place } of this.past.flatMap(({ underWay }) => underWay)) {
      const position = positionIn(ref.area, place);
      const known = this.#mayReach.get(controller) ?? [];
      if (position !== undefined && comparePositions(position, known) > 0) this.#mayReach.set(controller, position);
    }
  }

  begin(controller: string, position: Position): void {
    if (this.journal !== undefined) this.#atWork.set(controller, placeIn(this.ref.area, position));
  }

  finishStep(controller: string): void {
    this.#atWork.delete(controller);
  }

  end(how: BatchEnded['how'], reason?: string): void {
    const { play, batch } = this.ref;
    const underWay = [...this.#atWork].map(([controller, place]) => ({ controller, place }));
    this.journal?.record({ type: 'batch-ended', play, batch, how, ...(reason !== undefined && { reason }), underWay });
  }

  /** Whether the controller had reached that position, or a later one, before the batch ended. */
  mayFinish(controller: string, position: Position): boolean {
    const last = this.#mayReach.get(controller);
    return last !== undefined && comparePositions(position, last) <= 0;
  }
}
