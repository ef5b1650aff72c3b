import type { Secrets } from '../../../secrets/secrets.js';
import { ControllerState } from '../../controllers/controller_state.js';
import type { Fleet } from '../../controllers/fleet.js';
import type { InventoryChange } from '../../controllers/live_inventory.js';
import { LearnedSecrets } from './learned_secrets.js';
import type { Link } from './link.js';
import type { News, WalkOrder } from '../walk_order.js';
import { setKnown, type KnownOfController } from '../known.js';

/** The worker's state of the run besides the loaded files, updated by news of the coordinator. */
export class HostKnowledge {
  readonly secrets: LearnedSecrets;
  /** Processes news in order, because later news replaces earlier news. */
  #last: Promise<unknown> = Promise.resolve();
  /** The number of the newest news about each controller. */
  readonly #statuses = new Map<string, number>();
  readonly #variables = new Map<string, number>();
  /** The indexes of the changes of the inventory that this process has made. */
  readonly #effects = new Set<number>();

  constructor(
    private readonly fleet: Fleet,
    secrets: Secrets,
    keptSecrets: number | undefined,
  ) {
    this.secrets = new LearnedSecrets(secrets, keptSecrets);
  }

  /**
   * Begins a walk.
   * @param applied fulfilled when the news of the order has been applied
   */
  async begin(order: WalkOrder, applied: Promise<void>): Promise<void> {
    const isThere = this.#beginAt(order);
    await applied;
    // The controller was added by a task.
    if (!isThere) this.#beginAt(order);
  }

  /** @param isWalking controllers for which this process has newer data than the news */
  apply(news: News, isWalking: (controller: string) => boolean): Promise<void> {
    const applied = this.#last.then(() => this.#applyNow(news, isWalking));
    this.#last = applied.catch(() => undefined);
    return applied;
  }

  async #applyNow(
    { number, statuses = [], effects = [], firstEffect = 0, variables = [] }: News,
    isWalking: (controller: string) => boolean,
  ): Promise<void> {
    const { fleet } = this;
    for (const [index, change] of effects.entries()) await this.#applyOnce(firstEffect + index, change);
    for (const [name, status] of statuses) {
      const state = fleet.find(name);
      if (state === undefined || !isNewest(this.#statuses, name, number)) continue;
      if (status === 'alive') fleet.revive(name);
      else fleet.lose(state, status);
    }
    for (const [name, known] of variables) {
      if (!isNewest(this.#variables, name, number)) continue;
      const { shown } = fleet.find(name) ?? {};
      if (shown !== undefined) setKnown(shown, known);
      else if (!isWalking(name)) this.#know(name, known);
    }
  }

  of({ name, known }: ControllerState): KnownOfController {
    return { ...known, masked: this.fleet.maskedWords.variables(name) };
  }

  /** Changes the coordinator's inventory first, which decides whether the change had an effect for the run. */
  async change(change: InventoryChange, link: Link): Promise<boolean> {
    const changed = await link.call({ type: 'change inventory', change });
    await this.#apply(change);
    return changed;
  }

  /** Returns false if the controller does not exist yet. */
  async #apply(change: InventoryChange): Promise<boolean> {
    const { inventory } = this.fleet;
    if (!('controller' in change)) {
      await inventory.addHost(change.effect);
      return true;
    }
    const controller = this.fleet.find(change.controller)?.controller;
    if (controller !== undefined) await inventory.joinGroup(controller, change.effect);
    return controller !== undefined;
  }

  async #applyOnce(index: number, change: InventoryChange): Promise<void> {
    if (this.#effects.has(index)) return;
    // Noted only then: news that failed is sent again.
    if (await this.#apply(change)) this.#effects.add(index);
  }

  /** The order's data about its controller is newer than its news. Returns false if the controller does not exist yet. */
  #beginAt({ controller, before: { known, now }, news: { number } }: WalkOrder): boolean {
    const state = this.fleet.find(controller);
    if (state === undefined) return false;
    const newest = isNewest(this.#variables, controller, number) ? now : this.of(state.shown ?? state);
    setKnown(state, known);
    state.shown = now && new ControllerState(state.controller, state.maskedWords);
    if (newest !== undefined && state.shown !== undefined) setKnown(state.shown, newest);
    return true;
  }

  #know(controller: string, known: KnownOfController): void {
    const state = this.fleet.find(controller);
    if (state === undefined) return;
    setKnown(state, known);
    state.shown = undefined;
  }
}

/** Notes the number of the news about a controller. Returns false if newer news was applied before. */
function isNewest(numbers: Map<string, number>, controller: string, number: number): boolean {
  if ((numbers.get(controller) ?? -1) > number) return false;
  numbers.set(controller, number);
  return true;
}
