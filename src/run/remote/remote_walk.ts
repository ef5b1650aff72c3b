import { errorMessage } from '../../model/error_message.js';
import type { EventBody } from '../../model/run/event.js';
import type { JournalRecord, WriteIntended } from '../../model/run/journal.js';
import type { Attempt, AttemptEnd, CoordinatorTransport } from '../../model/run/worker_transport.js';
import { comparePositions, type Position } from '../../model/playbook/position.js';
import type { OnceResult, SharedBatch, StepEnd } from '../batch/batch_state.js';
import type { Turn } from '../batch/once.js';
import type { Barrier } from '../batch/strategy.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { keepVariables, NO_VARIABLES, restoreVariables } from '../controllers/kept_variables.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { shareResult } from '../task/task.js';
import type { TaskEnd } from '../task/task_end.js';
import type { PlayContext } from '../walk/play_context.js';
import {
  type Answers,
  type BatchEnd,
  type BatchFacts,
  type Call,
  type FromWorker,
  type Given,
  type KnownOfController,
  type News,
  fromText,
  type Tell,
  toText,
  type ToWorker,
  type WalkEnd,
  type WalkOrder,
} from './messages.js';

/** A batch whose controllers workers have. */
export interface BatchAtWork {
  readonly id: string;
  readonly state: SharedBatch;
  readonly facts: BatchFacts;
  readonly walks: Set<RemoteWalk>;
}

/** What the walks of a run have in common. */
export interface WalkCoordinator {
  readonly transport: CoordinatorTransport;
  /** Templates of the run may look at the variables of other controllers. */
  readonly shares: boolean;
  isNeededLater(controller: string, play: number): boolean;
  refuseCredentials(): void;
  lockController(url: string): Promise<string | null>;
  noteVariables(controller: string): void;
  noteGiven(given: Given): void;
  newsFor(worker: string): News;
  knownOf(controller: string): KnownOfController;
}

/** What a walk in another process is about. */
interface Walked {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly batch: BatchAtWork;
  /** The number of the play. */
  readonly play: number;
  readonly site: string | undefined;
}

type Performing = Extract<Turn<OnceResult>, { type: 'perform' }>;

/** One controller's walk as the coordinator sees it: a worker carries it out, and another one continues if that one is lost. */
export class RemoteWalk {
  /** Of an interrupted run. */
  readonly #before: readonly JournalRecord[];
  /** Of this walk, in this run. */
  readonly #records: JournalRecord[] = [];
  readonly #performing = new Map<string, Performing>();
  /** What an attempt holds, by what would give it back. */
  readonly #held = new Map<string, (() => void)[]>();
  #attempt: Attempt | undefined;
  #worker = '';
  /** Tasks that the recap has counted; an attempt after the first counts those again. */
  #counted = 0;
  #toSkip = 0;
  /** In lockstep: the step that it may take now, the one that it waits for, and the last one that it has left. */
  #inside: Position | undefined;
  #entering: Promise<void> | undefined;
  #passed: Position | undefined;
  /** The worker replays a step that an attempt before has left. */
  #isReplaying = false;
  #walkEnd: WalkEnd | undefined;
  #attempts = 0;

  constructor(
    private readonly dispatcher: WalkCoordinator,
    private readonly walked: Walked,
  ) {
    const { context, state } = walked;
    this.#before = context.run.input.record.past?.records(state.name) ?? [];
    // The others see at once what it knew when the run was cut off.
    for (const record of this.#before) this.#restore(record);
  }

  async toTheEnd(): Promise<StepEnd> {
    try {
      return await this.#tryAgainAndAgain();
    } finally {
      await this.#leave();
    }
  }

  async #tryAgainAndAgain(): Promise<StepEnd> {
    const { run } = this.walked.context;
    for (;;) {
      const end = await this.#tryOnce();
      if (this.#walkEnd !== undefined) return this.#finish(this.#walkEnd);
      if (run.control.stopSignals.isStopping) return 'stopped';
      if (end.type === 'untaken') return this.#unreachable(end.reason);
      if (end.type === 'failed') return this.#unreachable(`worker ${end.worker} cannot do it: ${end.reason}`);
      if (end.type === 'lost') this.#warn(`lost its worker ${end.worker} (${end.reason}): another one continues`);
    }
  }

  /** The batch has ended, was halted, or is pardoned. */
  tellBatchEnd(): void {
    this.#send({ type: 'batch end', end: this.#batchEnd() });
  }

  share(end: TaskEnd): void {
    this.#send({ type: 'shared', end });
  }

  async #tryOnce(): Promise<AttemptEnd> {
    const { state, play, site, batch } = this.walked;
    this.#attempts += 1;
    this.#toSkip = this.#counted;
    const attempt = this.dispatcher.transport.offer(
      {
        walk: `${play}-${batch.id}-${this.#attempts}-${state.name}`,
        controller: state.name,
        site,
        text: () => toText(this.#order()),
      },
      {
        taken: (worker) => {
          this.#worker = worker;
        },
        message: (text) => {
          for (const message of fromText.worker(text)) this.#hear(message);
        },
        waiting: (reason) => {
          this.#warn(reason);
        },
      },
    );
    this.#attempt = attempt;
    const { control } = this.walked.context.run;
    const cancel = (): void => {
      attempt.cancel();
    };
    const signal = control.stopSignals.signal(false);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await attempt.end;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#attempt = undefined;
      await this.#giveBackAll();
    }
  }

