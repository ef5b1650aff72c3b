import { setImmediate } from 'node:timers/promises';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { Watch } from '../../src/simulator/controller/controller.js';
import { isJsonObject, type Json, type JsonObject } from '../../src/simulator/protocol/json.js';
import type { SimulatedRequest } from '../../src/simulator/protocol/request.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { GONE_CLOUD, OLD_CLOUD } from './rollout.js';

export const CONTROLLERS = 20;

/** Whatever is wrong with a controller, twenty of them are not of one kind. */
const BEHAVIOURS: readonly Behaviour[] = [
  {},
  { faults: [{ type: 'drop', applied: true, when: { method: 'POST', nth: 1 } }] },
  { faults: [{ type: 'drop', applied: true, when: { method: 'PUT', nth: 1 } }] },
  { faults: [{ type: 'drop', applied: true, when: { method: 'DELETE', nth: 1 } }] },
  { faults: [{ type: 'cut', when: { method: 'POST', nth: 2 } }] },
  { unreadable: 405 },
  { latency: 4 },
  { paging: { size: 1 }, filter: 'ignored' },
  { locking: true },
];

export interface Write {
  readonly controller: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Called for each request, with its controller. Rejected: the request is lost on its way. */
export type Look = (write: boolean, ...seen: Parameters<Watch>) => Promise<void>;

/** Turns of the event loop: enough for whatever a dead process had sent to be read. */
const TURNS = 5;

/** Twenty controllers in this process, which no kill reaches. A second object of the same name would show: it is not refused. */
export class CrashFleet {
  /** The writes that one process has sent, and those of them that took effect, in order. */
  #sent: Write[] = [];
  #written: Write[] = [];
  readonly #underWay = new Set<SimulatedRequest>();
  #look: Look | undefined;

  private constructor(private readonly fleet: Fleet) {
    for (const [index, name] of fleet.names.entries()) {
      const controller = fleet.controller(name);
      controller.behaviour = { latency: index % 3, duplicates: 'allow', ...BEHAVIOURS[index % BEHAVIOURS.length] };
      controller.setObjects('/api/cloud/', [OLD_CLOUD, GONE_CLOUD]);
      controller.watch = (moment, request) => this.#watch(name, moment, request);
    }
  }

  static async start(): Promise<CrashFleet> {
    return new CrashFleet(await startFleet({ controllers: CONTROLLERS }));
  }

  /** The next requests are of a new process, and `look` looks on at them. */
  attend(look: Look): void {
    [this.#sent, this.#written, this.#look] = [[], [], look];
  }

  /** Fulfilled when everything has taken effect that a process had sent before it died. */
  async quiet(): Promise<void> {
    this.#look = undefined;
    let turns = 0;
    while (turns < TURNS || this.#underWay.size > 0) {
      await setImmediate();
      turns += 1;
    }
  }

  get sent(): readonly Write[] {
    return this.#sent;
  }

  get written(): readonly Write[] {
    return this.#written;
  }

  dispose(): Promise<void> {
    return this.fleet.dispose();
  }

  /** With a variable of its own for each. */
  get inventory(): string {
    let rack = 0;
    return this.fleet.inventory.replaceAll(/controller_url: "[^"]*"/g, (url) => `${url}, rack: ${(rack += 1)}`);
  }

  /** The content of all controllers, without what each run generates. */
  get state(): Readonly<Record<string, Json>> {
    return Object.fromEntries(this.fleet.names.map((name) => [name, this.#stateOf(name)]));
  }

  #stateOf(name: string): Json {
    const controller = this.fleet.controller(name);
    const clouds = controller.objects('/api/cloud/');
    const names = new Map(clouds.map((cloud) => [cloud['uuid'], `the uuid of ${nameOf(cloud)}`]));
    const told = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(told);
      if (!isJsonObject(value)) return names.get(value) ?? value;
      const kept = Object.entries(value).filter(([key]) => key !== '_last_modified' && key !== 'url');
      return Object.fromEntries(kept.map(([key, one]) => [key, told(one)]));
    };
    const pools = controller.objects('/api/pool/').map((pool) => ({ ...pool, uuid: null }));
    const single = ['/api/systemconfiguration', '/api/monitoring'].map((path) => controller.object(path));
    return told([byName(clouds), byName(pools), single]);
  }

  async #watch(controller: string, ...[moment, request]: Parameters<Watch>): Promise<void> {
    const { method, path, body } = request;
    const isWrite = method !== 'GET';
    const write = { controller, method, path, body };
    if (moment === 'received') this.#underWay.add(request);
    if (moment === 'received' && isWrite) this.#sent.push(write);
    if (moment === 'carried out') this.#underWay.delete(request);
    if (moment === 'carried out' && isWrite) this.#written.push(write);
    try {
      await this.#look?.(isWrite, moment, request);
    } catch (error) {
      this.#underWay.delete(request);
      throw error;
    }
  }
}

function byName(objects: readonly JsonObject[]): readonly JsonObject[] {
  return objects.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}
