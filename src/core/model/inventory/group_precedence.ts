/** The properties of a group that decide the precedence of its variables. */
export interface RankedGroup {
  readonly name: string;
  readonly parents: ReadonlySet<string>;
  /** `ansible_group_priority`. */
  readonly priority: number;
}

/** Sorts groups from the weakest to the strongest: by depth below `all`, then `ansible_group_priority`, then name. */
export class GroupPrecedence<Group extends RankedGroup> {
  readonly #groups: ReadonlyMap<string, Group>;
  readonly #depths = new Map<string, number>();

  constructor(groups: ReadonlyMap<string, Group>) {
    this.#groups = groups;
  }

  /** The groups and all their ancestors except `all`, weakest first. */
  ordered(direct: Iterable<string>): readonly Group[] {
    const names = new Set(direct);
    for (const name of names) for (const parent of this.#groups.get(name)?.parents ?? []) names.add(parent);
    names.delete('all');
    const groups = [...names].flatMap((name) => this.#groups.get(name) ?? []);
    return groups.sort(
      (a, b) => this.#depth(a) - this.#depth(b) || a.priority - b.priority || (a.name < b.name ? -1 : 1),
    );
  }

  /** The length of the longest path up to a group without parents. */
  #depth(group: Group): number {
    const known = this.#depths.get(group.name);
    if (known !== undefined) return known;
    let depth = 0;
    for (const name of group.parents) {
      const parent = this.#groups.get(name);
      if (parent !== undefined) depth = Math.max(depth, this.#depth(parent) + 1);
    }
    this.#depths.set(group.name, depth);
    return depth;
  }
}
