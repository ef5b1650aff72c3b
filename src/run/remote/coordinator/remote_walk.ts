import { HANDOVER } from '../../../model/run/event.js';
import { errorMessage } from '../../../model/error_message.js';
import { LoadError } from '../../../model/source/diagnostic.js';
import { placeText } from '../../../model/source/source.js';
import { comparePositions, type Position } from '../../../model/playbook/step_place.js';
import type { AttemptEnd } from '../../../model/run/worker_transport.js';
import type { StepEnd } from '../../batch/batch_state.js';
import { applyChange, type OutsideChange } from '../../controllers/kept_variables.js';
import type { BeforeWalk, ChangeByOther, News, WalkEnd, WalkOrder } from '../walk_order.js';
import { type KnownOfController, setKnown } from '../known.js';
import { RemoteAttempt } from './remote_attempt.js';
import type { WalkCoordinator, Walked } from './walk_coordinator.js';
import { WalkHistory } from './walk_history.js';
import { WalkTurns } from './walk_turns.js';

/**
 * The coordinator's view of one controller's walk. A worker carries it out; if that worker is lost, another one
 * continues.
 */
export class RemoteWalk {
  /** The variables of the controller before the walk. Each attempt begins with them, and replays earlier steps. */
  readonly #known: KnownOfController;
  readonly #history: WalkHistory;
  readonly #turns: WalkTurns;
  /** Changes that others made to the controller's variables since then, with the process that made them. */
  readonly #changesByOthers: (ChangeByOther & { readonly instance: string | undefined })[] = [];
  /** The last step that any attempt has reached. */
  #reached: Position | undefined;
  /** The worker has the order: later changes are sent to it. */
  #isOrdered = false;
  #attempt: RemoteAttempt | undefined;
  #attempts = 0;

  constructor(
    private readonly dispatcher: WalkCoordinator,
    private readonly walked: Walked,
  ) {
    this.#known = dispatcher.news.knownOf(walked.state.name);
    this.#history = new WalkHistory(dispatcher, walked);
    this.#turns = new WalkTurns(walked);
  }

  async toTheEnd(): Promise<StepEnd> {
    let end: StepEnd = 'stopped';
    try {
      end = await this.#tryUntilDone();
      return end;
    } finally {
      await this.#turns.leave(end === 'unreachable' ? 'halted' : 'stopped');
    }
  }

  tellBatchEnd(): void {
    this.#attempt?.send({ type: 'batch end', end: this.walked.batch.state.ending });
  }

  /** The process that has the walk. */
  get instance(): string | undefined {
    return this.#attempt?.instance;
  }

  /**
   * @param by the controller whose step made the change. Absent: the change has not yet taken effect in any worker
   * process
   */
  addChange(change: OutsideChange, by: string | undefined): void {
    const instance = this.dispatcher.instanceOf(by);
    const own: ChangeByOther = { change, position: this.#reached };
    const number = this.#changesByOthers.push({ ...own, instance }) - 1;
    if (!this.#isOrdered || by === this.walked.state.name) return;
    const here = instance === this.instance ? by : undefined;
    this.#attempt?.send({ type: 'changed by other', change: own, number, here });
  }

  async #tryUntilDone(): Promise<StepEnd> {
    const { run } = this.walked.context;
    for (;;) {
      const attempt = this.#newAttempt();
      const end = await attempt.toTheEnd(this.#name(), (news) => this.#order(news));
      if (attempt.walkEnd !== undefined) return (await this.#unplanned()) ?? attempt.walkEnd.end;
      if (run.control.stopSignals.isStopping) return 'stopped';
      if (end.type === 'refused') continue;
      if (end.type !== 'lost')
        return this.#unreachable(whyNotDone(end, attempt), end.type === 'untaken' ? this.#hint() : undefined);
      this.#warn(`lost its worker ${end.worker} (${end.reason}): another one continues`);
    }
  }

  #newAttempt(): RemoteAttempt {
    this.#attempts += 1;
    this.#history.restart();
    this.#turns.restart();
    this.#isOrdered = false;
    const shared = {
      history: this.#history,
      turns: this.#turns,
      onReach: (position: Position) => {
        if (this.#reached === undefined || comparePositions(position, this.#reached) > 0) this.#reached = position;
      },
    };
    this.#attempt = new RemoteAttempt(this.dispatcher, this.walked, shared, {
      warn: (message) => {
        this.#warn(message);
      },
      ended: (end) => {
        this.#learn(end);
      },
    });
    return this.#attempt;
  }

  #name(): string {
    const { context, batch, state } = this.walked;
    return `${context.part.number}-${batch.id}-${this.#attempts}-${state.name}`;
  }

