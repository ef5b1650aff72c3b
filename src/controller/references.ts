import type { Dialect } from '../core/model/dialect.js';
import {
  describeDistinctions,
  directReference,
  type FindCollection,
  type NamedReference,
  type ReferenceLookup,
  type ResolvedReference,
} from '../core/model/run/reference.js';
import type { WaitWithoutFork } from '../core/model/run/session.js';
import { encodedPart } from '../core/model/values/uri.js';
import type { Mapping } from '../core/model/values/value.js';
import { uuidIn, type KnownCollection, type KnownObject, type KnownObjects } from './run_knowledge.js';

/** What a lookup knows of tenants and of a check. */
interface LookupView extends Pick<ReferenceLookup, 'tenant'> {
  /** Whether objects count as earlier tasks of a check would leave them: a task that really writes must not rely on them. */
  readonly asExpected: boolean;
  /** Whether the task never writes: what it would create is expected only by others that never write. */
  readonly onlyCompares?: boolean;
  /** Whether the lookup is in a tenant that a check would create, whose objects are unknown. */
  readonly isExpected: boolean;
  /** Whether an object of that name would be created in the usual tenant, whose clouds and profiles all others see. */
  readonly isExpectedInUsual: (collection: string, name: string) => boolean;
  /**
   * In a check: an object with this name would be created in the collection, which can be the collection of tenants.
   */
  expect(collection: string, name: string): void;
}

/** Looks references up among the objects that are known, and lists their collection if that is not enough. */
export class References implements ReferenceLookup {
  constructor(
    private readonly known: KnownObjects,
    private readonly cloudScope: Dialect['cloudScope'],
    private readonly list: (collection: string) => Promise<readonly Mapping[]>,
    private readonly view: LookupView,
    readonly findCollection: FindCollection,
    private readonly wait: WaitWithoutFork,
    private readonly inTenant: (tenant: string) => ReferenceLookup,
  ) {}

  get defaultCloud(): NamedReference | undefined {
    return this.cloudScope && { collection: this.cloudScope.collection, name: this.cloudScope.default };
  }

  get tenant(): NamedReference | undefined {
    return this.view.tenant;
  }

  knownName(collection: string, uuid: string): string | undefined {
    return this.known.find(collection, uuid, this.view.asExpected)?.name;
  }

  expect(collection: string, before: Mapping | null, after: Mapping | null): void {
    this.known.expect(collection, before, after, this.view.onlyCompares);
    const name = after?.['name'];
    // No task may read a tenant as empty that nothing creates.
    if (before === null && typeof name === 'string' && this.view.onlyCompares !== true)
      this.view.expect(collection, name);
  }

  async resolve({ tenant: elsewhere, ...reference }: NamedReference): Promise<ResolvedReference> {
    if (elsewhere !== undefined) return this.inTenant(elsewhere).resolve(reference);
    if (this.view.asExpected && this.view.isExpected) return { type: 'expected' };
    const { collection } = reference;
    const early = this.#certain(reference);
    if (early !== undefined) return found(collection, early);
    const before = this.known.collection(collection);
    const wasListed = before.isComplete;
    // A write of another task may have outdated the list while it was read.
    do await this.#complete(collection);
    while (!this.known.collection(collection).isComplete);
    const list = this.known.collection(collection);
    const inScope = await this.#inScope(reference, this.#named(reference));
    if ('type' in inScope) return inScope;
    const meant = await this.#ofTenant(collection, inScope);
    if (meant.length > 1) return { type: 'ambiguous', objects: this.#whereabouts(meant), count: meant.length };
    const [only] = meant;
    if (only !== undefined) return found(collection, only);
    if (this.#isExpected(reference)) return { type: 'expected' };
    // A list that was read meanwhile is new enough.
    if (wasListed && list === before) {
      // The controller, or someone else, may have created it since. Another task may be looking already.
      if (this.known.collection(collection) === list) this.known.forgetCollection(collection);
      return this.resolve(reference);
    }
    const all = this.known.all(collection, this.view.asExpected);
    return { type: 'missing', known: [...new Set(all.map(({ name }) => name))] };
  }

  #isExpected({ collection, name }: NamedReference): boolean {
    if (!this.view.asExpected) return false;
    const { onlyCompares, isExpectedInUsual } = this.view;
    return this.known.isExpected(collection, name, onlyCompares) || isExpectedInUsual(collection, name);
  }

  /** The object, if it is the only known one of its name and has no cloud: then no list is needed. */
  #certain(reference: NamedReference): KnownObject | undefined {
    if (this.known.collection(reference.collection).isComplete) return undefined;
    const [first, ...others] = this.#named(reference);
    return first?.cloud === undefined && others.length === 0 ? first : undefined;
  }

  #named({ collection, name }: NamedReference): readonly KnownObject[] {
    const { asExpected } = this.view;
    const byUuid = this.known.find(collection, name, asExpected);
    const byName = this.known.all(collection, asExpected).filter((object) => object.name === name);
    return byName.length === 0 && byUuid !== undefined ? [byUuid] : byName;
  }

  #whereabouts(objects: readonly KnownObject[]): string {
    const { collection = '' } = this.cloudScope ?? {};
    const named = objects.map(({ uuid, cloud }) => {
      if (cloud === undefined) return { uuid };
      const name = this.knownName(collection, cloud);
      return { uuid, cloud_ref: name === undefined ? cloud : `#${name}` };
    });
    return describeDistinctions(named);
  }

  async #complete(collection: string): Promise<void> {
    const state = this.known.collection(collection);
    const others = state.isComplete ? undefined : state.listed;
    state.listed ??= this.#list(collection, state);
    try {
      await (others === undefined ? state.listed : this.wait(() => others));
    } catch (error) {
      state.listed = undefined;
      throw error;
    }
  }

  async #list(collection: string, state: KnownCollection): Promise<void> {
    const objects = await this.list(collection);
    state.objects.clear();
    for (const object of objects) this.known.note(collection, object, state);
    state.isComplete = true;
  }

  /**
   * The objects in the referenced cloud. If only one object has the name, it is excluded only if the reference itself
   * names another cloud.
   */
  async #inScope(
    { cloud, isCloudNamed = false }: NamedReference,
    candidates: readonly KnownObject[],
  ): Promise<readonly KnownObject[] | ResolvedReference> {
    const scoped = candidates.some((one) => one.cloud !== undefined);
    if (this.cloudScope === undefined || !scoped || (candidates.length === 1 && !isCloudNamed)) return candidates;
    const meant = await this.#cloud(cloud ?? this.cloudScope.default, this.cloudScope.collection);
    // A check does not know the objects that a controller creates with a new cloud.
    if (typeof meant === 'string') return candidates.filter((one) => one.cloud === meant);
    return meant.type === 'expected' || isCloudNamed ? meant : candidates;
  }

  /** Of several objects, those of the own tenant: a controller also shows objects of others, such as clouds of `admin`. */
  async #ofTenant(collection: string, candidates: readonly KnownObject[]): Promise<readonly KnownObject[]> {
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

function found(collection: string, { uuid }: KnownObject): ResolvedReference {
  return { type: 'found', path: `${collection}${encodedPart(uuid)}` };
}
