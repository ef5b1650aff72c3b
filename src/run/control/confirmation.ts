import type { ConfirmTask } from '../input/run_input.js';
import type { Position } from '../../model/playbook/position.js';

/** `--step`: asks once per task, for the first controller of the batch to reach it. */
export class Confirmation {
  readonly #answers = new Map<object, Map<string, Promise<boolean>>>();
  #asking = true;
  /** Questions are asked one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly ask: ConfirmTask) {}

  /** Whether the task shall run. */
  confirm(step: object, position: Position, title: string): Promise<boolean> {
    const answers = this.#answers.get(step) ?? new Map<string, Promise<boolean>>();
    this.#answers.set(step, answers);
    const key = position.join('.');
    const answer = answers.get(key) ?? this.#queue(title);
    answers.set(key, answer);
    return answer;
  }

  #queue(title: string): Promise<boolean> {
    const answer = this.#last.then(() => this.#answer(title));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #answer(title: string): Promise<boolean> {
    if (!this.#asking) return true;
    const answer = await this.ask(title);
    if (answer === 'continue') this.#asking = false;
    return answer !== 'skip';
  }
}
