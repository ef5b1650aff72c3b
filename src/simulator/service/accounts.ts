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

/** The accounts that may sign in: simulated accounts, users created as objects, and accounts whose password was changed since. */
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

  /** Whether the published default password is still the only password. */
  isFresh({ first_boot }: Behaviour): boolean {
    return first_boot !== undefined && Object.keys(this.#kept('passwords')).length === 0;
  }

  change({ username, password }: AccountCredentials, profile: JsonObject): void {
    const profiles = { ...this.#kept('profiles'), [username]: { ...this.account(username), ...profile } };
    this.store.state.setSingleton(PASSWORDS, {
      passwords: { ...this.#kept('passwords'), [username]: password },
      profiles,
    });
  }

  /** Whether it is the password of this user now. */
  isPassword({ username, password }: AccountCredentials, { first_boot: firstBoot }: Behaviour): boolean {
    if (this.#tokens.get(password) === username) return true;
    const { [username]: changed } = this.#kept('passwords');
    if (typeof changed === 'string') return same(changed, password);
    if (firstBoot !== undefined) return username === FIRST_USER && same(firstBoot.password, password);
    const isThis = (account: AccountCredentials): boolean =>
      account.username === username && same(account.password, password);
    return this.#given.some(isThis) || this.#users().some(isThis);
  }

  #users(): readonly AccountCredentials[] {
    if (this.store.kind('user') === undefined) return [];
    return this.store
      .all('user')
      .flatMap(({ username, password }) =>
        typeof username === 'string' && typeof password === 'string' ? [{ username, password }] : [],
      );
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
