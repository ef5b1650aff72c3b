import type { Change } from '../../model/run/change.js';
import { MASK } from '../../model/secrets.js';
import { forEachSecret } from '../../model/secret_values.js';
import { isList, isMapping, type Mapping, type Value } from '../../model/values/value.js';
import type { Variables } from '../../template/scope.js';
import { ordinaryWordsIn } from './secret_finder.js';

/** A shorter word is hidden only where it stands alone: "ok" must not garble "token". */
const SHORTEST_PART = 4;

/**
 * The ordinary words that tasks with `no_log` left in variables, by controller and variable. Only tasks that use such a variable
 * mask them: `Secrets` would mask them in all output of the run.
 */
export class HiddenWords {
  /** Whether a task of the run has `no_log`. If none has, nothing here costs anything. */
  isPossible = false;
  readonly #byController = new Map<string, Map<string, readonly string[]>>();
  /** Of all controllers, for `hostvars`; never shrinks. */
  readonly #byName = new Map<string, Set<string>>();

  /** Each task that sets a variable decides anew what of it must stay hidden. */
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
    const known = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, known);
    for (const word of words) known.add(word);
  }

  of(controller: string, name: string): readonly string[] {
    return this.#byController.get(controller)?.get(name) ?? [];
  }

  ofAll(name: string): Iterable<string> {
    return this.#byName.get(name) ?? [];
  }
}

/** The variables that the templates of one task use, and what of them its output must not show. */
export class UsedVariables {
  readonly #names = new Set<string>();

  constructor(
    private readonly hidden: HiddenWords,
    private readonly controller: string,
  ) {}

  /** The same variables; those that are looked up count as used. */
  watch(variables: Variables): Variables {
    return variables.traced((name) => this.#names.add(name));
  }

  #words(): ReadonlySet<string> {
    const words = new Set<string>();
    const isOfOthers = this.#names.has('hostvars');
    for (const name of this.#names) {
      for (const word of this.hidden.of(this.controller, name)) words.add(word);
      if (isOfOthers) for (const word of this.hidden.ofAll(name)) words.add(word);
    }
    return words;
  }

  /** What must stay hidden of what the task leaves behind; undefined: nothing. */
  wordsLeft(left: Value, censored: boolean): readonly string[] | undefined {
    const words = censored ? ordinaryWordsIn(left) : wordsIn(left, this.#words());
    return words.length === 0 ? undefined : words;
  }

  text(text: string): string {
    return hide(text, this.#words());
  }

  value(value: Mapping): Mapping {
    return hiddenMapping(value, this.#words());
  }

  change(change: Change): Change {
    const words = this.#words();
    if (words.size === 0 || change.kind === 'none') return change;
    const object = hide(change.object, words);
    switch (change.kind) {
      case 'invoke':
        return { ...change, object };
      case 'create':
        return { ...change, object, after: hiddenMapping(change.after, words) };
      case 'update': {
        const before = change.before && hiddenMapping(change.before, words);
        return { ...change, object, before, after: hiddenMapping(change.after, words) };
      }
      default:
        return change satisfies never;
    }
  }
}

function wordsIn(value: Value, words: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  if (words.size === 0) return [];
  forEachSecret(value, true, (text) => {
    if (hide(text, words) === text) return;
    for (const word of words) if (hide(text, new Set([word])) !== text) found.add(word);
  });
  return [...found];
}

/** In any letter case that a filter makes of it. */
function hide(text: string, words: ReadonlySet<string>): string {
  if (words.size === 0) return text;
  const forms = new Set([...words].flatMap(formsOf));
  const parts = [...forms].filter((form) => form.length >= SHORTEST_PART);
  return text.replaceAll(/\p{L}+/gu, (letters) =>
    forms.has(letters) ? MASK : parts.reduce((shown, part) => shown.replaceAll(part, MASK), letters),
  );
}

function formsOf(word: string): readonly string[] {
  const [upper, lower] = [word.toUpperCase(), word.toLowerCase()];
  return [word, upper, lower, upper.charAt(0) + lower.slice(1)];
}

function hiddenMapping(mapping: Mapping, words: ReadonlySet<string>): Mapping {
  if (words.size === 0) return mapping;
  return Object.fromEntries(Object.entries(mapping).map(([name, value]) => [name, hiddenValue(value, words)]));
}

function hiddenValue(value: Value, words: ReadonlySet<string>): Value {
  if (typeof value === 'string') return hide(value, words);
  if (isList(value)) return value.map((one) => hiddenValue(one, words));
  return isMapping(value) ? hiddenMapping(value, words) : value;
}
