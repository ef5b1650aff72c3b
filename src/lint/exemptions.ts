import type { Source } from '../model/source/source.js';
import { isExempt, slipsIn, type Slip } from './noqa.js';
import type { Subject } from './subject.js';

/** The `# noqa` comments: on the line of a finding, or on the first line of the step that it stands in. */
export class Exemptions {
  readonly #lines: Subject['lines'];
  /** Where steps begin, by file. */
  readonly #starts = new Map<string, Set<number>>();

  constructor({ plays, lines }: Subject) {
    this.#lines = lines;
    for (const { steps, handlers } of plays) {
      for (const { step } of [...steps, ...handlers]) this.#add(step.source);
    }
  }

  covers(rule: string, { file, line }: Source): boolean {
    const lines = this.#lines(file);
    return isExempt(rule, lines?.[line - 1]) || isExempt(rule, lines?.[this.#stepAt(file, line) - 1]);
  }

  /** Names in them that are slips, in the files that have steps. */
  slips(rules: readonly string[]): readonly Slip[] {
    return [...this.#starts.keys()].flatMap((file) => slipsIn(file, this.#lines(file) ?? [], rules));
  }

  /** The first line of the step that the line stands in; 0 if it stands before any. */
  #stepAt(file: string, line: number): number {
    const starts = this.#starts.get(file);
    let at = line;
    while (at > 0 && starts?.has(at) === false) at -= 1;
    return starts === undefined ? 0 : at;
  }

  #add({ file, line }: Source): void {
    const lines = this.#starts.get(file) ?? new Set();
    this.#starts.set(file, lines.add(line));
  }
}
