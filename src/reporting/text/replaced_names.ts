import { CONTROLLER, nameReplacer, shortName } from './messages.js';

const WORD = /[\p{L}\p{N}_]+/gu;
const MOST_WORDS_IN_NAME = 12;
/** With fewer letters and digits besides the name, a spelling would be found where nothing secret is. */
const FEWEST_LETTERS = 4;
const PLACEHOLDER = /<controller>|\{\{inventory_hostname(?:_short)?\}\}/g;

/**
 * Outputs show one text for several controllers, with a placeholder for their names. A secret that contains such a name may
 * become known only then, so it is searched for with the placeholder, too.
 */
export class ReplacedNames {
  /** By their whole and their short names. */
  readonly #controllers = new Map<string, string>();

  add(names: readonly string[]): void {
    for (const name of names) this.#controllers.set(shortName(name), name).set(name, name);
  }

  /** The secret with placeholders for the names in it. */
  readonly spellings = (secret: string): readonly string[] => {
    const found = new Set<string>();
    for (const name of this.#namesIn(secret))
      for (const replace of [nameReplacer(name, [CONTROLLER, CONTROLLER]), nameReplacer(name)])
        found.add(replace(secret));
    return [...found].filter((text) => lettersIn(text.replaceAll(PLACEHOLDER, '')) >= FEWEST_LETTERS);
  };

  #namesIn(secret: string): ReadonlySet<string> {
    const words = [...secret.matchAll(WORD)].map(({ 0: word, index }) => [index, index + word.length] as const);
    const found = new Set<string>();
    for (const [at, [from]] of words.entries())
      for (const [, to] of words.slice(at, at + MOST_WORDS_IN_NAME)) {
        const name = this.#controllers.get(secret.slice(from, to));
        if (name !== undefined) found.add(name);
      }
    return found;
  }
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
