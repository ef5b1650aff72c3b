import { mapChange, type Change } from '../model/run/result.js';
import { getOrAdd } from '../model/values/groups.js';
import { mapValues, isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { ordinaryWordsIn } from './secret_finder.js';
import { MASK } from './secrets.js';
import { forEachSecret } from './values.js';

/** A shorter word is masked only where it is a whole word: "ok" must not garble "token". */
const SHORTEST_PART = 4;

/**
 * Ordinary words that tasks with `no_log` left in variables, by controller and variable. Only tasks that use such a
 * variable mask them. `Secrets` would mask them in all output of the run.
 */
export class MaskedWords {
  /** Whether a task of the run has `no_log`. If none has, this class costs nothing. */
  isPossible = false;
  readonly #byController = new Map<string, Map<string, readonly string[]>>();
  /** Words of all controllers, for `hostvars`. Never shrinks. */
  readonly #byName = new Map<string, Set<string>>();

  /** Called by each task that sets variables: replaces the masked words of these variables. */
  set(controller: string, names: readonly string[], words: readonly string[] | undefined): void {
    const own = this.#byController.get(controller) ?? new Map<string, readonly string[]>();
    if (words === undefined) for (const name of names) own.delete(name);
    else {
      this.#byController.set(controller, own);
      for (const name of names) {
        own.set(name, words);
        this.#add(name, words);
      }
    }
  }

  #add(name: string, words: readonly string[]): void {
    const known = getOrAdd(this.#byName, name, () => new Set());
    for (const word of words) known.add(word);
  }

  words(controller: string, name: string): readonly string[] {
    return this.#byController.get(controller)?.get(name) ?? [];
  }

  wordsAnywhere(name: string): Iterable<string> {
    return this.#byName.get(name) ?? [];
  }
}

/** The variables that the templates of one task use, and the words of them that its output must mask. */
export class UsedVariables {
  readonly #names = new Set<string>();

  constructor(
    private readonly maskedWords: MaskedWords,
    private readonly controller: string,
  ) {}

  /** Returns the same variables, and records each variable that is looked up. */
  watch<T extends { traced(onName: (name: string) => void): T }>(variables: T): T {
    return variables.traced((name) => this.#names.add(name));
  }

  #words(): ReadonlySet<string> {
    const words = new Set<string>();
    const isOfOthers = this.#names.has('hostvars');
    for (const name of this.#names) {
      for (const word of this.maskedWords.words(this.controller, name)) words.add(word);
      if (isOfOthers) for (const word of this.maskedWords.wordsAnywhere(name)) words.add(word);
    }
    return words;
  }

  /** The words to mask in what the task leaves in variables; undefined if there are none. */
  wordsLeft(left: Value, masked: boolean): readonly string[] | undefined {
    const words = masked ? ordinaryWordsIn(left) : wordsIn(left, this.#words());
    return words.length === 0 ? undefined : words;
  }

  text(text: string): string {
    return maskWords(text, this.#words());
  }

  value(value: Mapping): Mapping {
    return maskedMapping(value, this.#words());
  }

  change(change: Change): Change {
    const words = this.#words();
    if (words.size === 0) return change;
    const masked = (image: Mapping): Mapping => maskedMapping(image, words);
    return mapChange(change, (object) => maskWords(object, words), masked);
  }
}

function wordsIn(value: Value, words: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  if (words.size === 0) return [];
  forEachSecret(value, true, (text) => {
    if (maskWords(text, words) === text) return;
    for (const word of words) if (maskWords(text, new Set([word])) !== text) found.add(word);
  });
  return [...found];
}

/** Masks the words in each letter case that a filter can produce. */
function maskWords(text: string, words: ReadonlySet<string>): string {
  if (words.size === 0) return text;
  const forms = new Set([...words].flatMap(wordForms));
  const parts = [...forms].filter((form) => form.length >= SHORTEST_PART);
  return text.replaceAll(/\p{L}+/gu, (letters) =>
    forms.has(letters) ? MASK : parts.reduce((shown, part) => shown.replaceAll(part, MASK), letters),
  );
}

function wordForms(word: string): readonly string[] {
  const [upper, lower] = [word.toUpperCase(), word.toLowerCase()];
  return [word, upper, lower, upper.charAt(0) + lower.slice(1)];
}

function maskedMapping(mapping: Mapping, words: ReadonlySet<string>): Mapping {
  if (words.size === 0) return mapping;
  return mapValues(mapping, (value) => maskedValue(value, words));
}

function maskedValue(value: Value, words: ReadonlySet<string>): Value {
  if (typeof value === 'string') return maskWords(value, words);
  if (isList(value)) return value.map((one) => maskedValue(one, words));
  return isMapping(value) ? maskedMapping(value, words) : value;
}
