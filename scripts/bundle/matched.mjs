/** Replacements that a plugin of the build must make. If a package changes so that one no longer applies, the build fails. */
export class Matched {
  #left;

  constructor(expected) {
    this.#left = new Set(expected);
  }

  add(found) {
    this.#left.delete(found);
  }

  /** For `onEnd`. */
  check(what) {
    return { errors: [...this.#left].map((one) => ({ text: `${what} ${one}` })) };
  }
}
