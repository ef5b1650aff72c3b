import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../core/model/inventory/route.js';
import type { CollectionOf } from '../core/model/run/reference.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { jsonText } from '../core/model/values/json.js';
import type { Mapping } from '../core/model/values/value.js';
import { Lockouts } from './access/lockouts.js';
import { CreateTurns } from './create_once.js';
import { KnownObjects } from './references.js';

/** An object that its controller cannot show. */
interface Unreadable {
  /** The status of the answer to the read. */
  readonly code: number;
  /** What this run last wrote there. */
  readonly written?: Mapping;
}

/** What a run knows about its controllers, whatever session it learned it in. */
export class RunKnowledge {
  readonly turns = new CreateTurns();
  readonly lockouts = new Lockouts();
  readonly #unreadable = new Map<string, Unreadable>();
  /** For dialects with references. */
  readonly #objects = new Map<string, KnownObjects>();
  /** Tenants that would be created, in check mode, by controller and name. */
  readonly #expectedTenants = new Set<string>();

  constructor(
    readonly collectionOf: CollectionOf,
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
    const place = collectionKey(settings, '');
    return getOrAdd(this.#objects, place, () => new KnownObjects());
  }

  /** Whether an object would be created in the usual tenant of the dialect. */
  isExpectedInUsual(settings: ConnectionSettings, path: string, name: string): boolean {
    const usual = this.#objects.get(collectionKey(settings, '', settings.dialect.tenants?.default));
    return usual?.of(path).expected.has(name) === true;
  }

  /** In check mode, for a tenant that an earlier task would create: the controller answers 404 to every request in it. */
  isTenantExpected(settings: ConnectionSettings): boolean {
    const { tenant } = settings;
    return tenant !== undefined && this.#expectedTenants.has(tenantKey(settings, tenant));
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
function collectionKey(settings: ConnectionSettings, path: string, tenant = settings.tenant): string {
  const parts = [...(tenant === undefined ? [] : [['tenant', tenant]]), ...Object.entries(settings.headers)];
  const place = `${controllerIdentity(settings)} ${path}`;
  return parts.length === 0 ? place : `${place} ${jsonText(parts)}`;
}
