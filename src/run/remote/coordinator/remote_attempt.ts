import { errorMessage } from '../../../model/error_message.js';
import type { Attempt, AttemptEnd } from '../../../model/run/worker_transport.js';
import { TaskProblem } from '../../keywords/failed_result.js';
import { AttemptEffects, type SharedByAttempts } from './attempt_effects.js';
import { WalkClaims } from './walk_claims.js';
import { type FromWorker, fromText, toText, type ToWorker } from '../messages.js';
import type { News, WalkEnd, WalkOrder } from '../walk_order.js';
import type { WalkCoordinator, Walked } from './walk_coordinator.js';

/**
 * One worker's attempt at a walk: handles its messages and answers its calls. Messages that arrive after the end have
 * no effect.
 */
export class RemoteAttempt {
  readonly #effects: AttemptEffects;
  #attempt: Attempt | undefined;
  #worker = '';
  #instance = '';
  #isOver = false;
  #walkEnd: WalkEnd | undefined;
  /** Absent: the worker is a local process of this run, which is trusted. */
  readonly #claims: WalkClaims | undefined;
  /** Resolves when the worker has sent something that it must not send. */
  readonly #refused: Promise<AttemptEnd>;
  #refuse: (end: AttemptEnd) => void = () => undefined;

  constructor(
    private readonly dispatcher: WalkCoordinator,
    private readonly walked: Walked,
    shared: SharedByAttempts,
    private readonly listener: {
      readonly warn: (message: string) => void;
      readonly ended: (end: WalkEnd) => void;
    },
  ) {
    const { site } = walked;
    this.#effects = new AttemptEffects(dispatcher, walked, shared);
    this.#claims = site === undefined ? undefined : new WalkClaims(dispatcher, { ...walked, site }, shared.history);
    this.#refused = new Promise((resolve) => {
      this.#refuse = resolve;
    });
  }

  /** The end of the walk as the worker reported it; undefined if it did not. */
  get walkEnd(): WalkEnd | undefined {
    return this.#walkEnd;
  }

  /** The process of the worker. */
  get instance(): string {
    return this.#instance;
  }

  get worker(): string {
    return this.#worker;
  }

  /** @param order called when a worker has taken the walk */
  async toTheEnd(walk: string, order: (news: News) => WalkOrder): Promise<AttemptEnd> {
    const { state, site, context } = this.walked;
    const attempt = this.dispatcher.workers.transport.offer(
      { walk, controller: state.name, site, text: () => toText(order(this.dispatcher.news.for(this.#instance))) },
      {
        taken: (worker, instance) => {
          this.#worker = worker;
          this.#instance = instance;
        },
        message: (text) => {
          this.#read(text);
        },
        waiting: (message) => {
          context.run.emit({ type: 'warning', message });
        },
      },
    );
    this.#attempt = attempt;
    const cancel = (): void => {
      attempt.cancel();
    };
    const { control, input } = context.run;
    const signals = [control.stopSignals.signal(false), input.stops.abort];
    for (const signal of signals) signal?.addEventListener('abort', cancel, { once: true });
    try {
      const end = await Promise.race([this.#refused, attempt.end]);
      if (end.type !== 'ended') this.dispatcher.news.retell(this.#instance);
      return end;
    } finally {
      for (const signal of signals) signal?.removeEventListener('abort', cancel);
      this.#isOver = true;
      await this.#effects.giveBackAll();
    }
  }

  send(message: ToWorker): void {
    if (!this.#isOver) this.#attempt?.send(toText(message));
  }

  /** An invalid message of one worker must not end the run for the others. */
  #read(text: string): void {
    if (this.#isOver) return;
    try {
      for (const message of fromText.worker(text)) {
        const objection = this.#claims?.objectionTo(message);
        if (objection !== undefined) {
          this.#endFor(objection);
          return;
        }
        this.#receive(message);
      }
    } catch (error) {
      this.listener.warn(`cannot read a message of worker ${this.#worker}: ${errorMessage(error)}`);
    }
  }

  /** Ends the attempt: later messages of the worker are ignored, and it gets no permission for writes. */
  #endFor(objection: string): void {
    const reason = `it sent ${objection}, but it runs only the tasks of ${this.walked.state.name}`;
    this.listener.warn(`worker ${this.#worker} is refused: ${reason}`);
    this.#isOver = true;
    this.#attempt?.refuse?.(reason);
    this.#refuse({ type: 'failed', worker: this.#worker, reason });
  }

  #receive(message: FromWorker): void {
    if (message.type !== 'call') {
      if (message.type === 'ended') {
        this.#walkEnd = message.end;
        this.listener.ended(message.end);
      } else this.#effects.handle(message, this.#worker);
      return;
    }
    const { id, call } = message;
    // Does not wait for the answer: a call may wait for other controllers, and must not delay the worker's next
    // messages.
    void this.#effects.answer(call).then(
      (value) => {
        // A lost worker gets no answer, because news in it would be lost, too.
        if (!this.#isOver) this.send({ type: 'answer', id, value, news: this.dispatcher.news.for(this.#instance) });
      },
      (error: unknown) => {
        const problem = error instanceof TaskProblem ? { source: error.source, hint: error.hint } : undefined;
        this.send({ type: 'refused', id, message: errorMessage(error), problem });
      },
    );
  }
}
