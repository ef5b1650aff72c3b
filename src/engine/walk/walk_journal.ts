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
import { type StepKeys, type StepIdentity, visitKey } from '../journal/step_keys.js';
import type { PlayContext, WalkFrame } from './play_context.js';

/** What the journal has of a controller's walk, and what the walk adds to it. */
export class WalkJournal {
  /** The last step before the interrupt, until the controller has passed it. */
  #last: StepPosition | undefined;
  /** How often the controller has reached each kind of step, by number or else by text. A list takes a fifth of the memory. */
  readonly #visits: number[] = [];
  #visitsInside: Map<string, number> | undefined;
  #isCutOff = false;

  constructor(
    private readonly context: PlayContext,
    private readonly controller: string,
    private readonly barrier: Barrier,
  ) {
    const last = context.run.input.record.past?.reached(controller, context.area);
    this.#last = last === undefined ? undefined : positionIn(context.area, last);
  }

  /** An interrupt stopped the walk, so a resume runs the cleanup again. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  cutOff(): void {
    this.#isCutOff = true;
  }

  /** Whether the controller had passed this step before the interrupt. */
  hasPassed({ position }: WalkFrame): boolean {
    return this.#last !== undefined && comparePositions(position, this.#last) <= 0;
  }

  /** Whether the controller had gone on to a later step before the interrupt. */
  hasLeftBehind({ position }: WalkFrame): boolean {
    return this.#last !== undefined && comparePositions(position, this.#last) < 0;
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
    const [own, known] = this.#isCutOff ? [cleanupArea(area), undefined] : [area, past];
    return new StepJournal(journal, known, this.#stepRef(run.keys, own, frame, step));
  }

  #stepRef(keys: StepKeys, area: string, frame: WalkFrame, step: Task | Include): StepRef {
    const { position, within, siblings } = frame;
    const kind = keys.kind(step, area, within);
    const visit = this.#countVisit(kind);
    const alike = keys.countEqual(step, siblings);
    return {
      controller: this.controller,
      place: placeIn(area, position),
      key: visit === 1 ? kind.first : visitKey(kind.text, visit),
      ...(alike !== undefined && { alike }),
      ...(step.loop !== undefined && { list: keys.list(step.loop) }),
    };
  }

  #countVisit({ number, text }: StepIdentity): number {
    if (number !== undefined) return (this.#visits[number] = (this.#visits[number] ?? 0) + 1);
    const visits = (this.#visitsInside ??= new Map<string, number>());
    const visit = (visits.get(text) ?? 0) + 1;
    visits.set(text, visit);
    return visit;
  }
}
