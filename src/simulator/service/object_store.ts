import { randomUUID } from 'node:crypto';
import type { Dialect } from '../../core/model/dialect.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { jsonText } from '../../core/model/values/value.js';
import type { Kind, KindTable } from '../../kinds/kind_table.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type SimulatedAnswer,
  type SimulatedJson,
  type SimulatedRequest,
  textOrEmpty,
} from '../protocol/exchange.js';
import type { SimulatedState } from '../state/controller_state.js';

/** The tenants whose objects a request sees: one, as the reference that its objects have, or all. */
export type TenantView = { readonly all: true } | { readonly all: false; readonly ref: string };

export const ADMIN_TENANT = '/api/tenant/admin';

/** Kinds that the tenant `admin` provides to all others. */
const SHARED_KINDS: ReadonlySet<string> = new Set(['cloud', 'network', 'serviceenginegroup', 'vrfcontext']);

/**
 * A controller's objects by kind. A reference is kept as `/api/KIND/UUID`, because the URL that clients see depends on how they address the
 * controller.
 */
export class ObjectStore {
  readonly #indexes = new WeakMap<readonly JsonObject[], ReadonlyMap<unknown, JsonObject>>();

  constructor(
    readonly state: SimulatedState,
    /** Undefined: any object is allowed, as in the API document. */
    private readonly kinds: KindTable | undefined,
  ) {}

  /** Undefined: the table does not know the kind, so its objects may have any fields. */
  kind(name: string): Kind | undefined {
    return this.kinds?.kind(name);
  }

  /** What messages call a kind: `HealthMonitor`. */
  title(kind: string): string {
    return this.kind(kind)?.structure.name ?? kind.slice(kind.lastIndexOf('/') + 1);
  }

  all(kind: string): readonly JsonObject[] {
    return this.state.collection(`/api/${kind}/`).current;
  }

  /** What clients see, which may lag. */
  read(kind: string): readonly JsonObject[] {
    return this.state.collection(`/api/${kind}/`).read();
  }

  get(kind: string, uuid: string): JsonObject | undefined {
    return this.find(uuid, this.all(kind));
  }

  /** @param objects all that a kind has or had */
  find(uuid: string, objects: readonly JsonObject[]): JsonObject | undefined {
    return getOrAdd(this.#indexes, objects, () => new Map(objects.map((object) => [object['uuid'], object]))).get(uuid);
  }

  /** The object that a reference (`/api/KIND/UUID`) points to. */
  at(reference: string): JsonObject | undefined {
    const [, kind, uuid] = REFERENCE.exec(reference) ?? [];
    return kind === undefined || uuid === undefined ? undefined : this.get(kind, uuid);
  }

  newUuid(kind: string): string {
    return `${kind.slice(kind.lastIndexOf('/') + 1)}-${randomUUID()}`;
  }

  add(kind: string, object: JsonObject, lag = 0): JsonObject {
    const added: JsonObject = { uuid: this.newUuid(kind), ...object, _last_modified: this.state.stamp() };
    this.#write(kind, [...this.all(kind), added], lag);
    return added;
  }

  replace(kind: string, current: JsonObject, object: JsonObject, lag = 0): JsonObject {
    const replaced: JsonObject = { ...object, uuid: current['uuid'] ?? null, _last_modified: this.state.stamp() };
    const all = this.all(kind).map((other) => (other === current ? replaced : other));
    this.#write(kind, all, lag);
    return replaced;
  }

  remove(kind: string, objects: ReadonlySet<JsonObject>, lag = 0): void {
    const left = this.all(kind).filter((object) => !objects.has(object));
    this.#write(kind, left, lag);
  }

  /** The names of kinds that have objects. */
  get populatedKinds(): readonly string[] {
    return Object.keys(this.state.snapshot().collections).map((path) => path.split('/').at(-2) ?? '');
  }

  /** The objects of each kind, also of those that exist once. */
  get everything(): readonly (readonly [kind: string, objects: readonly JsonObject[]])[] {
    const singles = Object.entries(this.state.snapshot().singletons);
    return [
      ...this.populatedKinds.map((kind) => [kind, this.all(kind)] as const),
      ...singles.map(([path, object]) => [path.slice('/api/'.length), [object]] as const),
    ];
  }

  #write(kind: string, objects: readonly JsonObject[], lag: number): void {
    this.state.setObjects(`/api/${kind}/`, objects, lag);
  }
}

