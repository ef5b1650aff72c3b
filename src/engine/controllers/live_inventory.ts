import {
  nameRefusal,
  type Controller,
  type Group,
  type Inventory,
  type VariablesKind,
} from '../../core/model/inventory/inventory.js';
import { findDirectGroups, InventoryDraft } from '../../core/model/inventory/inventory_draft.js';
import type { Play } from '../../core/model/playbook/playbook.js';
import { entry, isEqual, type Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Effect } from '../../module/contract.js';
import { TaskProblem } from '../keywords/failed_result.js';

const ADDED = 'add_host';

/** The inventory of one run: the loaded one, changed by `add_host` and `group_by`. The loaded one is not modified. */
export class LiveInventory implements Inventory {
  #controllers: Map<string, Controller> | undefined;
  #groups: ReadonlyMap<string, Group>;
  #directGroups: Map<string, ReadonlySet<string>> | undefined;
  /** Makes changes one at a time, because reading `group_vars` takes time. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param onChange called for each controller whose groups or variables changed
   * @param plays those that read `group_vars` and `host_vars` of added names, too
   */
  constructor(
    private readonly loaded: Inventory,
    private readonly onChange: (controller: Controller) => void = () => undefined,
    private readonly plays: readonly Pick<Play, 'addAdjacent'>[] = [],
  ) {
    this.#groups = loaded.groups;
  }

  get controllers(): ReadonlyMap<string, Controller> {
    return this.#controllers ?? this.loaded.controllers;
  }

  get groups(): ReadonlyMap<string, Group> {
    return this.#groups;
  }

  get localhostLayers(): Inventory['localhostLayers'] {
    return this.loaded.localhostLayers;
  }

  /** Creates the controller, or adds to its variables and groups. Resolves to whether that had an effect. */
  addHost(effect: Extract<Effect, { type: 'host' }>): Promise<boolean> {
    const { name, groups, values } = effect;
    return this.#change(async (draft) => {
      requireName('controller', name);
      const known = this.controllers.get(name);
      if (known === undefined) {
        draft.addController({ name, groups: [], layers: await this.#readAdjacent('host_vars', name) });
        draft.join(name, 'all');
      }
      const own = ownVariables(known, values);
      if (own !== undefined) draft.setOwn(name, own);
      for (const group of groups) {
        await this.#addGroup(draft, group);
        draft.join(name, group);
      }
    });
  }

  /** Adds a controller to a group. Resolves to whether that had an effect. */
  joinGroup(controller: Controller, effect: Extract<Effect, { type: 'group' }>): Promise<boolean> {
    const { name, parents } = effect;
    return this.#change(async (draft) => {
      await this.#addGroup(draft, name);
      for (const parent of parents) {
        await this.#addGroup(draft, parent);
        const refusal = draft.addChild(parent, name);
        if (refusal !== undefined) throw new TaskProblem(refusal);
      }
      if (controller.implicit === true) draft.addController(controller);
      draft.join(controller.name, name);
    });
  }

  #change(work: (draft: InventoryDraft) => Promise<void>): Promise<boolean> {
    const change = this.#last.then(async () => {
      this.#directGroups ??= findDirectGroups(this.loaded);
      const draft = new InventoryDraft(this, this.#directGroups);
      await work(draft);
      if (!draft.changed) return false;
      this.#controllers ??= new Map(this.loaded.controllers);
      this.#groups = draft.apply(this.#controllers);
      for (const name of draft.touched) {
        const controller = this.controllers.get(name);
        if (controller !== undefined) this.onChange(controller);
      }
      return true;
    });
    this.#last = change.catch(() => undefined);
    return change;
  }

  async #addGroup(draft: InventoryDraft, name: string): Promise<void> {
    requireName('group', name);
    if (!draft.hasGroup(name)) draft.addGroup(name, await this.#readAdjacent('group_vars', name));
  }

  async #readAdjacent(kind: VariablesKind, name: string): Promise<readonly VariableLayer[]> {
    // The plays of a folder share it.
    for (const add of new Set(this.plays.map((play) => play.addAdjacent))) await add?.(kind, name);
    return (await this.loaded.readAdjacent?.(kind, name)) ?? [];
  }
}

/** Applies the rules for names in files. */
function requireName(what: 'controller' | 'group', name: string): void {
  const refusal = nameRefusal(what, name);
  if (refusal !== undefined) throw new TaskProblem(refusal);
}

/** The variables that `add_host` has set so far, and sets now; undefined if there is nothing new. */
function ownVariables(known: Controller | undefined, values: Mapping): VariableLayer | undefined {
  const written = (known?.layers ?? []).filter(({ level }) => level === 'inventory host vars');
  const before: Mapping = Object.fromEntries(written.flatMap((layer) => Object.entries(layer.values)));
  const isNew = Object.entries(values).some(([name, value]) => !isEqual(entry(before, name), value));
  if (!isNew) return undefined;
  const added = written.find(({ origin }) => origin === ADDED)?.values;
  return { level: 'inventory host vars', origin: ADDED, values: { ...added, ...values }, literal: true };
}
