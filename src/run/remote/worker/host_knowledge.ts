import type { Secrets } from '../../../secrets/secrets.js';
import { ControllerState } from '../../controllers/controller_state.js';
import type { Fleet } from '../../controllers/fleet.js';
import type { InventoryChange } from '../../controllers/live_inventory.js';
import { LearnedSecrets } from './learned_secrets.js';
import type { Link } from './link.js';
import { type News, type WalkOrder } from '../messages.js';
import { know, type KnownOfController } from '../known.js';

/** What a worker knows of the run beside what it loaded: the coordinator tells what happened elsewhere. */
export class HostKnowledge {
  readonly secrets: LearnedSecrets;
  /** One after the other: what is heard later is newer. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly fleet: Fleet,
    secrets: Secrets,
    keptSecrets: number | undefined,
  ) {
    this.secrets = new LearnedSecrets(secrets, keptSecrets);
  }

  /** A walk begins: what the order says of its controller is newer than its news. */
  async begin({ controller, known, now, news }: WalkOrder, isWalking: (controller: string) => boolean): Promise<void> {
    const isThere = this.#know(controller, known, now);
    await this.hear(news, isWalking);
    // A task added it.
    if (!isThere) this.#know(controller, known, now);
  }

  /** @param isWalking this process knows best what it knows of these */
  hear(news: News, isWalking: (controller: string) => boolean): Promise<void> {
    const heard = this.#last.then(() => this.#hear(news, isWalking));
    this.#last = heard.catch(() => undefined);
    return heard;
  }

  async #hear(
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
      if (shown !== undefined) know(shown, known);
      else if (!isWalking(name)) this.#know(name, known);
    }
  }

  of({ name, known }: ControllerState): KnownOfController {
    return { ...known, masked: this.fleet.maskedWords.variables(name) };
  }

  /** The coordinator's inventory first: it says whether that changed anything for the run. */
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

  /** False: there is no such controller yet. */
  #know(controller: string, known: KnownOfController, now?: KnownOfController): boolean {
    const state = this.fleet.find(controller);
    if (state === undefined) return false;
    know(state, known);
    state.shown = now && new ControllerState(state.controller, state.maskedWords);
    if (now !== undefined && state.shown !== undefined) know(state.shown, now);
    return true;
  }
}
