import { hash } from 'node:crypto';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import { reachesSame, type WrittenBefore } from '../../core/model/run/past.js';
import type { SeenObject } from '../../core/model/run/plan.js';
import { isForUser } from '../../core/model/run/reference.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { jsonText } from '../../core/model/values/json.js';
import type { Value } from '../../core/model/values/value.js';
import type { Connection } from '../controllers/session_pool.js';
import type { IdentifiedObject } from './observation.js';
import { connectionId } from './planned_connection.js';

/**
 * Whether an object that this run has written to is as the run left it. `another`: the run left another object, or none, under the
 * name by which this one was found.
 */
export type Left = 'as left' | 'changed' | 'another';

type Found = Pick<SeenObject, 'path' | 'name'> & Partial<Pick<IdentifiedObject, 'scope' | 'aliases'>>;

/** Instead of a digest. */
const ANY_STATE = -1;
const ABSENT = -2;
const UNWRITTEN = -3;

/** To be called if the controller refused the write: what was known before is known again. */
export type TakeBack = () => void;

/**
 * The states in which a run has left objects, by each way to find them. A large run writes to hundreds of thousands of them, so they
 * are stored as numbers.
 */
export class WrittenObjects {
  /** By connection, a flat list of pairs: the number of an object's key, and the number of its digest. */
  readonly #left = new Map<string, number[]>();
  /** The controller and tenant of each connection, regardless of the user. What exists once is the same in all tenants. */
  readonly #places = new Map<string, { readonly once: string; readonly members: string; readonly ofUser: string }>();

  /** The id of a connection. */
  identify(connection: Connection | undefined, digest: (value: Value) => string): string {
    const id = connectionId(digest, connection);
    if (connection === undefined || this.#places.has(id)) return id;
    const { settings } = connection;
    const { username, tenant = null } = settings;
    const place = [controllerIdentity(settings), settings.headers];
    const key = (...more: readonly Value[]): string => jsonText([...place, ...more]);
    this.#places.set(id, { once: key(), members: key(tenant), ofUser: key({ username }) });
    return id;
  }

  /** @param digest undefined: any state is as the run left it. */
  set(connection: string, seen: Found, digest: string | null | undefined): TakeBack {
    const { path, name, scope, aliases = [] } = seen;
    const state = digest === undefined ? ANY_STATE : digestNumber(digest);
    const scoped = scope === undefined ? [] : [seenObjectKey(seen, scope)];
    const others = aliases.filter((alias) => alias !== name).map((alias) => seenObjectKey({ path, name: alias }));
    const keys = [seenObjectKey(seen), ...scoped, ...others];
    const before = keys.map((key) => this.#get(connection, key));
    for (const key of keys) this.#put(connection, key, state);
    return () => {
      for (const [at, key] of keys.entries()) this.#put(connection, key, before[at] ?? UNWRITTEN);
    };
  }

  /**
   * After a request whose meaning is unknown: any state of the object at its path, or of a member above it, is as the run left it.
   * @param name of the object that it may create in the collection at its path
   */
  setAt(connection: string, path: string, name?: Value): TakeBack {
    const at = path.replace(/\/*(\?.*)?$/, '');
    const members = [...at.matchAll(/\/(?=[^/])/g)].map(({ index }): Found => {
      const [member = ''] = /^[^/]*/.exec(at.slice(index + 1)) ?? [];
      return { path: at.slice(0, index + 1), name: member };
    });
    const created = typeof name === 'string' ? [{ path: `${at}/`, name }] : [];
    return this.setAll(connection, [{ path: at }, ...members, ...created]);
  }

  /** Any state of these is as the run left it. */
  setAll(connection: string, found: readonly Found[]): TakeBack {
    const noted = found.map((one) => this.set(connection, one, undefined));
    return () => {
      for (const takeBack of noted.toReversed()) takeBack();
    };
  }

  /** After a write. @param before what was found before it: nothing is left under a name that the write took away, or of what it deleted */
  replace(connection: string, before: readonly IdentifiedObject[], now: readonly IdentifiedObject[]): void {
    for (const object of now) {
      const { path, name, digest, aliases } = object;
      const found = before.filter((one) => one.path === path && one.name === name);
      const old = found.flatMap((one) => (digest === null ? [...one.aliases, one.digest ?? ''] : one.aliases));
      for (const alias of old)
        if (!aliases.includes(alias)) this.#put(connection, seenObjectKey({ path, name: alias }), ABSENT);
      this.set(connection, object, digest);
    }
  }

  /** Undefined if the run has not written to the object. @param known the digest that the plan has for this look */
  compare(
    connection: string,
    seen: SeenObject & Partial<IdentifiedObject>,
    known?: SeenObject['digest'],
  ): Left | undefined {
    const { path, digest, scope, aliases: [uuid] = [] } = seen;
    const get = (key: string): number | undefined => this.#get(connection, key);
    // What the plan saw in that scope may be what the run has deleted, whatever has the name in another one.
    if (digest === null && known != null && get(seenObjectKey({ path, name: known })) === ABSENT) return 'as left';
    const own = uuid === undefined ? undefined : get(seenObjectKey({ path, name: uuid }));
    const scoped = scope === undefined ? undefined : get(seenObjectKey(seen, scope));
    const left = own ?? scoped ?? get(seenObjectKey(seen));
    if (left === undefined) return undefined;
    if (left === ANY_STATE || left === digestNumber(digest)) return 'as left';
    if (own === undefined && uuid !== undefined) return 'another';
    // What was left may be in another scope.
    return own === undefined && scoped === undefined && scope !== undefined ? undefined : 'changed';
  }

  #put(connection: string, key: string, state: number): void {
    const object = shortDigest(key);
    const left = getOrAdd(this.#left, this.#place(connection, key), () => []);
    const at = indexForObject(left, object);
    left[at] = object;
    left[at + 1] = state;
  }

  #get(connection: string, key: string): number | undefined {
    const left = this.#left.get(this.#place(connection, key));
    const state = left?.[indexForObject(left, shortDigest(key)) + 1];
    return state === UNWRITTEN ? undefined : state;
  }

