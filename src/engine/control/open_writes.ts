/**
 * The writes of a module that may not await them all, for example when one in a `Promise.all` fails. Their outcomes must be known before
 * the task ends, and an unhandled rejection would end the process.
 */
export class OpenWrites {
  readonly #open = new Set<Promise<unknown>>();
  #isOver = false;

  /** @param send starts the request. Not called for a write once the work has ended: its outcome could not be reported any more */
  follow<Answer>(send: () => Promise<Answer>, kind: 'read' | 'write' = 'write'): Promise<Answer> {
    if (this.#isOver && kind === 'write')
      return Promise.reject(new Error('not sent, because its task has ended: a module must wait for its writes'));
    const answer = send();
    const forget = (): boolean => this.#open.delete(answer);
    if (kind === 'write') this.#open.add(answer);
    answer.then(forget, forget);
    return answer;
  }

  /** Waits for the writes of this work, too. Rejects with the failure of one that is open when the work has ended. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      while (this.#open.size > 0) await Promise.all(this.#open);
      return result;
    } finally {
      while (this.#open.size > 0) await Promise.allSettled(this.#open);
      this.#isOver = true;
    }
  }
}
