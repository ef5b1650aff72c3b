/** A computation over cells. Yields how many it has visited since the last time. */
export type InParts<T> = Generator<number, T>;

/** The number of cells to visit in a frame, in some milliseconds. */
export const CELLS_PER_FRAME = 60_000;
/** What a result costs as well, because it is rendered. */
const CELLS_PER_RESULT = 20_000;

/** The result, at once. */
export function completed<T>(work: InParts<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Divides computations among frames, so that none of them is late. One computation after the other. */
export class FrameWork {
  readonly #waiting: (() => number | undefined)[] = [];

  /** @param nextFrame calls back in the next frame */
  constructor(private readonly nextFrame: (run: () => void) => void) {}

  /** Calls back with the result in the frame in which it is complete, unless the returned function is called before. */
  add<T>(work: InParts<T>, onResult: (result: T) => void): () => void {
    let isDropped = false;
    const advance = (): number | undefined => {
      if (isDropped) return undefined;
      const { done, value } = work.next();
      if (done !== true) return value;
      onResult(value);
      return undefined;
    };
    if (this.#waiting.push(advance) === 1) this.#continue();
    return () => {
      isDropped = true;
    };
  }

  #continue(): void {
    this.nextFrame(() => {
      try {
        for (let left = CELLS_PER_FRAME; left > 0 && this.#waiting.length > 0;)
          left -= this.#advance() ?? CELLS_PER_RESULT;
      } finally {
        if (this.#waiting.length > 0) this.#continue();
      }
    });
  }

  /** Undefined: the first computation is complete or dropped, or has thrown. Then the next one is the first. */
  #advance(): number | undefined {
    let visited: number | undefined;
    try {
      visited = this.#waiting[0]?.();
    } finally {
      if (visited === undefined) this.#waiting.shift();
    }
    return visited;
  }
}
