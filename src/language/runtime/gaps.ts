import type { Value } from '../../core/model/values/value.js';
import { step } from './access.js';

/**
 * Remembers which lists and mappings have texts with gaps: an expression inside of the text gave nothing, such as `stage` in
 * `edge-{{ stage }}` if it is null. Only what names something must not have gaps, which is known when it is used.
 */
export class Gaps {
  #count = 0;
  readonly #written = new WeakMap<object, Value>();

  /** The number of gaps so far. Most runs have none. */
  get count(): number {
    return this.#count;
  }

  note(): void {
    this.#count += 1;
  }

  /** Keeps a list or mapping as it was written. */
  keep(rendered: object, written: Value): void {
    this.#written.set(rendered, written);
  }

  /** Keeps the same for another list with these items. */
  carry(from: readonly Value[], to: readonly Value[]): void {
    const written = this.#written.get(from);
    const isSame = from.length === to.length && from.every((one, index) => one === to[index]);
    if (written !== undefined && isSame) this.#written.set(to, written);
  }

  /** What was written at the key of a rendered list or mapping, if a text in it has a gap. */
  writtenIn(rendered: Value | undefined, key: string): Value | undefined {
    if (typeof rendered !== 'object' || rendered === null) return undefined;
    const written = this.#written.get(rendered);
    return written === undefined ? undefined : step(written, key);
  }
}
