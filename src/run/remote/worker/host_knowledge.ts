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

  constructor(
    private readonly fleet: Fleet,
    secrets: Secrets,
    keptSecrets: number | undefined,
  ) {
    this.secrets = new LearnedSecrets(secrets, keptSecrets);
  }

  /** Begins a walk. The order's data about its controller is newer than its news. */
  async begin({ controller, before, news }: WalkOrder, isWalking: (controller: string) => boolean): Promise<void> {
    const { known, now } = before;
    const isThere = this.#know(controller, known, now);
    await this.apply(news, isWalking);
    // The controller was added by a task.
    if (!isThere) this.#know(controller, known, now);
  }

  /** @param isWalking controllers for which this process has newer data than the news */
  apply(news: News, isWalking: (controller: string) => boolean): Promise<void> {
    const applied = this.#last.then(() => this.#applyNow(news, isWalking));
    this.#last = applied.catch(() => undefined);
    return applied;
  }

  async #applyNow(
    { statuses = [], effects = [], variables = [] }: News,
    isWalking: (controller: string) => boolean,
  ): Promise<void> {
    const { fleet } = this;
    for (const change of effects) await this.#apply(change);
    for (const [name, status] of statuses) {
      const state = fleet.find(name);
      if (state === undefined) continue;
      if (status === 'alive') fleet.revive(name);
      else fleet.lose(state, status);
    }
    for (const [name, known] of variables) {
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

  async #apply(change: InventoryChange): Promise<void> {
    const { inventory } = this.fleet;
    if (!('controller' in change)) {
      await inventory.addHost(change.effect);
      return;
    }
    const controller = this.fleet.find(change.controller)?.controller;
    if (controller !== undefined) await inventory.joinGroup(controller, change.effect);
  }

  /** Returns false if the controller does not exist yet. */
  #know(controller: string, known: KnownOfController, now?: KnownOfController): boolean {
    const state = this.fleet.find(controller);
    if (state === undefined) return false;
    setKnown(state, known);
    state.shown = now && new ControllerState(state.controller, state.maskedWords);
    if (now !== undefined && state.shown !== undefined) setKnown(state.shown, now);
    return true;
  }
}
