import { getOrAdd } from '../values/groups.js';
import type { VariableLayer } from '../values/variables.js';
import { findDescendants, findMembers, type Controller, type Group, type Inventory } from './inventory.js';

/** Changes to an inventory, which stays unchanged until `apply`. */
export class InventoryDraft {
  readonly #groups: Map<string, Group>;
  /** New or changed controllers. */
  readonly #controllers = new Map<string, Controller>();
  /** What `join` changes of `directGroups`. */
  readonly #joined = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly base: Inventory,
    private readonly directGroups = findDirectGroups(base),
  ) {
    this.#groups = new Map(base.groups);
  }

  get changed(): boolean {
    return this.#controllers.size > 0 || this.#groups.size !== this.base.groups.size;
  }

  /** Names of the controllers whose groups or variables changed. */
  get touched(): Iterable<string> {
    return this.#controllers.keys();
  }

  hasGroup(name: string): boolean {
    return this.#groups.has(name);
  }

  /** @param layers of `group_vars` */
  addGroup(name: string, layers: readonly VariableLayer[]): void {
    if (!this.hasGroup(name)) this.#groups.set(name, { name, children: [], controllers: [], layers });
  }

  /** Adds a child group. Returns why that is not possible; undefined on success. */
  addChild(parent: string, child: string): string | undefined {
    const above = this.#groups.get(parent);
    if (above === undefined || above.children.includes(child)) return undefined;
    if (findDescendants({ groups: this.#groups }, child).has(parent))
      return `group "${child}" cannot be a child of "${parent}": they would contain each other`;
    this.#groups.set(parent, { ...above, children: [...above.children, child] });
    for (const name of findMembers({ groups: this.#groups, controllers: this.#controllers }, child)) this.#touch(name);
    return undefined;
  }

  addController(controller: Controller): void {
    if (this.#find(controller.name) !== undefined) return;
    this.#controllers.set(controller.name, controller);
  }

  /** Sets the controller's own variables; replaces those of the same origin. */
  setOwn(name: string, own: VariableLayer): void {
    const controller = this.#find(name);
    if (controller === undefined) return;
    const layers = controller.layers.filter(({ origin }) => origin !== own.origin);
    this.#controllers.set(name, { ...controller, layers: [...layers, own] });
  }

  join(name: string, group: string): void {
    const joined = this.#groups.get(group);
    const direct = this.#directGroups(name);
    if (joined === undefined || direct.has(group)) return;
    this.#groups.set(group, { ...joined, controllers: [...joined.controllers, name] });
    this.#joined.set(name, new Set([...direct, group]));
    this.#touch(name);
  }

  /**
   * Returns the finished groups: every group is below `all`, and `ungrouped` has the controllers without another group.
   * Changes the controllers in the given map, and the direct groups, because ten thousand copies of ten thousand entries
   * would take minutes.
   */
  apply(controllers: Map<string, Controller>): ReadonlyMap<string, Group> {
    this.#putBelowAll();
    for (const name of this.touched) this.#updateUngrouped(name);
    const precedence = new GroupPrecedence(ranked(this.#groups));
    const ofGroups = new Set([...this.base.groups.values()].flatMap(({ layers }) => layers));
    for (const [name, controller] of this.#controllers)
      controllers.set(name, this.#finished(controller, precedence, ofGroups));
    for (const [name, groups] of this.#joined) this.directGroups.set(name, groups);
    return this.#groups;
  }

  #find(name: string): Controller | undefined {
    return this.#controllers.get(name) ?? this.base.controllers.get(name);
  }

  #touch(name: string): void {
    const controller = this.#find(name);
    if (controller !== undefined) this.#controllers.set(name, controller);
  }

  #putBelowAll(): void {
    const children = new Set([...this.#groups.values()].flatMap((group) => group.children));
    for (const name of this.#groups.keys()) if (name !== 'all' && !children.has(name)) this.addChild('all', name);
  }

  #updateUngrouped(name: string): void {
    const ungrouped = this.#groups.get('ungrouped');
    if (ungrouped === undefined) return;
    const direct = this.#directGroups(name);
    const others = [...direct].filter((group) => group !== 'ungrouped');
    if (!others.some((group) => group !== 'all')) this.join(name, 'ungrouped');
    else if (direct.has('ungrouped')) {
      this.#joined.set(name, new Set(others));
      const controllers = ungrouped.controllers.filter((one) => one !== name);
      this.#groups.set('ungrouped', { ...ungrouped, controllers });
    }
  }

  #finished(
    controller: Controller,
    precedence: GroupPrecedence<RankedGroup>,
    ofGroups: ReadonlySet<VariableLayer>,
  ): Controller {
    const groups = precedence.ordered(this.#directGroups(controller.name)).map((group) => group.name);
    const shared = ['all', ...groups].flatMap((group) => this.#groups.get(group)?.layers ?? []);
    const own = controller.layers.filter((layer) => !ofGroups.has(layer));
    return { ...controller, groups, layers: [...shared, ...own] };
  }

  #directGroups(name: string): ReadonlySet<string> {
    return this.#joined.get(name) ?? this.directGroups.get(name) ?? NONE;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The groups that list each controller themselves: searching the members of all groups for each one would be slow. */
export function findDirectGroups({ groups }: Pick<Inventory, 'groups'>): Map<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, controllers } of groups.values())
    for (const controller of controllers) getOrAdd(found, controller, () => new Set()).add(name);
  return found;
}

function ranked(groups: ReadonlyMap<string, Group>): ReadonlyMap<string, RankedGroup> {
  const parents = new Map<string, Set<string>>([...groups.keys()].map((name) => [name, new Set()]));
  for (const { name, children } of groups.values()) for (const child of children) parents.get(child)?.add(name);
  const rank = (name: string, priority = 1) => ({ name, priority, parents: parents.get(name) ?? new Set() });
  return new Map([...groups.values()].map(({ name, priority }) => [name, rank(name, priority)]));
}

/** The properties of a group that decide the precedence of its variables. */
export interface RankedGroup {
  readonly name: string;
  readonly parents: ReadonlySet<string>;
  /** `ansible_group_priority`. */
  readonly priority: number;
}

/** Sorts groups from the weakest to the strongest: by depth below `all`, then `ansible_group_priority`, then name. */
export class GroupPrecedence<Group extends RankedGroup> {
  readonly #depths = new Map<string, number>();

  constructor(private readonly groups: ReadonlyMap<string, Group>) {}

  /** The groups and all their ancestors except `all`, weakest first. */
  ordered(direct: Iterable<string>): readonly Group[] {
    const names = new Set(direct);
    for (const name of names) for (const parent of this.groups.get(name)?.parents ?? []) names.add(parent);
    names.delete('all');
    const groups = [...names].flatMap((name) => this.groups.get(name) ?? []);
    return groups.sort(
      (a, b) => this.#depth(a) - this.#depth(b) || a.priority - b.priority || (a.name < b.name ? -1 : 1),
    );
  }

  /** The length of the longest path up to a group without parents. */
  #depth(group: Group): number {
    return getOrAdd(this.#depths, group.name, () => {
      const parents = [...group.parents].flatMap((name) => this.groups.get(name) ?? []);
      return Math.max(0, ...parents.map((parent) => this.#depth(parent) + 1));
    });
  }
}
