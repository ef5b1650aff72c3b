import type { Include, Task } from '../../core/model/playbook/step.js';
import {
  cleanupArea,
  comparePositions,
  placeIn,
  positionIn,
  type StepPosition,
} from '../../core/model/playbook/step_place.js';
import type { StepRef } from '../../core/model/run/journal.js';
import type { Barrier } from '../batch/strategy.js';
import { StepJournal } from '../journal/step_journal.js';
import { type StepKeys, visitKey } from '../journal/step_keys.js';
import type { PlayContext, WalkFrame } from './play_context.js';

/** What the journal has of a controller's walk, and what the walk adds to it. */
export class WalkJournal {
  /** The last step before the interrupt, until the controller has passed it. */
  #last: StepPosition | undefined;
  /** How often the controller has reached each step, by its number. A map by text would take five times the memory. */
  readonly #visits: number[] = [];
  /** The same for steps without a number, by text. */
  #otherVisits: Map<string, number> | undefined;
  /** An interrupt stopped the walk, so a resume runs the cleanup again. */
  isCutOff = false;

  constructor(
    private readonly context: PlayContext,
    private readonly controller: string,
    private readonly barrier: Barrier,
  ) {
    const last = context.run.input.record.past?.reached(controller, context.area);
    this.#last = last === undefined ? undefined : positionIn(context.area, last);
  }

  /** Whether the controller had passed this step before the interrupt. */
  hasPassed({ position, own = position }: WalkFrame): boolean {
    return this.#last !== undefined && comparePositions(own, this.#last) <= 0;
  }

  /** Whether the controller had gone on to a later step before the interrupt. */
  hasLeftBehind({ position, own = position }: WalkFrame): boolean {
    return this.#last !== undefined && comparePositions(own, this.#last) < 0;
  }

  /** The controller reaches a step. Resolves when the step may start, if it is new. */
  arriveAt(frame: WalkFrame): Promise<void> | undefined {
    if (this.#last === undefined || this.hasPassed(frame)) return undefined;
    this.#last = undefined;
    return this.barrier.startNew();
  }

  /** What the journal keeps of a step and knows about it; undefined if there is nothing. */
  stepJournal(frame: WalkFrame, step: Task | Include): StepJournal | undefined {
    const { run, area } = this.context;
    const { journal, past } = run.input.record;
    if (run.keys === undefined) return undefined;
    const [own, known] = this.isCutOff ? [cleanupArea(area), undefined] : [area, past];
    return new StepJournal(journal, known, this.#stepRef(run.keys, own, frame, step));
  }

  #stepRef(keys: StepKeys, area: string, frame: WalkFrame, step: Task | Include): StepRef {
    const { position, own = position, within, siblings } = frame;
    const alike = keys.countEqual(step, siblings);
    return {
      controller: this.controller,
      place: placeIn(area, own),
      key: within === '' ? this.#key(keys, area, step) : this.#countedKey(`${area}${within}${keys.of(step)}`),
      ...(alike !== undefined && { alike }),
      ...(step.loop !== undefined && { list: keys.list(step.loop) }),
    };
  }

  #key(keys: StepKeys, area: string, step: Task | Include): string {
    const { number, text, first } = keys.identify(step, area);
    if (number === undefined) return this.#countedKey(text);
    const visit = (this.#visits[number] ?? 0) + 1;
    this.#visits[number] = visit;
    return visit === 1 ? first : visitKey(text, visit);
  }

  #countedKey(identity: string): string {
    const visits = (this.#otherVisits ??= new Map<string, number>());
    const visit = (visits.get(identity) ?? 0) + 1;
    visits.set(identity, visit);
    return visitKey(identity, visit);
  }
}
