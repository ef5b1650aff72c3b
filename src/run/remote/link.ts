import type { Assignment } from '../../model/run/worker_transport.js';
import { TaskProblem } from '../keywords/failed_result.js';
import {
  fromText,
  toText,
  type Answers,
  type Call,
  type FromWorker,
  type News,
  type Tell,
  type ToWorker,
} from './messages.js';

/** The worker's line to the coordinator during one walk. */
export class Link {
  readonly #waiting = new Map<
    number,
    { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }
  >();
  #pending: FromWorker[] = [];
  #calls = 0;

  /** @param before called before texts are sent: what must precede them */
  constructor(
    private readonly assignment: Omit<Assignment, 'run'>,
    private readonly listener: {
      readonly before: () => readonly Tell[];
      readonly news: (news: News) => Promise<void>;
      readonly message: (message: Exclude<ToWorker, { type: 'answer' | 'refused' }>) => void;
    },
  ) {
    assignment.onMessage((text) => {
      this.#receive(fromText.coordinator(text));
    });
    assignment.revoked.addEventListener('abort', () => {
      for (const { reject } of this.#waiting.values()) reject(revoked());
      this.#waiting.clear();
    });
  }

  /** What is said in one turn of the event loop goes in one text. */
  tell(message: Tell): void {
    this.#say(message);
  }

  /** As `call`, with what cannot be lost any more. @throws Error also if another worker has the controller now */
  async callDurably<C extends Call>(call: C): Promise<Answers[C['type']]> {
    const answer = this.#answerTo<C>();
    answer.promise.catch(() => undefined);
    this.#pending.push({ type: 'call', id: answer.id, call });
    await this.assignment.postDurably(this.#takePending());
    const value = await answer.promise;
    await this.assignment.stillHeld();
    return value;
  }

  /** @throws Error as the coordinator words it */
  call<C extends Call>(call: C): Promise<Answers[C['type']]> {
    const { id, promise } = this.#answerTo<C>();
    this.#say({ type: 'call', id, call });
    return promise;
  }

  #answerTo<C extends Call>(): { readonly id: number; readonly promise: Promise<Answers[C['type']]> } {
    const id = ++this.#calls;
    // Nobody would answer it, and the walk would never end.
    if (this.assignment.revoked.aborted) return { id, promise: Promise.reject(revoked()) };
    const promise = new Promise<Answers[C['type']]>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    return { id, promise };
  }

  flush(): void {
    if (this.#pending.length > 0) this.assignment.post(this.#takePending());
  }

  #say(message: FromWorker): void {
    if (this.#pending.push(message) === 1)
      queueMicrotask(() => {
        this.flush();
      });
  }

  #takePending(): string {
    const texts = [...this.listener.before(), ...this.#pending];
    this.#pending = [];
    return toText(texts);
  }

  #receive(message: ToWorker): void {
    if (message.type !== 'answer' && message.type !== 'refused') {
      this.listener.message(message);
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
    void this.listener.news(news).then(() => waiting?.resolve(value as never));
  }
}

function revoked(): Error {
  return new Error('another worker has this controller now');
}