  /** @param key of an object that exists once, if it has no name */
  #place(connection: string, key: string): string {
    const { once, members, ofUser } = this.#places.get(connection) ?? {};
    const path = /^\["(.*)",null\]$/.exec(key)?.[1];
    if (path === undefined) return members ?? connection;
    return (isForUser({ path }) ? ofUser : once) ?? connection;
  }
}

/** The index of the object, or the one at which to insert it. */
function indexForObject(left: readonly number[], object: number): number {
  let at = 0;
  while (at < left.length && left[at] !== object) at += 2;
  return at;
}

/** The first 6 of its 12 bytes. */
function digestNumber(digest: string | null): number {
  return digest === null ? ABSENT : Buffer.from(digest, 'base64url').readUIntBE(0, 6);
}

function shortDigest(key: string): number {
  return hash('sha256', key, 'buffer').readUIntBE(0, 6);
}

export function seenObjectKey({ path, name }: Pick<SeenObject, 'path' | 'name'>, scope?: string): string {
  return JSON.stringify([path, name ?? null, ...(scope === undefined ? [] : [scope])]);
}

/**
 * What writes from before the interrupt left on a controller, as seen over a connection. In another tenant, or if it is unknown where they
 * went, any state of a member is as the run left it. What exists once is the same in all tenants.
 */
export function leftBefore(
  written: readonly WrittenBefore[],
  seenOver: Pick<Connection, 'settings' | 'written' | 'inventoried'> | undefined,
): WrittenObjects {
  const { settings, written: here, inventoried } = seenOver ?? {};
  const objects = new WrittenObjects();
  for (const { path, member, name, seen, connection, ...write } of written) {
    const isNear = reachesSame(connection, here, inventoried);
    const isOther = isForUser({ path }) ? connection?.id !== here?.id : !isNear && inventoried !== undefined;
    if (write.outcome !== 'applied' || isOther) continue;
    const isHere = isNear && write.tenant === settings?.tenant;
    const digest = isHere || (isNear && member === undefined) ? seen : undefined;
    const left = (one: string | undefined, state: string | null | undefined): void => {
      if (one !== undefined) objects.set('', { path, name: one }, state);
    };
    if (member === undefined) {
      objects.setAt('', path, isHere ? name : undefined);
      objects.set('', { path }, digest);
    }
    left(member?.uuid, digest);
    // An object of that name in another tenant is another object.
    if (isHere) left(member?.before, null);
    if (isHere) left(member?.after, digest);
  }
  return objects;
}

/** Whether the write was to what was found, or to what was not found any more. */
export function mayBeWritten({ path, member }: WrittenBefore, { name, aliases, ...seen }: IdentifiedObject): boolean {
  if (path !== seen.path || member === undefined) return path === seen.path;
  return [member.uuid, member.before, member.after].some(
    (one) => one !== undefined && (one === name || aliases.includes(one)),
  );
}
