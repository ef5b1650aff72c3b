import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../core/model/inventory/route.js';
import { directReference, isForUser, type FindCollection } from '../core/model/run/reference.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { jsonText, entry, type Mapping, type Value } from '../core/model/values/value.js';
import { Lockouts } from './access/lockouts.js';
import { CreateTurns } from './create_once.js';

/** An object that its controller cannot show. */
interface Unreadable {
  /** The status of the answer to the read. */
  readonly code: number;
  /** What this run last wrote there. */
  readonly written?: Mapping;
}

/** What is cached about an object that references can name. */
export interface KnownObject {
  readonly name: string;
  readonly uuid: string;
  /** The uuid of its cloud; undefined if it has none. */
  readonly cloud: string | undefined;
  /** The uuid of its tenant; undefined if it has none. */
  readonly tenant: string | undefined;
}

export interface KnownCollection {
  readonly objects: Map<string, KnownObject>;
  /** Set when the whole collection is being or has been listed. */
  listed: Promise<void> | undefined;
  isComplete: boolean;
  /** Names of objects that would be created, in check mode. */
  readonly expected: Set<string>;
  /** The same of tasks that never write. */
  readonly compared: Set<string>;
  /** Objects as a check would leave them, by uuid; undefined: deleted. */
  readonly changed: Map<string, KnownObject | undefined>;
}

/** The objects of one controller and tenant that a run has seen, by collection, for references to them. */
export class KnownObjects {
  readonly #collections = new Map<string, KnownCollection>();

  /** @param changed objects that a check would change, by collection and uuid: the same in all tenants */
  constructor(readonly changed = new Map<string, KnownCollection['changed']>()) {}

  /** The task has read the object, as it is now. @param into absent: what is known now, not a list that began before */
  note(collection: string, object: Mapping, into = this.collection(collection)): void {
    const known = knownObject(object);
    if (known !== undefined) into.objects.set(known.uuid, known);
  }

  /** @param asExpected as the tasks of a check would leave them; else as they are */
  all(collection: string, asExpected: boolean): readonly KnownObject[] {
    const { objects, changed } = this.collection(collection);
    const all = [...objects.values()];
    if (!asExpected || changed.size === 0) return all;
    return all.flatMap((known) => (changed.has(known.uuid) ? (changed.get(known.uuid) ?? []) : known));
  }

  /** Like `all`, for one object. */
  find(collection: string, uuid: string, asExpected: boolean): KnownObject | undefined {
    const { objects, changed } = this.collection(collection);
    return asExpected && changed.has(uuid) ? changed.get(uuid) : objects.get(uuid);
  }

  /** The object was really changed, so that what a check expected of it is outdated. */
  settle(collection: string, uuid: string): void {
    this.changed.get(collection)?.delete(uuid);
  }

  /** The object was deleted. */
  forget(collection: string, uuid: string): void {
    this.#collections.get(collection)?.objects.delete(uuid);
    this.settle(collection, uuid);
  }

  /** Something unknown was done to objects of the collection. What a check expects of them stays. */
  forgetCollection(collection: string): void {
    const known = this.#collections.get(collection);
    // A list that is being read goes into the former one.
    if (known !== undefined) this.#collections.set(collection, { ...known, ...unread() });
  }

  /** Objects of any collection may have been created or deleted. */
  forgetAll(): void {
    for (const collection of this.#collections.keys()) this.forgetCollection(collection);
  }

  expect(collection: string, before: Mapping | null, after: Mapping | null, onlyCompares = false): void {
    const { expected, compared, changed } = this.collection(collection);
    const [uuid, former, name] = [before?.['uuid'], before?.['name'], after?.['name']];
    if (onlyCompares) {
      if (typeof name === 'string') compared.add(name);
      return;
    }
    if (typeof uuid === 'string') {
      changed.set(uuid, after === null ? undefined : knownObject({ ...before, ...after }));
      return;
    }
    if (typeof former === 'string') expected.delete(former);
    if (typeof name === 'string') expected.add(name);
  }

  /** Whether an object of that name would be created. @param onlyCompares also by a task that never writes */
  isExpected(collection: string, name: string, onlyCompares = false): boolean {
    const { expected, compared } = this.collection(collection);
    return expected.has(name) || (onlyCompares && compared.has(name));
  }

  collection(collection: string): KnownCollection {
    return getOrAdd(this.#collections, collection, () => {
      const changed = getOrAdd(this.changed, collection, () => new Map<string, KnownObject | undefined>());
      return { ...unread(), expected: new Set(), compared: new Set(), changed };
    });
  }
}

function unread(): Pick<KnownCollection, 'objects' | 'listed' | 'isComplete'> {
  return { objects: new Map(), listed: undefined, isComplete: false };
}

