import type { Handler, Include, Included, Step, Task } from '../../core/model/playbook/step.js';
import {
  cleanupArea,
  comparePositions,
  placeIn,
  positionIn,
  type StepPosition,
} from '../../core/model/playbook/step_place.js';
import type { CountedEnd, StepRef, StepSettled } from '../../core/model/run/journal.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import type { Variables } from '../../language/scope.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { Barrier } from '../batch/strategy.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { variablesWith } from '../controllers/magic.js';
import { readVariableFiles } from '../controllers/play_variables.js';
import { StepJournal } from '../journal/step_journal.js';
import { type StepKeys, visitKey } from '../journal/step_keys.js';
import {
  failedBecause,
  type FailedResult,
  interruptedBecause,
  type InterruptedResult,
} from '../keywords/failed_result.js';
import { renderTitle } from '../keywords/rendered_keywords.js';
import { withPublished } from '../task/task_end.js';
import type { PlayContext, WalkFrame } from './play_context.js';

/** One controller's walk through one play, as steps see it. */
export interface Walker {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly connections: ControllerConnections;
  readonly variables: WalkVariables;
  readonly notified: NotifiedHandlers;
  readonly journal: WalkJournal;
  /** Number of tasks that were carried out, not skipped. */
  performed: number;
  /** The step that a halt of the batch or an interrupt kept the controller from. */
  readonly refusedAt: StepPosition | undefined;
  /** Why nothing more may start on this controller; undefined if it may. */
  refusal(frame: WalkFrame): StepEnd | undefined;
  steps(steps: readonly Step[], frame: WalkFrame): Promise<StepEnd>;
}

/** Whether a halt or an interrupt kept the controller from the first step of the frame, so that nothing in it has begun. */
export function isRefused({ refusedAt }: Walker, end: StepEnd, { position }: WalkFrame): boolean {
  if (refusedAt === undefined || (end !== 'halted' && end !== 'stopped')) return false;
  return refusedAt.length >= position.length && refusedAt.every((part, depth) => part === (position[depth] ?? 0));
}

