import type { Secrets } from '../../../secrets/secrets.js';
import type { ControllerState } from '../../controllers/controller_state.js';
import type { Fleet } from '../../controllers/fleet.js';
import { keepVariables, NO_VARIABLES } from '../../controllers/kept_variables.js';
import type { InventoryChange } from '../../controllers/live_inventory.js';
import { LearnedSecrets } from './learned_secrets.js';
import type { Link } from './link.js';
import type { KnownOfController, News, WalkOrder } from '../messages.js';

/** What a worker knows of the run beside what it loaded: the coordinator tells what happened elsewhere. */
export class HostKnowledge {
  readonly secrets: LearnedSecrets;

  constructor(
    private readonly fleet: Fleet,
    secrets: Secrets,
    keptSecrets: number | undefined,
  ) {
    this.secrets = new LearnedSecrets(secrets, keptSecrets);
  }

  /** A walk begins: what the order says of its controller is newer than its news. */
  async begin(
    { controller, known, given: own, news }: WalkOrder,
    isWalking: (controller: string) => boolean,
  ): Promise<void> {
    const { given = [], ...others } = news;
    const isThere = this.#know(controller, known);
    await this.hear({ ...others, given: given.filter(({ owner }) => owner !== controller) }, isWalking);
    // A task added it.
    if (!isThere) this.#know(controller, known);
    await this.hear({ given: own }, isWalking);
  }

  /** @param isWalking this process knows best what it knows of these */
  async hear(
    { statuses = [], effects = [], given = [], variables = [] }: News,
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
    for (const { owner, values, facts, maskedWords } of given) {
      const state = fleet.find(owner);
      if (maskedWords !== undefined) fleet.maskedWords.isPossible = true;
      if (state !== undefined) keepVariables(state, { ...NO_VARIABLES, values, facts, maskedWords });
    }
    for (const [name, known] of variables) if (!isWalking(name)) this.#know(name, known);
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

  /** What it knew of the controller beside the inventory is replaced, but not whether it takes part. False: there is none. */
  #know(controller: string, known: KnownOfController): boolean {
    const { fleet } = this;
    const status = fleet.find(controller)?.status ?? 'alive';
    fleet.forget(controller);
    const state = fleet.find(controller);
    if (state === undefined) return false;
    if (status !== 'alive') fleet.lose(state, status);
    keepVariables(state, { ...NO_VARIABLES, ...known });
    if (known.masked.length > 0) fleet.maskedWords.isPossible = true;
    for (const [name, words] of known.masked) fleet.maskedWords.set(controller, [name], words);
    return true;
  }
}
