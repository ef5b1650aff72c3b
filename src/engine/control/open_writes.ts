/**
 * The writes of a module, which may not wait for them: as with `Promise.all`, of which one fails. Their outcome must be known before the
 * task ends, and a rejection that nobody handles would end the process.
 */
export class OpenWrites {
  readonly #open = new Set<Promise<unknown>>();

  follow<Answer>(answer: Promise<Answer>, kind: 'read' | 'write' = 'write'): Promise<Answer> {
    const forget = (): void => {
      this.#open.delete(answer);
    };
    if (kind === 'write') this.#open.add(answer);
    answer.then(forget, forget);
    return answer;
  }

  /** Waits for the writes of this work, too. Rejects with the failure of one that is open when the work has ended. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      await Promise.all(this.#open);
      return result;
    } finally {
      await Promise.allSettled(this.#open);
    }
  }
}
