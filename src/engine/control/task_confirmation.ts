import type { StepPosition } from '../../core/model/playbook/step_place.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { ConfirmTask } from '../input/run_input.js';

/** `--step`: asks once per task, for the first controller of the batch to reach it. */
export class TaskConfirmation {
  /** By step and position: a step inside a loop is visited several times, and controllers may include other steps at one position. */
  readonly #answers = new Map<string, Promise<boolean>>();
  #asking = true;
  /** Questions are asked one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly ask: ConfirmTask) {}

  /** As in Ansible, an answer is for one batch: other controllers follow. */
  beginBatch(): void {
    this.#answers.clear();
    this.#asking = true;
  }

  /** Whether to run the task. @param step equal for the same step of the run */
  confirm(step: string, position: StepPosition, title: string): Promise<boolean> {
    return getOrAdd(this.#answers, `${step} ${position.join('.')}`, () => this.#queue(title));
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
