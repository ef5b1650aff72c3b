import { hash } from 'node:crypto';
import type { WrittenBefore } from '../../core/model/run/past.js';
import type { SeenObject } from '../../core/model/run/plan.js';
import { isForUser } from '../../core/model/run/reference.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { jsonText, isEqual, type Value } from '../../core/model/values/value.js';
import { comparable, matches } from '../../module/comparison/comparison.js';
import type { Connection } from '../controllers/session_pool.js';
import type { IdentifiedObject } from './observation.js';
import { connectionId } from './planned_connection.js';

/**
 * Whether an object that this run has written to is as the run left it. `another`: the run left another object, or none, under the
 * name by which this one was found.
 */
export type Left = 'as left' | 'changed' | 'another';

/** What a write was to, and each way to find it. */
export type FoundObject = Pick<SeenObject, 'path' | 'name'> & Partial<Pick<IdentifiedObject, 'scope' | 'aliases'>>;

/** A way to find an object. Without a name, it exists once. */
type ObjectWay = Pick<SeenObject, 'path' | 'name'> & Pick<Partial<IdentifiedObject>, 'scope'>;

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
  /** By connection: the number of an object's key, and the number of its digest. */
  readonly #left = new Map<string, Map<number, number>>();
  /** What each connection leads to: what exists once, and the tenants, are the same in all tenants, and members are the same for all users. */
  readonly #places = new Map<
    string,
    { readonly once: string; readonly members: string; readonly ofUser: string; readonly tenants: string | undefined }
  >();

  identify(connection: Connection | undefined, digest: (value: Value) => string): string {
    const id = connectionId(digest, connection);
    if (connection === undefined || this.#places.has(id)) return id;
    const { controller, account } = connection.reached;
    const members = jsonText([controller, connection.settings.tenant ?? null]);
    const tenants = connection.settings.dialect.tenants?.collection;
    this.#places.set(id, { once: controller, members, ofUser: account, tenants });
    return id;
  }

  /** @param digest undefined: any state is as the run left it. */
  set(connection: string, seen: FoundObject, digest: string | null | undefined): TakeBack {
    const { path, name, scope, aliases = [] } = seen;
    const state = digest === undefined ? ANY_STATE : digestNumber(digest);
    const scoped = scope === undefined ? [] : [{ path, name, scope }];
    const others = aliases.filter((alias) => alias !== name).map((alias) => ({ path, name: alias }));
    const ways: readonly ObjectWay[] = [{ path, name }, ...scoped, ...others];
    const before = ways.map((way) => this.#get(connection, way));
    for (const way of ways) this.#put(connection, way, state);
    return () => {
      for (const [at, way] of ways.entries()) this.#put(connection, way, before[at] ?? UNWRITTEN);
    };
  }

  /** Any state of these is as the run left it. */
  setAll(connection: string, found: readonly FoundObject[]): TakeBack {
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
      for (const alias of old) if (!aliases.includes(alias)) this.#put(connection, { path, name: alias }, ABSENT);
      this.set(connection, object, digest);
    }
  }

  /** Undefined if the run has not written to the object. @param known the digest that the plan has for this look */
  compare(
    connection: string,
    seen: SeenObject & Partial<IdentifiedObject>,
    known?: SeenObject['digest'],
  ): Left | undefined {
    const { path, name, digest, scope, aliases: [uuid] = [] } = seen;
    const get = (way: ObjectWay): number | undefined => this.#get(connection, way);
    // What the plan saw in that scope may be what the run has deleted, whatever has the name in another one.
    if (digest === null && known != null && get({ path, name: known }) === ABSENT) return 'as left';
    const own = uuid === undefined ? undefined : get({ path, name: uuid });
    const scoped = scope === undefined ? undefined : get({ path, name, scope });
    const left = own ?? scoped ?? get({ path, name });
    if (left === undefined) return undefined;
    if (left === ANY_STATE || left === digestNumber(digest)) return 'as left';
    if (own === undefined && uuid !== undefined) return 'another';
    // What was left may be in another scope.
    return own === undefined && scoped === undefined && scope !== undefined ? undefined : 'changed';
  }

  #put(connection: string, way: ObjectWay, state: number): void {
    const left = getOrAdd(this.#left, this.#place(connection, way), () => new Map());
    left.set(shortDigest(seenObjectKey(way, way.scope)), state);
  }

  #get(connection: string, way: ObjectWay): number | undefined {
    const state = this.#left.get(this.#place(connection, way))?.get(shortDigest(seenObjectKey(way, way.scope)));
    return state === UNWRITTEN ? undefined : state;
  }

  #place(connection: string, { path, name }: ObjectWay): string {
    const { once, members, ofUser, tenants } = this.#places.get(connection) ?? {};
    if (name != null) return (path === tenants ? once : members) ?? connection;
    return (isForUser({ path }) ? ofUser : once) ?? connection;
  }
}

