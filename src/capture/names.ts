const LONGEST = 120;

/** Names of variables, each given once. */
export class Names {
  readonly #taken = new Set<string>();

  /** A name of these words: `captured_cloud_edge_1_mtu`. */
  unique(...words: readonly string[]): string {
    const name = words.map(variablePart).filter(Boolean).join('_').slice(0, LONGEST);
    let free = name;
    for (let number = 2; this.#taken.has(free); number++) free = `${name}_${number}`;
    this.#taken.add(free);
    return free;
  }
}

function variablePart(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}
