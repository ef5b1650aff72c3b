import { getOrAdd } from '../../core/model/values/groups.js';
import type { JsonObject } from '../protocol/exchange.js';
import { FRESH_SYSTEM_CONFIGURATION } from './defaults.js';

export const SYSTEM_CONFIGURATION = '/api/systemconfiguration';

/** A controller's objects by the path of their collection or singleton. */
export interface StateSnapshot {
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
  readonly singletons: Readonly<Record<string, JsonObject>>;
}

/** The state of one simulated controller. Objects are never changed in place, so a reader keeps a consistent copy. */
export class SimulatedState {
  readonly #collections = new Map<string, Replicated<readonly JsonObject[]>>();
  readonly #singletons = new Map<string, Replicated<JsonObject>>();
  #lastModified = 0;
  /** Counts how often what is stored replaced all objects. */
  restores = 0;

  constructor(
    snapshot: StateSnapshot | undefined,
    private readonly changed: () => void,
  ) {
    if (snapshot !== undefined) this.restore(snapshot);
  }

  restore({ collections, singletons }: StateSnapshot): void {
    this.restores++;
    this.#collections.clear();
    this.#singletons.clear();
    for (const [path, objects] of Object.entries(collections)) this.#collections.set(path, new Replicated(objects));
    for (const [path, object] of Object.entries(singletons)) this.#singletons.set(path, new Replicated(object));
  }

  /** To read; one without objects does not become a collection by that. */
  collection(path: string): Pick<Replicated<readonly JsonObject[]>, 'current' | 'read'> {
    return this.#collections.get(path) ?? NO_OBJECTS;
  }

  hasCollection(path: string): boolean {
    return path === '/api/cloud/' || this.#collections.has(path);
  }

  hasSingleton(path: string): boolean {
    return this.#singletons.has(path);
  }

  singleton(path: string): Replicated<JsonObject> {
    const fresh = path === SYSTEM_CONFIGURATION ? FRESH_SYSTEM_CONFIGURATION : {};
    const make = () => new Replicated<JsonObject>({ uuid: 'default', _last_modified: this.stamp(), ...fresh });
    return getOrAdd(this.#singletons, path, make);
  }

  setObjects(path: string, objects: readonly JsonObject[], lag = 0): void {
    getOrAdd(this.#collections, path, () => new Replicated<readonly JsonObject[]>([])).write(objects, lag);
    this.changed();
  }

  setSingleton(path: string, object: JsonObject, lag = 0): void {
    this.singleton(path).write(object, lag);
    this.changed();
  }

  /** Gives the object at a path a new `_last_modified`, as the controller's own jobs do. */
  touch(path: string): void {
    const slash = path.lastIndexOf('/') + 1;
    const [collection, uuid] = [path.slice(0, slash), path.slice(slash)];
    const objects = this.#collections.get(collection)?.current;
    const touched = (object: JsonObject): JsonObject => ({ ...object, _last_modified: this.stamp() });
    if (objects !== undefined) {
      this.setObjects(
        collection,
        objects.map((object) => (object['uuid'] === uuid ? touched(object) : object)),
      );
    } else if (this.#singletons.has(path)) this.setSingleton(path, touched(this.singleton(path).current));
  }

  /** A new `_last_modified`: microseconds, never the same twice. */
  stamp(): string {
    this.#lastModified = Math.max(Date.now() * 1000, this.#lastModified + 1);
    return String(this.#lastModified);
  }

  snapshot(): StateSnapshot {
    return { collections: current(this.#collections), singletons: current(this.#singletons) };
  }
}

function current<T>(values: ReadonlyMap<string, Replicated<T>>): Record<string, T> {
  return Object.fromEntries([...values].map(([path, value]) => [path, value.current]));
}

interface Behind<T> {
  readonly value: T;
  reads: number;
}

/** A value with lagging followers: after a write, the next reads still see the old value. */
export class Replicated<T> {
  #leader: T;
  #behind: Behind<T> | undefined;

  constructor(value: T) {
    this.#leader = value;
  }

  get current(): T {
    return this.#leader;
  }

  /** Returns what a client reads; each read reduces the lag by one. */
  read(): T {
    const behind = this.#behind;
    if (behind === undefined) return this.#leader;
    behind.reads -= 1;
    if (behind.reads <= 0) this.#behind = undefined;
    return behind.value;
  }

  /** `lag` reads from now on still see the old value. */
  write(value: T, lag = 0): void {
    if (lag > 0) this.#behind = { value: this.#behind?.value ?? this.#leader, reads: lag };
    this.#leader = value;
  }
}

const NO_OBJECTS = new Replicated<readonly JsonObject[]>([]);