/** What a run knows about its controllers, whatever session it learned it in. */
export class RunKnowledge {
  readonly turns = new CreateTurns();
  readonly lockouts = new Lockouts();
  readonly #unreadable = new Map<string, Unreadable>();
  /** For dialects with references: by controller, then by tenant. */
  readonly #objects = new Map<string, Map<string, KnownObjects>>();
  /** Tenants that would be created, in check mode, by controller and name. */
  readonly #expectedTenants = new Set<string>();

  constructor(
    readonly findCollection: FindCollection,
    /** Maximum number of pages of a list. */
    readonly pages: number,
  ) {}

  unreadable(settings: ConnectionSettings, path: string): Unreadable | undefined {
    return this.#unreadable.get(collectionKey(settings, path));
  }

  /** The controller cannot show the object. */
  setUnreadable(settings: ConnectionSettings, path: string, code: number): void {
    this.#unreadable.set(collectionKey(settings, path), { code });
  }

  /** The run wrote the object; this matters if the controller cannot show it. */
  wrote(settings: ConnectionSettings, path: string, written: Mapping): void {
    const place = collectionKey(settings, path);
    const known = this.#unreadable.get(place);
    if (known !== undefined) this.#unreadable.set(place, { ...known, written });
  }

  /** Undefined if the dialect accepts references as written. */
  objects(settings: ConnectionSettings): KnownObjects | undefined {
    if (settings.dialect.references === undefined) return undefined;
    const ofController = getOrAdd(this.#objects, controllerIdentity(settings), () => new Map<string, KnownObjects>());
    return getOrAdd(ofController, tenantPart(settings), () => {
      const [other] = ofController.values();
      return new KnownObjects(other?.changed);
    });
  }

  /** Something was written. The lists of all tenants may have what the usual one has. @param collection absent: any */
  outdateOthers(settings: ConnectionSettings, collection?: string): void {
    if (settings.tenant !== settings.dialect.tenants?.default) return;
    const own = this.objects(settings);
    for (const other of this.#objects.get(controllerIdentity(settings))?.values() ?? []) {
      if (other === own) continue;
      if (collection === undefined) other.forgetAll();
      else other.forgetCollection(collection);
    }
  }

  /** Whether an object would be created in the usual tenant of the dialect. */
  isExpectedInUsual(settings: ConnectionSettings, path: string, name: string, onlyCompares = false): boolean {
    const usual = tenantPart(settings, settings.dialect.tenants?.default);
    const known = this.#objects.get(controllerIdentity(settings))?.get(usual);
    return known?.isExpected(path, name, onlyCompares) === true;
  }

  /** In check mode, for a tenant that an earlier task would create: the controller answers 404 to every request in it. */
  isTenantExpected(settings: ConnectionSettings): boolean {
    const { tenant } = settings;
    return tenant !== undefined && this.#expectedTenants.has(tenantKey(settings, tenant));
  }

  /** The object is there now, as a check may have expected. */
  created(settings: ConnectionSettings, collection: string, name: string): void {
    this.objects(settings)?.collection(collection).expected.delete(name);
    if (collection === settings.dialect.tenants?.collection) this.#expectedTenants.delete(tenantKey(settings, name));
  }

  /** Notes an object that would be created, if it is a tenant. */
  expectTenant(settings: ConnectionSettings, collection: string, name: string): void {
    if (collection === settings.dialect.tenants?.collection) this.#expectedTenants.add(tenantKey(settings, name));
  }
}

function tenantKey(settings: ConnectionSettings, name: string): string {
  return jsonText([controllerIdentity(settings), name]);
}

/** Objects of different tenants are different objects. */
function collectionKey(settings: ConnectionSettings, path: string): string {
  const user = isForUser({ path }) ? settings.username : '';
  return `${controllerIdentity(settings)} ${path} ${tenantPart(settings)} ${user}`;
}

function tenantPart(settings: ConnectionSettings, tenant = settings.tenant): string {
  const parts = [...(tenant === undefined ? [] : [['tenant', tenant]]), ...Object.entries(settings.headers)];
  return parts.length === 0 ? '' : jsonText(parts);
}

export function uuidIn(reference: Value | undefined): string | undefined {
  return typeof reference === 'string' ? directReference(reference)?.uuid : undefined;
}

function knownObject(object: Mapping): KnownObject | undefined {
  const [name, uuid, cloud] = [entry(object, 'name'), entry(object, 'uuid'), entry(object, 'cloud_ref')];
  if (typeof name !== 'string' || typeof uuid !== 'string') return undefined;
  return { name, uuid, cloud: uuidIn(cloud), tenant: uuidIn(entry(object, 'tenant_ref')) };
}
