/** So many signs tell a trace from almost all other text. */
const PIECE = 4;

interface Piece<Trace> {
  readonly of: Trace;
  /** Where in the trace it begins. */
  readonly offset: number;
}

/**
 * Looks for hundreds of texts at once: it reads a piece of the text here and there, as far apart as none of them can slip through, and
 * compares only where a piece of one of them stands. Searching for one after the other takes a hundred times as long, and a test that
 * looks through everything that is written does it after each command.
 */
export class TraceSearch<Trace extends { readonly trace: string }> {
  readonly #pieces = new Map<number, Piece<Trace>[]>();
  /** Whichever place of it is looked at first, so many pieces of a trace begin within one step. */
  readonly #step: number;

  constructor(traces: readonly Trace[]) {
    this.#step = Math.min(...traces.map(({ trace }) => trace.length)) - PIECE + 1;
    if (this.#step < 1) throw new Error(`a trace is shorter than ${PIECE} signs`);
    for (const of of traces) {
      // The last first: of a trace that repeats itself, it is the piece that lies furthest to the left.
      for (let offset = this.#step - 1; offset >= 0; offset -= 1) {
        const signs = signsAt(of.trace, offset);
        const alike = this.#pieces.get(signs);
        if (alike === undefined) this.#pieces.set(signs, [{ of, offset }]);
        else alike.push({ of, offset });
      }
    }
  }

  /** Each trace that is in the text, with the first place. */
  in(text: string): readonly (Trace & { readonly at: number })[] {
    const found = new Map<Trace, number>();
    for (let place = 0; place <= text.length - PIECE; place += this.#step) {
      for (const { of, offset } of this.#pieces.get(signsAt(text, place)) ?? []) {
        if (!found.has(of) && text.startsWith(of.trace, place - offset)) found.set(of, place - offset);
      }
    }
    return [...found].map(([trace, at]) => ({ ...trace, at }));
  }
}

/** The signs of a piece as one number, the same for few others. */
function signsAt(text: string, place: number): number {
  let mixed = 0;
  for (let at = place; at < place + PIECE; at += 1) mixed = (Math.imul(mixed, 131) + text.charCodeAt(at)) | 0;
  return mixed;
}
