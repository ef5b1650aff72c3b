/** An answer that is larger waits for its place. */
export const LARGE_ANSWER = 2 ** 20;
/** So many large answers of a run are in memory at once, parsed and unparsed. */
const PLACES = 3;
/** Tasks wait for each other, too. If no place becomes free for so long, one more is made. */
const PATIENCE_MS = 10_000;

/** Limits how many large answers of all controllers are in memory at once. */
export class AnswerRoom {
  #free = PLACES;
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** For one connection. */
  place(): AnswerPlace {
    return new AnswerPlace(this);
  }

  /** Calls back at once if there is a place, else when there is one. */
  take(go: () => void): void {
    if (this.#free > 0) {
      this.#free -= 1;
      go();
      return;
    }
    this.#waiting.push(go);
    this.#timer ??= this.#watch();
  }

  giveBack(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#waiting.length > 1 ? this.#watch() : undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #watch(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#free -= 1;
      this.giveBack();
    }, PATIENCE_MS);
  }
}

/** The place of one connection, kept until the task that asked has no use for its answers any more. */
export class AnswerPlace {
  #isTaken = false;

  constructor(private readonly room: AnswerRoom) {}

  /** Calls back when the rest of a large answer may be read. */
  take(go: () => void): void {
    if (this.#isTaken) go();
    else
      this.room.take(() => {
        this.#isTaken = true;
        go();
      });
  }

  giveBack(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.room.giveBack();
  }
}
