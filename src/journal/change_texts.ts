import type { Change } from '../model/run/change.js';

/** Changes as JSON: the same one is kept before a write and with what its task came to, and is made into text once. */
export class ChangeTexts {
  readonly #texts = new WeakMap<Change, string>();

  /** The fields as JSON, as `JSON.stringify` gives them, the change behind them. */
  jsonOf(fields: object, change: Change | undefined): string {
    const text = JSON.stringify(fields);
    return change === undefined ? text : `${text.slice(0, -1)},"change":${this.#textOf(change)}}`;
  }

  #textOf(change: Change): string {
    const known = this.#texts.get(change);
    if (known !== undefined) return known;
    const text = JSON.stringify(change);
    this.#texts.set(change, text);
    return text;
  }
}