  #order(): WalkOrder {
    const { context, state, barrier, batch, play } = this.walked;
    const { run } = context;
    const mayReach = batch.state.journal?.mayReach(state.name);
    return {
      play,
      part:
        context.play.definition === run.input.selection.targets.find(({ number }) => number === play)?.play
          ? 'play'
          : 'gate',
      batch: batch.id,
      controller: state.name,
      lockstep: barrier.lockstep,
      neededLater: this.dispatcher.isNeededLater(state.name, play),
      shares: this.dispatcher.shares,
      past: [...this.#before, ...this.#records],
      known: this.dispatcher.knownOf(state.name),
      ...(mayReach !== undefined && { mayReach }),
      batchEnd: this.#batchEnd(),
      news: this.dispatcher.newsFor(this.#worker),
    };
  }

  #batchEnd(): BatchEnd {
    const { state } = this.walked.batch;
    const { ended, halted, haltedRound, pardons } = state;
    return { ended, halted: halted === undefined ? undefined : { reason: halted, round: haltedRound }, pardons };
  }

  #send(message: ToWorker): void {
    this.#attempt?.send(toText(message));
  }

  #hear(message: FromWorker): void {
    if (message.type !== 'call') {
      this.#told(message);
      return;
    }
    const { id, call } = message;
    // A call may wait for other controllers: what the worker says next must not wait for it.
    void this.#answer(call).then(
      (value) => {
        this.#send({ type: 'answer', id, value, news: this.dispatcher.newsFor(this.#worker) });
      },
      (error: unknown) => {
        const problem = error instanceof TaskProblem ? { source: error.source, hint: error.hint } : undefined;
        this.#send({ type: 'refused', id, message: errorMessage(error), problem });
      },
    );
  }

  #told(tell: Tell): void {
    const { context, state, barrier, batch } = this.walked;
    const { run } = context;
    switch (tell.type) {
      case 'secrets':
        for (const text of tell.texts) run.input.sources.secrets.add(text);
        return;
      case 'event':
        this.#emit(tell.event, tell.time);
        return;
      case 'count':
        this.#count(tell);
        return;
      case 'result':
        run.input.record.onResult?.(tell.found);
        return;
      case 'record':
        this.#record(tell.record);
        return;
      case 'begin':
        state.started = true;
        this.#begin(tell.position);
        return;
      case 'settle':
        batch.state.journal?.settle(state.name);
        return;
      case 'arrive':
        batch.state.once.arrive(state.name, tell.position);
        return;
      case 'exit':
        this.#exit();
        return;
      case 'wait for others':
        barrier.waitForOthers();
        return;
      case 'give fork back':
        this.#rest();
        return;
      case 'once done':
        this.#onceDone(onceKey(tell), tell.result);
        return;
      case 'halt':
        batch.state.halt(tell.reason, tell.round);
        return;
      case 'lose':
        batch.state.lose(state.name, tell.round);
        return;
      case 'end batch':
        batch.state.end(tell.what);
        return;
      case 'clear errors':
        batch.state.clearErrors();
        for (const name of context.play.targets) run.fleet.revive(name);
        return;
      case 'clear facts':
        for (const name of context.play.batch) run.fleet.find(name)?.clearFacts();
        return;
      case 'credentials refused':
        this.dispatcher.refuseCredentials();
        return;
      case 'unlock':
        this.#giveBack(`lock ${tell.place}`);
        return;
      case 'leave throttle':
        this.#giveBack(`throttle ${tell.task}`);
        return;
      case 'ended':
        this.#walkEnd = tell.end;
        return;
      default:
        tell satisfies never;
    }
  }

  async #answer(call: Call): Promise<Answers[Call['type']]> {
    const { context, state, barrier, batch } = this.walked;
    const { run } = context;
    const { control, input } = run;
    switch (call.type) {
      case 'batch':
        return batch.facts;
      case 'intend':
        return this.#intend(call.intent);
      case 'enter':
        await this.#enter(call.position);
        return { round: barrier.round };
      case 'start new':
        await barrier.startNew();
        return null;
      case 'take fork':
        this.#giveBack('fork');
        await this.#resting;
        return null;
      case 'turn':
        return this.#turn(call);
      case 'register includes':
        await batch.state.includes.register(state.name, call.position, call.keys.map(pseudoRun));
        return null;
      case 'order of includes':
        return batch.state.includes.ordinals(state.name, call.position);
      case 'lock':
        return this.#hold(`lock ${call.place}`, (work) => control.locks.hold(call.place, call.mode, direct, work));
      case 'throttle':
        return this.#hold(`throttle ${call.task}`, (work) =>
          control.throttles.through(call.task, call.limit, direct, work),
        );
      case 'file owner':
        return control.savedFiles.owner(call.file, state.name);
      case 'change inventory': {
        const { change } = call;
        if (!('controller' in change)) return run.inventoryChanges.addHost(change.effect);
        const controller = run.fleet.find(change.controller)?.controller;
        return controller === undefined ? false : run.inventoryChanges.joinGroup(controller, change.effect);
      }
      case 'ask':
        return (await input.user.ask?.(call, control.stopSignals.signal(false))) ?? null;
      case 'lock controller':
        return this.dispatcher.lockController(call.url);
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

  /** The worker may not have known yet that the batch had ended: what it has begun is finished by a resume. */
  #begin(position: Position): void {
    const { batch, state } = this.walked;
    const { journal, ended, halted } = batch.state;
    journal?.begin(state.name, position);
    if (halted !== undefined) journal?.end('halted', halted);
    else if (ended !== undefined) journal?.end(ended);
  }

  async #secretsAt(
    place: string,
  ): Promise<Awaited<ReturnType<NonNullable<PlayContext['run']['input']['record']['writtenSecrets']>>> | undefined> {
    return this.walked.context.run.input.record.writtenSecrets?.(place);
  }

  /** The recap counts each task once, although a second attempt replays those of the first. */
  #emit(event: EventBody, time: string): void {
    if (event.type === 'task-finished' && event.item === undefined) this.#counted += 1;
    const { site } = this.walked;
    const isTask = event.type === 'task-started' || event.type === 'task-finished';
    const timed = { ...event, time, ...(isTask && site !== undefined && { worker: `${site}/${this.#worker}` }) };
    this.walked.context.run.emit(timed);
  }

  #count({ task }: Extract<Tell, { type: 'count' }>): void {
    if (task.item === undefined && this.#toSkip > 0) {
      this.#toSkip -= 1;
      return;
    }
    if (task.item === undefined) this.#counted += 1;
    this.walked.context.run.count(task);
  }

  async #intend(intent: Omit<WriteIntended, 'write'>): Promise<number> {
    const { journal } = this.walked.context.run.input.record;
    const write = (await journal?.intend(intent)) ?? this.#records.length + 1;
    this.#records.push({ ...intent, write });
    return write;
  }

  #record(record: Exclude<JournalRecord, WriteIntended>): void {
    const { run } = this.walked.context;
    this.#records.push(record);
    run.input.record.journal?.record(record);
    this.#restore(record);
  }

  /** What a step left in the run. */
  #restore(record: JournalRecord): void {
    if (record.type !== 'step-settled' || record.left === undefined) return;
    const { context, state } = this.walked;
    const { run } = context;
    const { left } = record;
    restoreVariables(state, run.fleet, left);
    run.secrets.learnAll([...(left.secrets ?? [])]);
    this.dispatcher.noteVariables(state.name);
    for (const given of left.elsewhere ?? []) this.dispatcher.noteGiven({ ...given, maskedWords: left.hidden });
  }

  async #turn({ step, position }: { readonly step: string; readonly position: Position }): Promise<Answers['turn']> {
    const { batch, state } = this.walked;
    const key = onceKey({ step, position });
    // An attempt before this one has the turn.
    if (this.#performing.has(key)) return { type: 'perform' };
    const turn = await batch.state.once.turn(state.name, step, position);
    if (turn.type === 'share') return turn;
    this.#performing.set(key, turn);
    return { type: 'perform' };
  }

  #onceDone(key: string, result: OnceResult): void {
    const { batch, barrier, context } = this.walked;
    if (result.type === 'task' && barrier.lockstep) {
      for (const name of context.play.batch) {
        const state = context.run.fleet.find(name);
        if (state !== undefined) shareResult(state, result.end);
      }
      for (const walk of batch.walks) walk.share(result.end);
    }
    this.#performing.get(key)?.done(result);
    this.#performing.delete(key);
  }

  /** The others do not wait again for what an attempt before has done. */
  async #enter(position: Position): Promise<void> {
    if (this.#passed !== undefined && comparePositions(position, this.#passed) <= 0) {
      this.#isReplaying = true;
      return;
    }
    if (this.#inside !== undefined) return;
    this.#entering ??= this.walked.barrier.enter(position).then(() => {
      this.#inside = position;
      this.#entering = undefined;
    });
    await this.#entering;
  }

  #exit(): void {
    if (this.#isReplaying) this.#isReplaying = false;
    else if (this.#inside !== undefined) {
      this.#passed = this.#inside;
      this.#inside = undefined;
      this.walked.barrier.exit();
    }
  }

  /** The controller takes no further part. */
  async #leave(): Promise<void> {
    await this.#entering;
    this.#isReplaying = false;
    this.#exit();
  }

  #resting: Promise<void> = Promise.resolve();

  /** The controller waits in the worker: its fork is free meanwhile. */
  #rest(): void {
    const waited = new Promise<void>((resolve) => {
      this.#keep('fork', resolve);
    });
    this.#resting = this.walked.barrier.fork.rest(() => waited);
  }

  /** Resolves when it is held; until the worker gives it back, or is lost. */
  #hold(name: string, hold: (work: () => Promise<void>) => Promise<void>): Promise<null> {
    return new Promise((resolve, reject) => {
      const work = (): Promise<void> =>
        new Promise((leave) => {
          this.#keep(name, leave);
          resolve(null);
        });
      hold(work).catch(reject);
    });
  }

  #keep(name: string, giveBack: () => void): void {
    this.#held.set(name, [...(this.#held.get(name) ?? []), giveBack]);
  }

  #giveBack(name: string): void {
    const [first, ...rest] = this.#held.get(name) ?? [];
    this.#held.set(name, rest);
    first?.();
  }

  /** What the worker held when it ended or was lost. */
  async #giveBackAll(): Promise<void> {
    for (const waiting of this.#held.values()) for (const giveBack of waiting) giveBack();
    this.#held.clear();
    await this.#resting;
    this.#isReplaying = false;
  }

  #finish({ end, started, known }: WalkEnd): StepEnd {
    const { state, context } = this.walked;
    const { maskedWords } = context.run.fleet;
    state.started ||= started;
    if (known !== undefined) {
      if (known.masked.length > 0) maskedWords.isPossible = true;
      keepVariables(state, { ...NO_VARIABLES, ...known });
      for (const [name, words] of known.masked) maskedWords.set(state.name, [name], words);
    }
    this.dispatcher.noteVariables(state.name);
    return end;
  }

  #unreachable(reason: string): 'unreachable' {
    const { context, state } = this.walked;
    context.run.emit({
      type: 'task-finished',
      play: context.play.name,
      task: 'Hand over to a worker',
      module: 'worker',
      controller: state.name,
      handler: false,
      status: 'unreachable',
      seconds: 0,
      message: reason,
      diff: false,
      source: context.play.definition.source,
    });
    this.walked.batch.state.lose(state.name, this.walked.barrier.round);
    return 'unreachable';
  }

  #warn(message: string): void {
    const { context, state } = this.walked;
    context.run.emit({ type: 'warning', message, controller: state.name });
  }
}

function onceKey({ step, position }: { readonly step: string; readonly position: Position }): string {
  return `${step} ${position.join('.')}`;
}

/** The worker rests while it waits, not the coordinator. */
function direct<T>(wait: () => Promise<T>): Promise<T> {
  return wait();
}

const KEYS = new Map<string, ReturnType<typeof madeRun>>();

/** Stands for what was included: equal keys are one. */
function pseudoRun(key: string): ReturnType<typeof madeRun> {
  const known = KEYS.get(key) ?? madeRun();
  KEYS.set(key, known);
  return known;
}

function madeRun(): {
  readonly included: { readonly title: string; readonly steps: []; readonly handlers: []; readonly layers: [] };
  readonly layers: [];
} {
  return { included: { title: '', steps: [], handlers: [], layers: [] }, layers: [] };
}
