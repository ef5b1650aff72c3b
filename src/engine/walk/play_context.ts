import type { Include, Step, Task } from '../../core/model/playbook/step.js';
import {
  cleanupArea,
  comparePositions,
  placeIn,
  positionIn,
  type StepPosition,
} from '../../core/model/playbook/step_place.js';
import type { StepRef } from '../../core/model/run/journal.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { LoadedModules } from '../../module/catalogue.js';
import type { BatchState } from '../batch/batch_state.js';
import type { Handlers } from '../batch/handlers.js';
import type { Barrier } from '../batch/strategy.js';
import type { Enclosing, TaskContext } from '../context/task_run.js';
import { StepJournal, type StepKeys, visitKey } from '../journal/step_journal.js';

/** The state that the controllers of one batch of a play share. */
export interface PlayContext extends TaskContext {
  /** The steps that the tags select, and the flushes between them. */
  readonly steps: readonly Step[];
  readonly handlers: Handlers;
  readonly modules: LoadedModules;
  /** The area of the play in the journal. */
  readonly area: string;
  readonly batchState: BatchState;
}

/** The surroundings of the steps that a controller is walking through. */
export interface WalkFrame extends Enclosing {
  readonly position: StepPosition;
  /** The same for the controller alone, in its journal and plan. Absent: the same. In lockstep, the position counts the includes of all. */
  readonly own?: StepPosition | undefined;
  /** Prefix of journal keys for the enclosing loops and includes. */
  readonly within: string;
  /** The steps among which equal ones must be distinguished: those of the play, or of the include. */
  readonly siblings: readonly Step[];
  /** What an include with a loop passes to its steps: its `vars` and its item. Absent: the include around has no loop. */
  readonly item?: readonly VariableLayer[] | undefined;
  /** Variables of the enclosing includes and loops, lowest precedence first within a level. */
  readonly layers: readonly VariableLayer[];
  /** The outermost loop or flush around, in which controllers can reach the same step at different positions. */
  readonly varying?: StepPosition | undefined;
}

export const OUTERMOST: WalkFrame = {
  position: [],
  within: '',
  siblings: [],
  layers: [],
  rescuable: false,
  cleanup: 'none',
  handler: false,
};

export function inside(frame: WalkFrame, ...position: readonly number[]): WalkFrame {
  const { own } = frame;
  return { ...frame, position: [...frame.position, ...position], ...(own && { own: [...own, ...position] }) };
}

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