/**
 * What a request may write to whose meaning is unknown: the object at its path, and the members above it.
 * @param name of the object that it may create in the collection at its path
 */
export function possiblyWritten(path: string, name?: Value): readonly FoundObject[] {
  const at = path.replace(/\/*(\?.*)?$/, '');
  const members = [...at.matchAll(/\/(?=[^/])/g)].map(({ index }): FoundObject => {
    const [member = ''] = /^[^/]*/.exec(at.slice(index + 1)) ?? [];
    return { path: at.slice(0, index + 1), name: member };
  });
  const created = typeof name === 'string' ? [{ path: `${at}/`, name }] : [];
  return [{ path: at }, ...members, ...created];
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
 * What writes to a controller from before the interrupt left there, as a user sees it in a tenant. In another one, any state of a member is
 * as the run left it. What exists once is the same in all tenants.
 */
export function leftBefore(
  written: readonly WrittenBefore[],
  { settings: { tenant, dialect }, reached: { account } }: SeenOver,
): WrittenObjects {
  const objects = new WrittenObjects();
  for (const { path, member, name, seen, ...write } of written) {
    if (write.outcome !== 'applied' || (isForUser({ path }) && write.account !== account)) continue;
    const isHere = write.tenant === tenant || path === dialect.tenants?.collection;
    const digest = isHere || member === undefined ? seen : undefined;
    const left = (one: string | undefined, state: string | null | undefined): void => {
      if (one !== undefined) objects.set('', { path, name: one }, state);
    };
    if (member === undefined) {
      objects.setAll('', possiblyWritten(path, isHere ? name : undefined));
      objects.set('', { path }, digest);
    }
    left(member?.uuid, digest);
    // An object of that name in another tenant is another object.
    if (isHere) left(member?.before, null);
    if (isHere) left(member?.after, digest);
  }
  return objects;
}

/** Who looks at what was written. */
interface SeenOver {
  readonly settings: Pick<Connection['settings'], 'tenant' | 'dialect'>;
  readonly reached: Pick<Connection['reached'], 'account'>;
}

/** Whether the write may have been to what was found, or to what was not found any more. */
export function mayBeWritten(
  { path, member, ...write }: WrittenBefore,
  { name, aliases, ...seen }: IdentifiedObject,
  { settings: { tenant, dialect }, reached: { account } }: SeenOver,
): boolean {
  if (path !== seen.path) return false;
  if (member === undefined) return name === write.name && (!isForUser({ path }) || write.account === account);
  // An object of that name in another tenant is another object.
  const isHere = write.tenant === tenant || path === dialect.tenants?.collection;
  const names = [member.uuid, ...(isHere ? [member.before, member.after] : [])].filter((one) => one !== undefined);
  return names.some((one) => one === name || aliases.includes(one));
}

/** Whether what was found is as the write was to leave it. The controller adds fields to an object that it creates. */
export function isAsIntended({ member, intended }: WrittenBefore, { name, object }: IdentifiedObject): boolean {
  if (object === undefined)
    return member !== undefined && (member.after === undefined || (name === member.before && name !== member.after));
  if (intended === undefined) return false;
  const isCreated = member !== undefined && member.uuid === undefined;
  return isCreated ? matches(intended, object) : isEqual(comparable(intended), comparable(object));
}
