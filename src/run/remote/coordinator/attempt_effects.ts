import type { Position } from '../../../model/playbook/step_place.js';
import type { WrittenSecrets } from '../../../model/run/written_secrets.js';
import type { Answers, Call, WorkerNotice } from '../messages.js';
import type { IncludedRun } from '../../task/included_run.js';
import { AttemptHolds } from './attempt_holds.js';
import type { WalkCoordinator, Walked } from './walk_coordinator.js';
import type { WalkHistory } from './walk_history.js';
import type { WalkTurns } from './walk_turns.js';

/** State that all attempts at a walk share. */
export interface SharedByAttempts {
  readonly history: WalkHistory;
  readonly turns: WalkTurns;
  /** The walk reaches a step. */
  readonly onReach: (position: Position) => void;
}

/** Applies the messages of a worker during an attempt to the coordinator's engine. */
export class AttemptEffects {
  readonly #holds = new AttemptHolds();

  constructor(
    private readonly dispatcher: WalkCoordinator,
    private readonly walked: Walked,
    private readonly shared: SharedByAttempts,
  ) {}

  /** Releases the locks, throttles and forks of the attempt when it is over. */
  giveBackAll(): Promise<void> {
    return this.#holds.giveBackAll();
  }

  handle(notice: Exclude<WorkerNotice, { type: 'ended' }>, worker: string): void {
    const { context, state, barrier, batch } = this.walked;
    const { history, turns, onReach } = this.shared;
    const { run } = context;
    switch (notice.type) {
      case 'secrets':
        for (const text of notice.texts) run.input.sources.secrets.add(text);
        return;
      case 'event':
        history.emit(notice.event, notice.time, worker);
        return;
      case 'count':
        history.count(notice.task);
        return;
      case 'result':
        run.input.record.onResult?.(notice.found);
        return;
      case 'record':
        history.record(notice.record);
        return;
      case 'begin':
        state.started = true;
        this.#begin(notice.position);
        return;
      case 'finish step':
        batch.state.journal?.finishStep(state.name);
        return;
      case 'arrive':
        batch.state.once.arrive(state.name, notice.position);
        if (!barrier.lockstep) onReach(notice.position);
        return;
      case 'end step':
        turns.endStep();
        return;
      case 'wait for others':
        barrier.waitForOthers();
        return;
      case 'give fork back':
        this.#holds.rest(barrier.fork);
        return;
      case 'once done':
        turns.onceDone(notice, notice.result);
        return;
      case 'halt':
        batch.state.halt(notice.reason, notice.round);
        return;
      case 'lose':
        batch.state.lose(state.name, notice.round);
        return;
      case 'end batch':
        batch.state.end(notice.what);
        return;
      case 'variables included':
        for (const layer of notice.included) state.include(layer);
        this.dispatcher.news.noteVariables(state.name);
        return;
      case 'give':
        run.fleet.give(notice.to, notice.kept, { by: state.name });
        return;
      case 'sent':
        this.dispatcher.workers.onRequest?.(notice.request);
        return;
      case 'credentials refused':
        this.dispatcher.workers.refuseCredentials();
        return;
      case 'unlock':
        this.#holds.giveBack(`lock ${notice.place}`);
        return;
      case 'leave throttle':
        this.#holds.giveBack(`throttle ${notice.task}`);
        return;
      case 'planned':
      case 'variables read':
      case 'included':
      case 'positions needed':
        history.plan(notice);
        return;
      case 'plan progress':
        this.dispatcher.appliedPlan.note(notice.progress);
        return;
      default:
        notice satisfies never;
    }
  }

  /** @throws TaskProblem whose message is for the user */
  async answer(call: Call): Promise<Answers[Call['type']]> {
    const { context, state, barrier, batch } = this.walked;
    const { history, turns, onReach } = this.shared;
    const { run } = context;
    const { control, input } = run;
    switch (call.type) {
      case 'batch':
        return batch.facts;
      case 'targets':
        return context.play.targets;
      case 'intend':
        return history.intend(call.intent);
      case 'begin step':
        await turns.beginStep(call.position);
        onReach(call.position);
        return { round: barrier.round };
      case 'start new':
        await barrier.startNew();
        return null;
      case 'take fork':
        await this.#holds.takeFork();
        return null;
      case 'turn':
        return turns.turn(call);
      case 'clear':
        turns.clear(call.what, call.position);
        return null;
      case 'register includes':
        await batch.state.includes.register(state.name, call.position, this.#included(call.keys));
        return null;
      case 'order of includes':
        return batch.state.includes.ordinals(state.name, call.position);
      case 'lock':
        return this.#holds.hold(`lock ${call.place}`, (work) =>
          control.locks.hold(call.place, call.mode, direct, work),
        );
      case 'throttle':
        return this.#holds.hold(`throttle ${call.task}`, (work) =>
          control.throttles.through(call.task, call.limit, direct, work),
        );
      case 'file owner':
        return control.savedFiles.owner(call.file, state.name);
      case 'change inventory':
        return history.changeInventory(call.change);
      case 'ask':
        return (await input.user.ask?.(call, control.stopSignals.signal(false))) ?? null;
      case 'confirm':
        if ((await control.confirmation?.confirm(call.step, call.position, call.title)) !== false) return 'run';
        return control.stopSignals.isStopping ? 'stopped' : 'skip';
      case 'lock controller':
        return this.dispatcher.workers.lockController(call.url);
      case 'writes before':
        return run.followed?.writesBefore({ controller: state.name, target: call.target }) ?? [];
      case 'last written':
        return this.dispatcher.hidden.at(call.at) ?? null;
      case 'begin plan': {
        const { plan } = input.record;
        return plan?.type === 'follow' ? ((await plan.begin(state.name, input.identity.id)) ?? null) : null;
      }
      case 'compare secrets':
        return (await this.#secretsAt(call.place))?.compare(call.object, call.fields) ?? { changed: [], unknown: [] };
      case 'keep secrets':
        await (await this.#secretsAt(call.place))?.keep(call.object, call.fields);
        return null;
      case 'note secrets':
        return (await (await this.#secretsAt(call.place))?.note(call.object, call.fields)) ?? false;
      default:
        return call satisfies never;
    }
  }

  /** The worker may have begun the step before it learned that the batch had ended. Then a resume finishes the step. */
  #begin(position: Position): void {
    const { batch, state } = this.walked;
    const { journal, ending } = batch.state;
    const { ended, halted } = ending;
    journal?.begin(state.name, position);
    if (halted !== undefined) journal?.end('halted', halted.reason);
    else if (ended !== undefined) journal?.end(ended);
  }

  #included(keys: readonly string[]): readonly IncludedRun[] {
    const { included } = this.walked.batch;
    return keys.map((key) => {
      const known = included.get(key) ?? keyOnly();
      included.set(key, known);
      return known;
    });
  }

  async #secretsAt(place: string): Promise<WrittenSecrets | undefined> {
    return this.walked.context.run.input.record.writtenSecrets?.(place);
  }
}

/** Only waits: the worker decides what the walk frees meanwhile. */
function direct<T>(wait: () => Promise<T>): Promise<T> {
  return wait();
}

/** The workers have the content of the include. The coordinator only needs to distinguish includes. */
function keyOnly(): IncludedRun {
  return { included: { title: '', steps: [], handlers: [], layers: [] }, layers: [] };
}
