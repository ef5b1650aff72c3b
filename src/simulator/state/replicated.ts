interface Behind<T> {
  readonly value: T;
  reads: number;
}

/** A value that its followers learn late: after a write, the next reads still see what was there before. */
export class Replicated<T> {
  #leader: T;
  #behind: Behind<T> | undefined;

  constructor(value: T) {
    this.#leader = value;
  }

  get current(): T {
    return this.#leader;
  }

  /** What a client reads; counts down what the followers lag. */
  read(): T {
    const behind = this.#behind;
    if (behind === undefined) return this.#leader;
    behind.reads -= 1;
    if (behind.reads <= 0) this.#behind = undefined;
    return behind.value;
  }

  /** `lag` reads from now on still see the old value. */
  write(value: T, lag = 0): void {
    if (lag > 0) this.#behind = { value: this.#behind?.value ?? this.#leader, reads: lag };
    this.#leader = value;
  }
}