const REFERENCE = /^\/api\/([^/]+)\/([^/]+)$/;

export function referenceTo(kind: string, object: JsonObject): string {
  return `/api/${kind}/${textOrEmpty(object['uuid'])}`;
}

/** Objects without a tenant belong to the whole controller. */
export function isVisible(kind: string, object: JsonObject, view: TenantView): boolean {
  const { tenant_ref: tenant, name } = object;
  if (view.all || tenant === undefined || tenant === view.ref) return true;
  return tenant === ADMIN_TENANT && (SHARED_KINDS.has(kind) || textOrEmpty(name).startsWith('System-'));
}

const READY_AFTER = 1000;

/** Clouds need some time until they can be used. Those of earlier runs are ready. */
export class CloudStates {
  readonly #readyAt = new Map<string, number>();

  created(uuid: string, readyAfter = READY_AFTER): void {
    this.#readyAt.set(uuid, Date.now() + readyAfter);
  }

  status(uuid: string): JsonObject {
    const isReady = Date.now() >= (this.#readyAt.get(uuid) ?? 0);
    const state = isReady ? 'CLOUD_STATE_PLACEMENT_READY' : 'CLOUD_STATE_IN_PROGRESS';
    return { uuid, state, reason: isReady ? '' : 'Waiting for the cloud to be configured' };
  }
}

const DRAINED_AFTER = 1000;

/** When servers were disabled. The connections of servers that an earlier run disabled have ended. */
export class Drains {
  readonly #since = new Map<string, number>();

  /** Notes the servers that an update of a pool disables. */
  changed(before: JsonObject, after: JsonObject): void {
    const enabled = new Set(
      listServers(before)
        .filter(isEnabled)
        .map((server) => serverName(server, before)),
    );
    for (const server of listServers(after)) {
      const name = serverName(server, after);
      if (!isEnabled(server) && enabled.has(name)) this.#since.set(drainKey(after, name), Date.now());
    }
  }

  /** The part of its connections that a disabled server still has: 1 at first, then less, at last 0. */
  rest(pool: JsonObject, name: string, { drained_after: length = DRAINED_AFTER }: Behaviour): number {
    const since = this.#since.get(drainKey(pool, name));
    if (since === undefined || length === 0) return 0;
    return Math.max(0, 1 - (Date.now() - since) / length);
  }
}

function drainKey({ uuid }: JsonObject, server: string): string {
  return `${textOrEmpty(uuid)}/${server}`;
}

export function listServers({ servers }: JsonObject): readonly JsonObject[] {
  return objectsIn(servers);
}

export function objectsIn(list: SimulatedJson | undefined): readonly JsonObject[] {
  return isJsonList(list) ? list.filter(isJsonObject) : [];
}

/** `10.0.0.9:80`, as metrics and runtimes name a server. */
export function serverName(server: JsonObject, { default_server_port: usual = 80 }: JsonObject): string {
  return `${serverAddress(server)}:${jsonText(server['port'] ?? usual)}`;
}

export function serverAddress({ ip }: JsonObject): string {
  return isJsonObject(ip) ? textOrEmpty(ip['addr']) : '';
}

export function isEnabled({ enabled }: JsonObject): boolean {
  return enabled !== false;
}

/** The version of the controller, and what changes it. */
interface UpgradePort {
  readonly version: string;
  start(turn: StoreTurn): SimulatedAnswer;
  status(): SimulatedAnswer;
}

/** A request that is signed in, and what it acts on. */
export interface StoreTurn {
  readonly request: SimulatedRequest;
  readonly view: TenantView;
  readonly behaviour: Behaviour;
  readonly dialect: Dialect;
  /** Whether the controller is and does what the API document says, and nothing else. */
  readonly documented: boolean;
  readonly store: ObjectStore;
  readonly clouds: CloudStates;
  readonly drains: Drains;
  readonly upgrades: UpgradePort;
}
