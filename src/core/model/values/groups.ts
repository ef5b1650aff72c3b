export type NonEmpty<T> = [T, ...T[]];

export function appendTo<Key, T>(lists: Map<Key, T[]>, key: Key, one: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}

/** What has the same key together; keys in the order in which they were first seen. */
export function groupBy<Key, T>(all: Iterable<T>, keyOf: (one: T) => Key): Map<Key, NonEmpty<T>> {
  const groups = new Map<Key, NonEmpty<T>>();
  for (const one of all) appendTo(groups, keyOf(one), one);
  return groups;
}

interface Kept<Key, T> {
  get(key: Key): T | undefined;
  set(key: Key, one: T): unknown;
}

/** Forgets everything when it is full, so that generated texts cannot fill the memory. */
export class BoundedMap<Key, T> extends Map<Key, T> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: Key, one: T): this {
    if (this.size >= this.most) this.clear();
    return super.set(key, one);
  }
}

/** What is made when it is needed the first time. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** What is kept at a key, made the first time. */
export function getOrAdd<Key, T>(kept: Kept<Key, T>, key: Key, make: () => NoInfer<T>): T {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}
