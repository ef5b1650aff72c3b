/** Names of objects that one controller wrote, each once. */
export class WrittenNames {
  /** The first names, in a list that controllers with the same names share. */
  #first: readonly string[];
  #others: string[] | undefined;

  constructor(private readonly shared: SharedNames) {
    this.#first = shared.none;
  }

  get all(): readonly string[] {
    return this.#others === undefined ? this.#first : [...this.#first, ...this.#others];
  }

  add(name: string): void {
    if (name === '' || this.#first.includes(name) || this.#others?.includes(name) === true) return;
    const longer = this.#others === undefined ? this.shared.longer(this.#first, name) : undefined;
    if (longer === undefined) (this.#others ??= []).push(this.shared.name(name));
    else this.#first = longer;
  }
}

const MOST_SHARED = 1_000;
const LONGEST_SHARED = 50;

/** Most controllers write the same objects in the same order: their names, and lists of names, are kept once. */
export class SharedNames {
  readonly none: readonly string[] = [];
  readonly #names = new Map<string, string>();
  /** For each list, the lists that are longer by one name, keyed by that name. */
  readonly #longer = new Map<readonly string[], Map<string, readonly string[]>>([[this.none, new Map()]]);

  name(name: string): string {
    const known = this.#names.get(name) ?? name;
    if (this.#names.size < MOST_SHARED) this.#names.set(known, known);
    return known;
  }

  /** Undefined if there are too many lists, or the list is too long. */
  longer(list: readonly string[], name: string): readonly string[] | undefined {
    const known = this.#longer.get(list)?.get(name);
    if (known !== undefined) return known;
    if (this.#longer.size >= MOST_SHARED || list.length >= LONGEST_SHARED) return undefined;
    const longer = [...list, this.name(name)];
    this.#longer.get(list)?.set(name, longer);
    this.#longer.set(longer, new Map());
    return longer;
  }
}
