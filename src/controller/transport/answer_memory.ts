/** A larger answer waits for a slot in memory. */
export const LARGE_ANSWER = 2 ** 20;
/** The maximum number of large answers in memory at the same time, parsed or not. */
const PLACES = 3;
/** Tasks may wait for each other. If no slot is released for this long, one more is added. */
const PATIENCE_MS = 10_000;
/** If the process was busy for more than this share of that time, tasks are working, and one more slot would slow them down. */
const BUSY = 0.5;

type Waiting = 'reads' | 'writes';

/** Limits how many large answers of all controllers are in memory at once. */
export class AnswerMemory {
  /** Negative while extra slots were given to requests that waited too long. */
  #free = PLACES;
  /** Writes come first, because their answers are in memory already. */
  readonly #waiting = { writes: new Array<() => void>(), reads: new Array<() => void>() };
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly patienceMs = PATIENCE_MS) {}

  /** For one connection. */
  slot(): AnswerSlot {
    return new AnswerSlot(this);
  }

  /** Calls back when there is a slot; writes come first. */
  take(go: () => void, kind: Waiting): void {
    this.#waiting[kind].push(go);
    if (this.#free > 0) this.#startNext();
    else if (this.#timer === undefined) this.#restartTimer();
  }

  /** A slot beyond the limit is not reused, otherwise a busy machine would get more of them every ten seconds. */
  giveBack(): void {
    this.#free += 1;
    if (this.#free > 0) this.#startNext();
    else this.#restartTimer();
  }

  #startNext(): void {
    const next = this.#waiting.writes.shift() ?? this.#waiting.reads.shift();
    this.#restartTimer();
    if (next === undefined) return;
    this.#free -= 1;
    next();
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.writes.length + this.#waiting.reads.length === 0) return;
    const before = performance.eventLoopUtilization();
    this.#timer = setTimeout(() => {
      if (performance.eventLoopUtilization(before).utilization > BUSY) this.#restartTimer();
      else this.#startNext();
    }, this.patienceMs);
  }
}

/** The slot of one connection, kept until its task no longer needs the answers. */
export class AnswerSlot {
  #isTaken = false;
  /** How many tasks have returned it: a task's pending wait does not concern the next task. */
  #tasks = 0;

  constructor(private readonly room: AnswerMemory) {}

  /** Calls back when a large answer may be in memory, parsed. */
  take(go: () => void, kind: Waiting): void {
    if (this.#isTaken) return go();
    const task = this.#tasks;
    this.room.take(() => {
      // Two answers of one connection need one slot.
      if (this.#isTaken || task !== this.#tasks) this.room.giveBack();
      else this.#isTaken = true;
      go();
    }, kind);
  }

  giveBack(): void {
    this.#tasks += 1;
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.room.giveBack();
  }
}
