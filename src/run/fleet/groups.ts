import type { Inventory } from '../../model/inventory/inventory.js';
import { membersOf } from '../../model/inventory/membership.js';
import { LazyMapping, type Value } from '../../model/values/value.js';

/** The magic variable `groups`: group → all its controllers, those of its child groups included. */
export class Groups extends LazyMapping {
  readonly #members = new Map<string, readonly string[]>();
  #seen: Inventory['groups'] | undefined;

  /** @param inventory as it is now, whenever it is looked at */
  constructor(private readonly inventory: Inventory) {
    super();
  }

  override get(group: string): Value | undefined {
    const { groups } = this.inventory;
    if (groups !== this.#seen) this.#members.clear();
    this.#seen = groups;
    if (!groups.has(group)) return undefined;
    const known = this.#members.get(group) ?? membersOf(this.inventory, group);
    this.#members.set(group, known);
    return known;
  }

  override keys(): Iterable<string> {
    return this.inventory.groups.keys();
  }
}
