import type { Dialect } from '../core/model/dialect.js';
import {
  describeDistinctions,
  directReference,
  type CollectionOf,
  type NamedReference,
  type ReferenceLookup,
  type ResolvedReference,
} from '../core/model/run/reference.js';
import type { Rest } from '../core/model/run/session.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { encodedPart } from '../core/model/values/uri.js';
import { entry, type Mapping, type Value } from '../core/model/values/value.js';

/** What is cached about an object that references can name. */
interface Known {
  readonly name: string;
  readonly uuid: string;
  /** The uuid of its cloud; undefined if it has none. */
  readonly cloud: string | undefined;
  /** The uuid of its tenant; undefined if it has none. */
  readonly tenant: string | undefined;
}

interface Collection {
  readonly objects: Map<string, Known>;
  /** Set when the whole collection is being or has been listed. */
  listed: Promise<void> | undefined;
  isComplete: boolean;
  /** Names of objects that would be created, in check mode. */
  readonly expected: Set<string>;
  /** Objects as a check would leave them, by uuid; undefined: deleted. */
  readonly changed: Map<string, Known | undefined>;
}

/** The tenant of the lookup, and those that earlier tasks of a check would create. */
interface Tenants extends Pick<ReferenceLookup, 'tenant'> {
  /** Whether the lookup is in a tenant that a check would create, whose objects are unknown. */
  readonly isExpected: boolean;
  /** Whether an object of that name would be created in the usual tenant, whose clouds and profiles all others see. */
  isExpectedInUsual(collection: string, name: string): boolean;
  /**
   * In a check: an object with this name would be created in the collection, which can be the collection of tenants.
   */
  expect(collection: string, name: string): void;
}

/** Lists a whole collection. */
export type ListObjects = (collection: string) => Promise<readonly Mapping[]>;

/** The objects of one controller and tenant that a run has seen, by collection, for references to them. */
export class KnownObjects {
  readonly #collections = new Map<string, Collection>();

  /** The task has read the object, as it is now. */
  note(collection: string, object: Mapping): void {
    const known = knownObject(object);
    if (known === undefined) return;
    const { objects, changed } = this.of(collection);
    const left = changed.has(known.uuid) ? changed.get(known.uuid) : known;
    if (left !== undefined) objects.set(known.uuid, left);
  }

  /** The object was deleted. */
  forget(collection: string, uuid: string): void {
    this.#collections.get(collection)?.objects.delete(uuid);
  }

  /** Something unknown was done to objects of the collection. */
  forgetCollection(collection: string): void {
    this.#collections.delete(collection);
  }

  /** Objects of any collection may have been created or deleted. */
  forgetAll(): void {
    this.#collections.clear();
  }

  expect(collection: string, before: Mapping | null, after: Mapping | null): void {
    const { objects, expected, changed } = this.of(collection);
    const [uuid, former, name] = [before?.['uuid'], before?.['name'], after?.['name']];
    if (typeof uuid === 'string') {
      changed.set(uuid, after === null ? undefined : knownObject({ ...before, ...after }));
      objects.delete(uuid);
      if (before !== null) this.note(collection, before);
      return;
    }
    if (typeof former === 'string') expected.delete(former);
    if (typeof name === 'string') expected.add(name);
  }

  of(collection: string): Collection {
    return getOrAdd(this.#collections, collection, () => ({
      objects: new Map(),
      listed: undefined,
      isComplete: false,
      expected: new Set(),
      changed: new Map(),
    }));
  }
}

/** Looks references up among the objects that are known, and lists their collection if that is not enough. */
export class References implements ReferenceLookup {
  constructor(
    private readonly known: KnownObjects,
    private readonly cloudScope: Dialect['cloudScope'],
    private readonly list: ListObjects,
    private readonly tenants: Tenants,
    readonly collectionOf: CollectionOf,
    private readonly rest: Rest,
  ) {}

  get defaultCloud(): NamedReference | undefined {
    return this.cloudScope && { collection: this.cloudScope.collection, name: this.cloudScope.default };
  }

  get tenant(): NamedReference | undefined {
    return this.tenants.tenant;
  }

  knownName(collection: string, uuid: string): string | undefined {
    return this.known.of(collection).objects.get(uuid)?.name;
  }

  expect(collection: string, before: Mapping | null, after: Mapping | null): void {
    this.known.expect(collection, before, after);
    const name = after?.['name'];
    if (before === null && typeof name === 'string') this.tenants.expect(collection, name);
  }

