import type { Source } from '../model/source.js';
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
    const step = [...(this.#starts.get(file) ?? [])].filter((start) => start <= line);
    return isExempt(rule, lines?.[line - 1]) || isExempt(rule, lines?.[Math.max(...step) - 1]);
  }

  /** Names in them that are slips, in the files that have steps. */
  slips(rules: readonly string[]): readonly Slip[] {
    return [...this.#starts.keys()].flatMap((file) => slipsIn(file, this.#lines(file) ?? [], rules));
  }

  #add({ file, line }: Source): void {
    const lines = this.#starts.get(file) ?? new Set();
    this.#starts.set(file, lines.add(line));
  }
}
