import type { Journal, StepRef, WriteAnswer, WriteFinished, WriteIntended } from '../../model/journal.js';
import type { Mapping } from '../../model/value.js';
import type { Plan, Writer } from '../../module/contract.js';
import { TaskProblem } from '../task/task_problem.js';
import { outcomeOfError } from './write_outcome.js';

/** What all writes of one attempt of a task have in common. */
export type WriteContext = Pick<WriteIntended, 'target' | 'play' | 'task' | 'module' | 'source' | 'hidden'>;

/** What is about to be written. */
export type Intent = Omit<WriteIntended, 'type' | 'write' | keyof StepRef | keyof WriteContext>;

/** Keeps what a task writes: before it leaves, and what became of it. */
export class WriteKeeper {
  #last: number | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly ref: StepRef,
    private readonly about: WriteContext,
  ) {}

  /**
   * Sends what is intended once that is kept.
   *
   * @param outcomeOf what an answer says about it; absent: whatever comes back says that it was applied
   * @throws TaskProblem if it cannot be kept: then nothing was sent
   */
  async write<Answer>(
    intent: Intent,
    send: () => Promise<Answer>,
    outcomeOf: (answer: Answer) => Pick<WriteFinished, 'outcome' | 'answer'> = () => ({ outcome: 'applied' }),
  ): Promise<Answer> {
    const write = await this.#intend(intent);
    this.#last = write;
    try {
      const answer = await send();
      this.#finish(write, outcomeOf(answer));
      return answer;
    } catch (error) {
      this.#finish(write, { outcome: outcomeOfError(error, intent.method) });
      throw error;
    }
  }

  /** The write before the run was cut off is the one that is looked at now. */
  goOnWith(write: number): void {
    this.#last = write;
  }

  /** The last write took effect after all. */
  confirm(): void {
    if (this.#last !== undefined) this.#finish(this.#last, { outcome: 'applied' });
  }

  /** The object as the controller shows it after the last write. */
  verified(seen: Mapping): void {
    const { controller } = this.ref;
    const { hidden } = this.about;
    if (this.#last === undefined) return;
    this.journal.record({ type: 'write-verified', write: this.#last, controller, seen, ...(hidden && { hidden }) });
  }

  #finish(
    write: number,
    end: { readonly outcome: WriteFinished['outcome']; readonly answer?: WriteAnswer | undefined },
  ): void {
    this.journal.record({ type: 'write-finished', write, controller: this.ref.controller, ...end });
  }

  async #intend(intent: Intent): Promise<number> {
    try {
      // A literal that begins with a spread is a copy for V8, and each field that is added to a copy costs it a microsecond.
      return await this.journal.intend({ type: 'write-intended', ...this.ref, ...this.about, ...intent });
    } catch (error) {
      const hint = 'make room where runs are kept, then go on with the run';
      throw new TaskProblem(error instanceof Error ? error.message : String(error), undefined, hint);
    }
  }
}

/** The writer that carries out a plan, and keeps what it does. */
export function keepingWriter(keeper: WriteKeeper, writer: Writer, object: string, plan: Plan): Writer {
  const { change } = plan;
  const about = { object, change, ...(plan.uncomparable === true && { uncomparable: true }) };
  return {
    create: (path: string, name: string, body: Mapping) =>
      keeper.write({ method: 'POST', path, name, body, ...about }, () => writer.create(path, name, body)),
    replace: (path: string, body: Mapping) =>
      keeper.write({ method: 'PUT', path, body, ...about }, () => writer.replace(path, body)),
  };
}