  async resolve(reference: NamedReference): Promise<ResolvedReference> {
    if (this.tenants.isExpected) return { type: 'expected' };
    const { collection } = reference;
    const early = this.#certain(reference);
    if (early !== undefined) return found(collection, early);
    // A write of another task may have outdated the list while it was read.
    do await this.#complete(collection);
    while (!this.known.of(collection).isComplete);
    const candidates = this.#named(reference);
    const inScope = await this.#inScope(reference, candidates);
    if ('type' in inScope) return inScope;
    const meant = await this.#ofTenant(collection, inScope);
    if (meant.length > 1) return { type: 'ambiguous', objects: this.#whereabouts(meant), count: meant.length };
    const [only] = meant;
    if (only !== undefined) return found(collection, only);
    const { expected, objects } = this.known.of(collection);
    if (expected.has(reference.name) || this.tenants.isExpectedInUsual(collection, reference.name))
      return { type: 'expected' };
    return { type: 'missing', known: [...new Set([...objects.values()].map(({ name }) => name))] };
  }

  /** The object, if it is the only known one of its name and has no cloud: then no list is needed. */
  #certain(reference: NamedReference): Known | undefined {
    if (this.known.of(reference.collection).isComplete) return undefined;
    const [first, ...others] = this.#named(reference);
    return first?.cloud === undefined && others.length === 0 ? first : undefined;
  }

  #named({ collection, name }: NamedReference): readonly Known[] {
    const { objects } = this.known.of(collection);
    const byUuid = objects.get(name);
    const byName = [...objects.values()].filter((object) => object.name === name);
    return byName.length === 0 && byUuid !== undefined ? [byUuid] : byName;
  }

  #whereabouts(objects: readonly Known[]): string {
    const { collection = '' } = this.cloudScope ?? {};
    const named = objects.map(({ uuid, cloud }) => {
      if (cloud === undefined) return { uuid };
      const name = this.knownName(collection, cloud);
      return { uuid, cloud_ref: name === undefined ? cloud : `#${name}` };
    });
    return describeDistinctions(named);
  }

  async #complete(collection: string): Promise<void> {
    const state = this.known.of(collection);
    const others = state.isComplete ? undefined : state.listed;
    state.listed ??= this.#list(collection, state);
    try {
      await (others === undefined ? state.listed : this.rest(() => others));
    } catch (error) {
      state.listed = undefined;
      throw error;
    }
  }

  async #list(collection: string, state: Collection): Promise<void> {
    const objects = await this.list(collection);
    state.objects.clear();
    for (const object of objects) this.known.note(collection, object);
    state.isComplete = true;
  }

  /**
   * The objects in the referenced cloud. If only one object has the name, it is excluded only if the reference itself
   * names another cloud.
   */
  async #inScope(
    { cloud, isCloudNamed = false }: NamedReference,
    candidates: readonly Known[],
  ): Promise<readonly Known[] | ResolvedReference> {
    const scoped = candidates.some((one) => one.cloud !== undefined);
    if (this.cloudScope === undefined || !scoped || (candidates.length === 1 && !isCloudNamed)) return candidates;
    const meant = await this.#cloud(cloud ?? this.cloudScope.default, this.cloudScope.collection);
    // A check does not know the objects that a controller creates with a new cloud.
    if (typeof meant === 'string') return candidates.filter((one) => one.cloud === meant);
    return meant.type === 'expected' || isCloudNamed ? meant : candidates;
  }

  /** Of several objects, those of the own tenant: a controller also shows objects of others, such as clouds of `admin`. */
  async #ofTenant(collection: string, candidates: readonly Known[]): Promise<readonly Known[]> {
    const { tenant } = this;
    if (candidates.length < 2 || tenant === undefined || tenant.collection === collection) return candidates;
    const own = await this.resolve(tenant);
    const mine = own.type === 'found' ? candidates.filter((one) => one.tenant === uuidIn(own.path)) : [];
    return mine.length === 0 ? candidates : mine;
  }

  /** The uuid of the cloud, or why there is none. */
  async #cloud(text: string, collection: string): Promise<string | ResolvedReference> {
    const direct = directReference(text);
    if (direct !== undefined) return direct.uuid;
    const cloud = await this.resolve({ collection, name: text });
    if (cloud.type === 'expected') return cloud;
    if (cloud.type === 'found') return directReference(cloud.path)?.uuid ?? '';
    const [count, known] = cloud.type === 'missing' ? [0, cloud.known] : [cloud.count, []];
    return { type: 'no cloud', count, known };
  }
}

function found(collection: string, { uuid }: Known): ResolvedReference {
  return { type: 'found', path: `${collection}${encodedPart(uuid)}` };
}

function uuidIn(reference: Value | undefined): string | undefined {
  return typeof reference === 'string' ? directReference(reference)?.uuid : undefined;
}

function knownObject(object: Mapping): Known | undefined {
  const [name, uuid, cloud] = [entry(object, 'name'), entry(object, 'uuid'), entry(object, 'cloud_ref')];
  if (typeof name !== 'string' || typeof uuid !== 'string') return undefined;
  return { name, uuid, cloud: uuidIn(cloud), tenant: uuidIn(entry(object, 'tenant_ref')) };
}