type FailedStep = Pick<StepSettled, 'module' | 'title'> & Pick<CountedEnd, 'ignored' | 'rescued'>;

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
  hasPassed({ position, ownPosition = position }: WalkFrame): boolean {
    return this.#last !== undefined && comparePositions(ownPosition, this.#last) <= 0;
  }

  /** Whether the controller had gone on to a later step before the interrupt. */
  hasLeftBehind({ position, ownPosition = position }: WalkFrame): boolean {
    return this.#last !== undefined && comparePositions(ownPosition, this.#last) < 0;
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

  /** Records that a step which is not a task has failed. Returns whether it had before the interrupt, so that it was reported. */
  recordFailure({ position, ownPosition = position }: WalkFrame, { module, title, ...judged }: FailedStep): boolean {
    if (this.isCutOff) return false;
    const { run, area } = this.context;
    const { journal, past } = run.input.record;
    const ref = { controller: this.controller, place: placeIn(area, ownPosition) };
    if (past?.finishedStep(ref)?.module === module) return true;
    const end = judged.ignored === true ? 'completed' : 'failed';
    journal?.record({ type: 'step-settled', ...ref, module, title, end, counted: { status: 'failed', ...judged } });
    return false;
  }

  #stepRef(keys: StepKeys, area: string, frame: WalkFrame, step: Task | Include): StepRef {
    const { position, ownPosition = position, keyPrefix, siblings } = frame;
    const alike = keys.countEqual(step, siblings);
    return {
      controller: this.controller,
      place: placeIn(area, ownPosition),
      key:
        keyPrefix === '' ? this.#key(keys, area, step) : this.#countedKey(`${area}${keyPrefix}${keys.taskKey(step)}`),
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
    return visitKey(identity, this.visit(identity));
  }

  /** The controller reaches what the text identifies: a step, or one that others share. Returns how often it has. */
  visit(text: string): number {
    const visits = (this.#otherVisits ??= new Map<string, number>());
    const visit = (visits.get(text) ?? 0) + 1;
    visits.set(text, visit);
    return visit;
  }
}

const NO_HANDLERS: ReadonlyMap<Handler, undefined> = new Map();

/** The handlers that a controller must still run in its play. */
export class NotifiedHandlers {
  #pending: Map<Handler, string | undefined> | undefined;
  /** A handler failed, and no `rescue` handled the failure. */
  haveFailed = false;

  constructor(
    private readonly context: PlayContext,
    private readonly state: ControllerState,
    private readonly variables: WalkVariables,
  ) {}

  /** Notified, and not run yet. The values tell handlers apart (`#identity`): rendering all names again at each notification takes long. */
  get pending(): ReadonlyMap<Handler, string | undefined> {
    return this.#pending ?? NO_HANDLERS;
  }

  /**
   * A role that is used again has its handlers again. Of those with the same name, only the latest runs, as in ansible-core since 2.16.
   * @param novelty notifications from before the interrupt are already `reported`
   */
  notify(handlers: readonly Handler[], novelty: 'new' | 'reported'): void {
    const { run, play } = this.context;
    const before = [...this.pending];
    for (const handler of handlers) {
      if (this.pending.has(handler)) continue;
      // The name is unmasked, because different ones could look the same. Handlers without a name all run, as in Ansible.
      const identity = handler.name && `${placeText(handler.source)} ${this.#title(handler, undefined)}`;
      const [earlier] = before.find(([, one]) => identity !== undefined && one === identity) ?? [];
      if (earlier !== undefined) this.remove(earlier);
      (this.#pending ??= new Map()).set(handler, identity);
      if (novelty === 'reported' || earlier !== undefined) continue;
      const title = this.#title(handler, this.state.used());
      run.emit({ type: 'handler-notified', play: play.name, handler: title, controller: this.state.name });
    }
  }

  #title(handler: Handler, used: UsedVariables | undefined): string {
    return renderTitle(handler, () => this.variables.scope(handler.layers), used);
  }

  /** The handler was run. */
  remove(handler: Handler): void {
    this.#pending?.delete(handler);
  }
}

/** The variables of one controller during its walk through a play. */
export class WalkVariables {
  /** Variables that included roles made public. */
  #published: readonly VariableLayer[] = [];

  /** @param first what the controller sees before any task adds to it */
  constructor(
    private readonly context: PlayContext,
    private readonly state: ControllerState,
    private readonly first: Variables,
  ) {}

  /**
   * The variables as they are now, with further ones. Above them is what the controller got since its walk through the play began,
   * lowest precedence first within a level: facts, results, `include_vars`, and the groups that `group_by` and `add_host` added.
   */
  scope(layers: readonly VariableLayer[]): Variables {
    const { controller, isRegrouped, layers: since } = this.state;
    const inventory = isRegrouped ? this.context.play.variables.ofInventory(controller) : [];
    return this.first.child([...this.#published, ...layers, ...inventory, ...since]);
  }

  /** Makes the variables of an included role visible to all later steps. */
  publish(included: Pick<Included, 'layers'>): void {
    this.#published = withPublished(this.#published, included);
  }
}

/** The controller's variables before any task adds to them, or why they cannot be determined. */
export async function firstVariables(
  context: PlayContext,
  state: ControllerState,
): Promise<Variables | FailedResult | InterruptedResult> {
  const { run, play } = context;
  const { variables, definition } = play;
  const base = variablesWith(variables.ofPlay(state.controller), context, state);
  try {
    const hasFiles = definition.variableFiles.length > 0;
    const files = hasFiles ? await readVariableFiles(definition, run.input.sources, base) : [];
    const all = files.length === 0 ? base : base.child(files);
    run.secrets.learnLayers(all.layersSince(), all);
    return all;
  } catch (error) {
    return interruptedBecause(error, run.control.stopSignals) ?? failedBecause(error, 'vars_files');
  }
}
