import { AsyncLocalStorage } from 'node:async_hooks';
import { asError } from '../../../model/error_message.js';
import type { Assignment } from '../../../model/run/worker_transport.js';
import { TaskProblem } from '../../keywords/failed_result.js';
import {
  fromText,
  toText,
  type Answers,
  type Call,
  type FromWorker,
  type WorkerNotice,
  type ToWorker,
} from '../messages.js';
import type { News } from '../walk_order.js';

const OVER = 'another worker has this controller now, or its walk is over';

/** Handlers for the coordinator's messages during one walk. */
interface LinkListener {
  readonly news: (news: News) => Promise<void>;
  readonly message: (message: Exclude<ToWorker, { type: 'answer' | 'refused' }>) => void;
}

/** The worker's connection to the coordinator during one walk. */
export class Link {
  readonly #waiting = new Map<
    number,
    { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }
  >();
  #pending: FromWorker[] = [];
  #calls = 0;
  #isOver = false;

  /** @param before called before texts are sent, to send what must precede them */
  constructor(
    private readonly assignment: Omit<Assignment, 'run'>,
    private readonly before: () => readonly WorkerNotice[],
  ) {}

  /** Starts to receive, beginning with earlier messages. */
  listen(listener: LinkListener): void {
    const { revoked } = this.assignment;
    // Handled in the context of the walk, which resolves the paths of files of variables.
    const receive = AsyncLocalStorage.bind((text: string) => {
      this.#receive(fromText.coordinator(text), listener);
    });
    this.assignment.onMessage(receive);
    const close = (): void => {
      this.close();
    };
    if (revoked.aborted) close();
    else revoked.addEventListener('abort', close, { once: true });
  }

  /** Whether the link is closed: nothing more is sent, and calls get no answer. */
  get isOver(): boolean {
    return this.#isOver;
  }

  close(): void {
    this.#isOver = true;
    this.#pending = [];
    for (const { reject } of this.#waiting.values()) reject(new Error(OVER));
    this.#waiting.clear();
  }

  /** Sends a message. Messages of one turn of the event loop share a text. */
  tell(message: WorkerNotice): void {
    this.#say(message);
  }

  /**
   * Like `call`, but the message is delivered even if this process dies.
   * @throws Error also if another worker has the controller now
   */
  async callDurably<C extends Call>(call: C): Promise<Answers[C['type']]> {
    const { id, promise } = this.#answerTo<C>();
    promise.catch(() => undefined);
    if (this.#isOver) return promise;
    this.#pending.push({ type: 'call', id, call });
    await this.assignment.postDurably(this.#takePending());
    const value = await promise;
    await this.assignment.stillHeld();
    return value;
  }

  /** @throws Error with the coordinator's message, or if another worker has the controller now */
  call<C extends Call>(call: C): Promise<Answers[C['type']]> {
    const { id, promise } = this.#answerTo<C>();
    this.#say({ type: 'call', id, call });
    return promise;
  }

  #answerTo<C extends Call>(): { readonly id: number; readonly promise: Promise<Answers[C['type']]> } {
    const id = ++this.#calls;
    const promise = new Promise<Answers[C['type']]>((resolve, reject) => {
      if (this.#isOver) reject(new Error(OVER));
      else this.#waiting.set(id, { resolve, reject });
    });
    return { id, promise };
  }

  flush(): void {
    if (this.#pending.length > 0) this.assignment.post(this.#takePending());
  }

  #say(message: FromWorker): void {
    if (this.#isOver) return;
    if (this.#pending.push(message) === 1)
      queueMicrotask(() => {
        this.flush();
      });
  }

  #takePending(): string {
    const texts = [...this.before(), ...this.#pending];
    this.#pending = [];
    return toText(texts);
  }

  #receive(message: ToWorker, listener: LinkListener): void {
    if (message.type !== 'answer' && message.type !== 'refused') {
      listener.message(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'refused') {
      const { message: text, problem } = message;
      waiting?.reject(problem === undefined ? new Error(text) : new TaskProblem(text, problem.source, problem.hint));
      return;
    }
    const { news, value } = message;
    listener.news(news).then(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer has the type of the call with this id
      () => waiting?.resolve(value as never),
      (error: unknown) => waiting?.reject(asError(error)),
    );
  }
}
