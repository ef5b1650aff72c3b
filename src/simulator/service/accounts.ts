import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountCredentials, Behaviour } from '../behaviour/behaviour.js';
import { isJsonObject, type JsonObject } from '../protocol/exchange.js';
import type { ObjectStore } from './object_store.js';

export const DEFAULT_CREDENTIALS: AccountCredentials = { username: 'admin', password: 'simulated' };

const PASSWORDS = '/api/useraccount';
/** The user that a controller has on its first boot. */
const FIRST_USER = 'admin';
const LOCK_AFTER = 3;
const LOCKED_FOR = 30 * 60_000;

/** `locked`: after too many wrong passwords. */
export type SignIn = 'ok' | 'wrong' | 'locked';

/**
 * The accounts that may sign in: simulated accounts, users created as objects, and accounts whose password was changed since. A user
 * that has a password of its own has no other.
 */
export class Accounts {
  #given: readonly AccountCredentials[] = [];
  readonly #failures = new Map<string, { count: number; at: number }>();

  /** The users of issued tokens. */
  readonly #tokens = new Map<string, string>();

  constructor(private readonly store: ObjectStore) {}

  issueToken(username: string): string {
    const token = randomBytes(20).toString('hex');
    this.#tokens.set(token, username);
    return token;
  }

  /** What a user sees and sets of the own account, besides the password. */
  account(username: string): JsonObject {
    const { [username]: profile } = this.#kept('profiles');
    return { ...(isJsonObject(profile) ? profile : {}), username };
  }

  add({ username, password }: AccountCredentials): void {
    const others = this.#given.filter((account) => account.username !== username || account.password !== password);
    this.#given = [...others, { username, password }];
  }

  signIn(credentials: AccountCredentials, behaviour: Behaviour, now: number): SignIn {
    const { username } = credentials;
    const { lock_after = LOCK_AFTER } = behaviour;
    const failed = this.#failures.get(username);
    const count = failed === undefined || now - failed.at > LOCKED_FOR ? 0 : failed.count;
    if (count >= lock_after) return 'locked';
    if (this.isPassword(credentials, behaviour)) {
      this.#failures.delete(username);
      return 'ok';
    }
    this.#failures.set(username, { count: count + 1, at: now });
    return 'wrong';
  }

  /** Whether the first user still has the published default password. */
  isFresh({ first_boot }: Behaviour): boolean {
    return first_boot !== undefined && this.#ownPassword(FIRST_USER) === undefined;
  }

  change({ username, password }: AccountCredentials, profile: JsonObject): void {
    const user = this.#user(username);
    if (user !== undefined) this.store.replace('user', user, { ...user, password });
    const passwords = { ...this.#kept('passwords'), ...(user === undefined && { [username]: password }) };
    const profiles = { ...this.#kept('profiles'), [username]: { ...this.account(username), ...profile } };
    this.store.state.setSingleton(PASSWORDS, { passwords, profiles });
  }

  /** Whether it is the password of this user now. */
  isPassword({ username, password }: AccountCredentials, behaviour: Behaviour): boolean {
    const { first_boot: firstBoot } = behaviour;
    if (firstBoot !== undefined && this.isFresh(behaviour))
      return username === FIRST_USER && same(firstBoot.password, password);
    const own = this.#ownPassword(username);
    const given = this.#given.filter((account) => account.username === username);
    const passwords = own === undefined ? given.map((account) => account.password) : [own];
    if (passwords.length > 0 && this.#tokens.get(password) === username) return true;
    return passwords.some((one) => same(one, password));
  }

  /** The password of the user that is an object, or that a user without an object has chosen. */
  #ownPassword(username: string): string | undefined {
    const own = this.#user(username)?.['password'] ?? this.#kept('passwords')[username];
    return typeof own === 'string' ? own : undefined;
  }

  #user(username: string): JsonObject | undefined {
    if (this.store.kind('user') === undefined) return undefined;
    return this.store.all('user').find((user) => user['username'] === username);
  }

  #kept(what: 'passwords' | 'profiles'): JsonObject {
    if (!this.store.state.hasSingleton(PASSWORDS)) return {};
    const { [what]: kept } = this.store.state.singleton(PASSWORDS).current;
    return isJsonObject(kept) ? kept : {};
  }
}

function same(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
