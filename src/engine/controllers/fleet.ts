import { type Controller, findController, findMembers, type Inventory } from '../../core/model/inventory/inventory.js';
import type { StepLeft } from '../../core/model/run/journal.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { LazyMapping, type Value } from '../../core/model/values/value.js';
import { MaskedWords } from '../../core/secrets/masked_words.js';
import {
  ControllerState,
  keepVariables,
  keptBefore,
  NO_VARIABLES,
  type ControllerStatus,
  type KeptVariables,
} from './controller_state.js';
import type { LiveInventory } from './live_inventory.js';

/** The state of each controller of a run, created on first use. */
export class Fleet {
  /** The magic variable `groups`. */
  readonly groups: Value;
  readonly maskedWords = new MaskedWords();
  readonly #states = new Map<string, ControllerState>();
  /** Cached answers of `alive`. */
  #alive = new WeakMap<readonly string[], readonly string[]>();

  /** @param inventory always the current state */
  constructor(readonly inventory: LiveInventory) {
    this.groups = new Groups(inventory);
  }

  /** Undefined if there is no such controller, not even as the implicit localhost. */
  find(name: string): ControllerState | undefined {
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    const controller = findController(this.inventory, name);
    if (controller === undefined) return undefined;
    const state = new ControllerState(controller, this.maskedWords);
    this.#states.set(name, state);
    return state;
  }

  /** The name that a user probably meant by an unknown one. */
  nearest(name: string): string | undefined {
    return didYouMean(name, [...this.inventory.controllers.keys()]);
  }

  /** Updates the controller after its groups or its inventory variables have changed. */
  regroup(controller: Controller): void {
    this.#states.get(controller.name)?.regroup(controller);
  }

  /** Removes the controller from the run. */
  lose(state: ControllerState, status: Exclude<ControllerStatus, 'alive'>): void {
    state.status = status;
    this.#alive = new WeakMap();
  }

  /** `clear_host_errors`: returns the controllers to the run, but not to the play that they have left. A stale one stays stale. */
  forgive(names: readonly string[]): void {
    const lost = this.known(names).filter(({ status }) => status === 'failed' || status === 'unreachable');
    for (const { name } of lost) this.revive(name);
    this.setHasLeftPlay(lost, true);
  }

  /** Returns the controller to the run. */
  revive(name: string): void {
    const state = this.#states.get(name);
    if (state === undefined || state.status === 'alive') return;
    state.status = 'alive';
    this.#alive = new WeakMap();
  }

  /** Variables that a step of another controller sets: `delegate_facts`, and `run_once` for the others. */
  give(names: readonly string[], keptVariables: KeptVariables): void {
    if (keptVariables.maskedWords !== undefined) this.maskedWords.isPossible = true;
    for (const state of names.map((name) => this.find(name)))
      if (state !== undefined) keepVariables(state, keptVariables);
  }

  /** Restores what a step set before the run was interrupted, for its controller and for others. */
  restore(state: ControllerState, left: StepLeft = {}): KeptVariables {
    const keptVariables = keptBefore(left);
    this.give([state.name], keptVariables);
    for (const { owner, values, facts } of keptVariables.elsewhere)
      this.give([owner], { ...NO_VARIABLES, values, facts, maskedWords: keptVariables.maskedWords });
    return keptVariables;
  }

  /** The controllers still in the play. Cached, because thousands of controllers need it (`ansible_play_hosts`). */
  alive(names: readonly string[]): readonly string[] {
    return getOrAdd(this.#alive, names, () =>
      names.filter((name) => this.isAlive(name) && this.#states.get(name)?.hasLeftPlay !== true),
    );
  }

  /** The play has ended for the controller; or, with its batch, for all that had left. */
  setHasLeftPlay(states: readonly ControllerState[], left: boolean): void {
    if (states.every((state) => state.hasLeftPlay === left)) return;
    for (const state of states) state.hasLeftPlay = left;
    this.#alive = new WeakMap();
  }

  get statuses(): readonly ControllerStatus[] {
    return [...this.#states.values()].map(({ status }) => status);
  }

  isAlive(name: string): boolean {
    return (this.#states.get(name)?.status ?? 'alive') === 'alive';
  }

  hasAlive(names: readonly string[]): boolean {
    return names.some((name) => this.isAlive(name));
  }

  /** For messages about controllers that are not alive: how they left the run. */
  howLost(names: readonly string[]): string {
    const statuses = new Set(this.known(names).map(({ status }) => status));
    const unreachable = 'could not be reached';
    if (!statuses.has('unreachable')) return 'failed';
    return statuses.has('failed') ? `failed or ${unreachable}` : unreachable;
  }

  /** Whether the controller left the run for another reason than a stale plan, which stops only that controller. */
  hasFailed(name: string): boolean {
    return !this.isAlive(name) && this.#states.get(name)?.status !== 'stale';
  }

  /** Those that left the run so. */
  get failed(): readonly string[] {
    return [...this.#states.keys()].filter((name) => this.hasFailed(name));
  }

  /** The play starts: no controller has finished or left it. */
  begin(names: readonly string[]): void {
    const states = this.known(names);
    for (const state of states) state.finished = false;
    this.setHasLeftPlay(states, false);
  }

  /** The states of those that the run has needed so far. */
  known(names: readonly string[]): readonly ControllerState[] {
    return names.flatMap((name) => this.#states.get(name) ?? []);
  }

  hasFinished(name: string): boolean {
    return this.#states.get(name)?.finished ?? false;
  }

  hasStarted(name: string): boolean {
    return this.#states.get(name)?.started ?? false;
  }
}

/** The magic variable `groups`: group → all its controllers, those of its child groups included. */
export class Groups extends LazyMapping {
  readonly #members = new Map<string, readonly string[]>();
  #seen: Inventory['groups'] | undefined;

  /** @param inventory always the current state */
  constructor(private readonly inventory: Inventory) {
    super();
  }

  override get(group: string): Value | undefined {
    const { groups } = this.inventory;
    if (groups !== this.#seen) this.#members.clear();
    this.#seen = groups;
    if (!groups.has(group)) return undefined;
    return getOrAdd(this.#members, group, () => findMembers(this.inventory, group));
  }

  override keys(): Iterable<string> {
    return this.inventory.groups.keys();
  }
}
