import { setImmediate } from 'node:timers/promises';
import type { WatchRequests } from '../../src/simulator/controller/controller.js';
import {
  isJsonObject,
  type JsonObject,
  type SimulatedJson,
  type SimulatedRequest,
  textOrEmpty,
} from '../../src/simulator/protocol/exchange.js';
import { IS_WHOLE } from '../rig/random_seed.js';
import { startFleet, type Fleet, type TestedDialect } from '../rig/simulated.js';
import { ROLLOUTS, type Rollout } from './rollout.js';

/** One for each behaviour of a rollout; some of them twice in `.ci/nightly`. */
export const CONTROLLERS = IS_WHOLE ? 20 : 14;

export interface Write {
  readonly controller: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Called for each request, with its controller. Rejected: the request is lost on its way. */
export type Look = (write: boolean, ...seen: Parameters<WatchRequests>) => Promise<void>;

const UUID = /\b[a-z]+-(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+)\b/g;

/** Fields that differ from run to run. */
const GENERATED: ReadonlySet<string> = new Set(['_last_modified', 'modified', 'url']);

/** Turns of the event loop: enough for whatever a dead process had sent to be read. */
const TURNS = 5;

/** Controllers in this process, which is never killed. They accept a second object of the same name, so that the test detects it. */
export class CrashFleet {
  /** The writes that one process has sent, and those of them that took effect, in order. */
  #sent: Write[] = [];
  #written: Write[] = [];
  readonly #underWay = new Set<SimulatedRequest>();
  #look: Look | undefined;

  private constructor(
    private readonly fleet: Fleet,
    private readonly rollout: Rollout,
  ) {
    const { behaviours, prepare } = rollout;
    for (const [index, name] of fleet.names.entries()) {
      const controller = fleet.controller(name);
      controller.behaviour = { latency: index % 3, duplicates: 'allow', ...behaviours[index % behaviours.length] };
      prepare(controller);
      controller.watch = (moment, request) => this.#watch(name, moment, request);
    }
  }

  static async start(
    dialect: TestedDialect,
    { controllers = CONTROLLERS, rollout = ROLLOUTS[dialect] }: { controllers?: number; rollout?: Rollout } = {},
  ): Promise<CrashFleet> {
    return new CrashFleet(await startFleet({ controllers, dialect }), rollout);
  }

  /** The next requests come from a new process; `look` observes them. */
  attend(look: Look): void {
    [this.#sent, this.#written, this.#look] = [[], [], look];
  }

  /** Resolves when everything that a process sent before it died has taken effect. */
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

  /** With an own variable for each controller. */
  get inventory(): string {
    let rack = 0;
    return this.fleet.inventory.replaceAll(/controller_url: "[^"]*"/g, (url) => `${url}, rack: ${(rack += 1)}`);
  }

  /** The content of all controllers, without what each run generates. */
  get state(): Readonly<Record<string, SimulatedJson>> {
    return Object.fromEntries(this.fleet.names.map((name) => [name, this.#stateOf(name)]));
  }

  #stateOf(name: string): SimulatedJson {
    const { collections, singles } = this.rollout;
    const controller = this.fleet.controller(name);
    const objects = collections.map((collection) => byName(controller.objects(collection)));
    const clouds = new Map(
      controller.objects('/api/cloud/').map((cloud) => [textOrEmpty(cloud['uuid']), nameOf(cloud)]),
    );
    const names = new Map(
      objects.flat().map((object) => {
        const cloud = clouds.get(textOrEmpty(object['cloud_ref']).split('/').at(-1) ?? '');
        return [textOrEmpty(object['uuid']), `the uuid of ${[cloud, nameOf(object)].join(' ').trim()}`];
      }),
    );
    const comparable = (value: SimulatedJson): SimulatedJson => {
      if (typeof value === 'string') return value.replaceAll(UUID, (uuid) => names.get(uuid) ?? uuid);
      if (Array.isArray(value)) return value.map(comparable);
      if (!isJsonObject(value)) return value;
      const kept = Object.entries(value).filter(([key]) => !GENERATED.has(key));
      return Object.fromEntries(kept.map(([key, one]) => [key, comparable(one)]));
    };
    return comparable([objects, singles.map((path) => controller.object(path))]);
  }

  async #watch(controller: string, ...[moment, request]: Parameters<WatchRequests>): Promise<void> {
    const { method, path, body } = request;
    // A sign-in is no write.
    const isWrite = method !== 'GET' && path.startsWith('/api/');
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
  return textOrEmpty(name);
}
