import { isForUser, type Scope } from '../../core/model/run/reference.js';
import type { Change } from '../../core/model/run/result.js';
import type { ControllerSession, FindOptions } from '../../core/model/run/session.js';
import { appendTo, getOrAdd } from '../../core/model/values/groups.js';
import { jsonText, entry, isEqual, type Mapping, type Value } from '../../core/model/values/value.js';
import { comparable } from '../../module/comparison/comparison.js';
import { TaskProblem } from '../keywords/failed_result.js';
import type { Connection } from './session_pool.js';

/** An object as tasks of a check would leave it. */
export interface ExpectedObject {
  /** Undefined: it would be created, so that its uuid is not known, or it exists once. */
  readonly uuid: Value | undefined;
  /** What the controller showed in its place: if it has changed since, the expectation is outdated. */
  readonly base: Mapping | undefined;
  /** Null: there would be none. */
  after: Mapping | null;
  /** Who looked at `base`: other users and API versions may be shown other fields. */
  view?: string | undefined;
}

/** What a task sees of an object or of a member of a collection. */
interface ShownObject {
  readonly path: string;
  readonly name?: string;
  readonly object?: Mapping | undefined;
}

const AMBIGUOUS = 'declare what only one of them has: its cloud_ref, or fields under "match"';

type ObjectsByPath = Map<string, ExpectedObject[]>;

/** What a check expects of a controller. */
interface ExpectedThere {
  /** The only host whose tasks act on it; undefined: there are several. */
  host: string | undefined;
  readonly objects: Map<string, ObjectsByPath>;
}

/** What the tasks of a check would leave, by controller, whichever host's they are. */
export class Expectations {
  readonly #controllers = new Map<string, ExpectedThere>();
  /** The controllers on which the tasks of a host act. */
  readonly #ofHosts = new Map<string, Set<string>>();

  /** As a task of the host finds it with that connection. */
  at(
    { reached, settings, isElsewhere }: Pick<Connection, 'reached' | 'settings' | 'isElsewhere'>,
    host: string,
  ): ExpectedObjects {
    const { controller, account } = reached;
    // Other hosts may lead there, too, and come later.
    const only = settings.shared || isElsewhere || settings.controller !== host ? undefined : host;
    const there = getOrAdd(this.#controllers, controller, () => ({
      host: only,
      objects: new Map<string, ObjectsByPath>(),
    }));
    if (there.host !== only) there.host = undefined;
    if (only !== undefined) getOrAdd(this.#ofHosts, only, () => new Set()).add(controller);
    const objects = (...place: readonly Value[]): ObjectsByPath =>
      getOrAdd(there.objects, jsonText(place), () => new Map());
    const { tenant = null, dialect, apiVersion = null } = settings;
    const { collection } = dialect.tenants ?? {};
    const view = jsonText([account, apiVersion]);
    return new ExpectedObjects(objects(tenant), objects(), objects('user', account), collection, view);
  }

  /** Forgets the controllers on which no other host acts. Called when the host has finished its last play. */
  release(host: string): void {
    for (const controller of this.#ofHosts.get(host) ?? [])
      if (this.#controllers.get(controller)?.host === host) this.#controllers.delete(controller);
    this.#ofHosts.delete(host);
  }
}

/** What earlier tasks would leave, as one finds it in its tenant. */
export class ExpectedObjects {
  /**
   * @param members by the path of their collection
   * @param once objects that exist once, by their path: the same in all tenants
   * @param ofUser those of the user
   * @param tenants the collection of tenants, which is the same in all of them, too
   */
  constructor(
    private readonly members: ObjectsByPath = new Map(),
    readonly once: ObjectsByPath = new Map(),
    private readonly ofUser: ObjectsByPath = new Map(),
    private readonly tenants?: string,
    private readonly view?: string,
  ) {}

  /** Undefined: the object, or that there is none, is as the controller shows it. */
  async find(
    { path, name, object }: ShownObject,
    reader: Partial<Pick<ControllerSession, 'references'>>,
    scope: Scope | undefined,
    by: FindOptions['by'],
  ): Promise<ExpectedObject | undefined> {
    const own = object && this.#own(path, object);
    const all = this.#within(path).get(path) ?? [];
    const meant = all.filter(({ uuid, after }) => after && (by === 'uuid' ? uuid : entry(after, 'name')) === name);
    const lookup = meant.length > 0 ? await reader.references?.({ asExpected: true }) : undefined;
    const cloud = lookup?.defaultCloud && (await lookup.resolve(lookup.defaultCloud));
    const usual = cloud?.type === 'found' ? { cloud_ref: cloud.path } : {};
    const scoped = new Map(meant.map((one): [Mapping, ExpectedObject] => [{ ...usual, ...one.after }, one]));
    const found = scope ? await scope.select([...scoped.keys()], () => Promise.resolve(lookup)) : [...scoped.keys()];
    const [first] = found;
    // Another tenant's object of that name is not meant.
    const others = object === undefined || own !== undefined || lookup?.tenant !== undefined ? 0 : 1;
    if (first !== undefined && found.length + others > 1)
      throw new TaskProblem(`${found.length + others} objects would be named "${name}"`, undefined, AMBIGUOUS);
    if (first !== undefined || own === undefined) return first && scoped.get(first);
    return { uuid: undefined, base: object, after: null };
  }

  /** The object that exists once at the path. */
  at({ path, object }: ShownObject): ExpectedObject | undefined {
    const last = this.#singles(path).get(path)?.at(-1);
    return last && this.#current(path, last, object);
  }

  /** A task really writes: what was expected of that object is outdated. */
  forget(path: string, change: Change): void {
    if (change.kind === 'none' || change.kind === 'invoke') return;
    const { before, after } = change;
    const names = [before, after].map((object) => object && entry(object, 'name'));
    const isOther = (one: ExpectedObject): boolean =>
      one.uuid === undefined
        ? !names.includes(one.after && entry(one.after, 'name'))
        : one.uuid !== (before && entry(before, 'uuid'));
    this.#keep(path, isOther);
  }

  #own(path: string, object: Mapping): ExpectedObject | undefined {
    const uuid = entry(object, 'uuid');
    const own = this.#within(path)
      .get(path)
      ?.find((one) => one.uuid !== undefined && one.uuid === uuid);
    return own && this.#current(path, own, object);
  }

  /** Undefined if something else than the check has changed the object since. */
  #current(path: string, expected: ExpectedObject, object: Mapping | undefined): ExpectedObject | undefined {
    const { base, view } = expected;
    if (base === undefined || object === undefined || view !== this.view) return expected;
    if (isEqual(comparable(base), comparable(object))) return expected;
    this.#keep(path, (one) => one !== expected);
    return undefined;
  }

  #keep(path: string, isKept: (one: ExpectedObject) => boolean): void {
    for (const objects of [this.#within(path), this.#singles(path)])
      if (objects.has(path)) objects.set(path, (objects.get(path) ?? []).filter(isKept));
  }

  /** Modules may write a collection without a slash at the end, so only the name tells its members from an object that exists once. */
  add({ path, name }: Pick<ShownObject, 'path' | 'name'>, object: ExpectedObject): void {
    object.view = this.view;
    appendTo(name === undefined ? this.#singles(path) : this.#within(path), path, object);
  }

  #within(path: string): ObjectsByPath {
    return path === this.tenants ? this.once : this.members;
  }

  #singles(path: string): ObjectsByPath {
    return isForUser({ path }) ? this.ofUser : this.once;
  }
}