  #order(news: News): WalkOrder {
    const { context, state, barrier, batch } = this.walked;
    const { number: play, type, made } = context.part;
    const { plan, onResult } = context.run.input.record;
    const planState = this.dispatcher.appliedPlan.stateFor(state.name);
    const mayReach = batch.state.journal?.mayReach(state.name);
    const shares = this.dispatcher.news.shares(state.name);
    this.#isOrdered = true;
    return {
      controller: state.name,
      play,
      part: type,
      ...(made !== undefined && { made: { of: made.partOf(state.name), area: context.area } }),
      batch: { id: batch.id, lockstep: barrier.lockstep, ending: batch.state.ending, mayReach },
      options: {
        confirms: context.run.control.confirmation !== undefined,
        wantsResults: onResult !== undefined,
        neededLater: this.dispatcher.isNeededLater(state.name, play),
        shares,
      },
      before: this.#before(shares),
      ...(plan?.type === 'follow' &&
        planState !== undefined && { planned: { steps: plan.stepsOf(state.name), state: planState } }),
      news,
    };
  }

  #before(shares: boolean): BeforeWalk {
    return {
      past: this.#history.records,
      known: this.#known,
      now: this.#reached !== undefined && shares ? this.dispatcher.news.knownOf(this.walked.state.name) : undefined,
      changesByOthers: this.#changesByOthers.map(({ change, position }) => ({ change, position })),
      lastReached: this.#reached,
    };
  }

  /**
   * Takes over the worker's variables of the controller, and applies the changes of others that it has not received.
   */
  #learn({ started, known, seenChanges }: WalkEnd): void {
    const { state } = this.walked;
    state.started ||= started;
    if (known !== undefined) {
      setKnown(state, known);
      for (const { change, instance } of this.#changesByOthers.slice(seenChanges))
        if (instance === undefined || instance !== this.instance) applyChange(state, change);
    }
    this.dispatcher.news.noteVariables(state.name);
  }

  /** Fails if this machine cannot read what a worker included, because the plan would lack it. */
  async #unplanned(): Promise<StepEnd | undefined> {
    try {
      await this.dispatcher.plan?.complete(this.walked.state.name);
      return undefined;
    } catch (error) {
      const where = error instanceof LoadError && error.source !== undefined ? ` (${placeText(error.source)})` : '';
      return this.#unreachable(
        `what it included cannot be read here, so it is not planned: ${errorMessage(error)}${where}`,
      );
    }
  }

  #hint(): string | undefined {
    const { site } = this.walked;
    if (site === undefined) return undefined;
    return `start a worker with --site ${site}, or correct evenkeel_site; evenkeel workers lists the workers of all sites`;
  }

  #unreachable(reason: string, hint?: string): 'unreachable' {
    const { context, state, batch, barrier } = this.walked;
    context.run.emit({
      type: 'task-finished',
      play: context.play.name,
      task: 'Hand over to a worker',
      module: HANDOVER,
      controller: state.name,
      handler: false,
      status: 'unreachable',
      seconds: 0,
      message: reason,
      ...(hint !== undefined && { hint }),
      diff: false,
      source: context.play.definition.source,
    });
    batch.state.lose(state.name, barrier.round);
    return 'unreachable';
  }

  #warn(message: string): void {
    const { context, state } = this.walked;
    context.run.emit({ type: 'warning', message, controller: state.name });
  }
}

function whyNotDone(end: Exclude<AttemptEnd, { type: 'lost' | 'refused' }>, { worker }: RemoteAttempt): string {
  switch (end.type) {
    case 'untaken':
      return end.reason;
    case 'failed':
      return `worker ${end.worker} cannot do it: ${end.reason}`;
    case 'ended':
      return `worker ${worker} ended its work without a result`;
    default:
      return end satisfies never;
  }
}
