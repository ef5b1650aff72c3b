import { hash } from 'node:crypto';
import type { SessionTraits } from '../../core/model/dialect.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import { isRead, type WaitWithoutFork } from '../../core/model/run/session.js';
import { getOrAdd } from '../../core/model/values/groups.js';

/** What a sign-in of one user to one controller gave. Only requests to that controller's URL get its cookies and its CSRF token. */
export class SignedIn {
  readonly #cookies = new Map<string, string>();
  #headers: { readonly read: readonly string[]; readonly write: readonly string[] } | undefined;
  /** Whether the controller has accepted a request with these cookies: then a 401 says nothing about the credentials. */
  hasWorked = false;

  /**
   * @param settings that led to it: others of the same user may not lead there
   * @param learn called with each cookie's value, which is a secret
   */
  constructor(
    private readonly traits: SessionTraits,
    readonly settings: ConnectionSettings,
    private readonly learn: (secret: string) => void,
  ) {}

  /** Whether the controller has set a cookie that identifies the user. */
  get isComplete(): boolean {
    return this.traits.sessionCookies.some((name) => this.#cookies.has(name));
  }

  /** Takes over the `Set-Cookie` headers of an answer: controllers renew tokens as they like. */
  absorb(setCookies: readonly string[]): void {
    for (const text of setCookies) {
      const { name, value } = parseCookie(text);
      if (name === '') continue;
      if ((this.#cookies.get(name) ?? '') === value) continue;
      this.learn(value);
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
      this.#headers = undefined;
    }
  }

  /** Names and values, one after the other. */
  headersFor(method: string): readonly string[] {
    this.#headers ??= this.#make();
    return isRead(method) ? this.#headers.read : this.#headers.write;
  }

  #make() {
    const { csrfCookie, csrfHeader } = this.traits;
    const read = ['cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')];
    const token = this.#cookies.get(csrfCookie);
    const csrf = token === undefined ? [] : [csrfHeader.toLowerCase(), token];
    return { read, write: [...read, ...csrf, 'referer', `${this.settings.url}/`] };
  }
}

const EXPIRED = /;\s*max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)/i;

/**
 * The name and value of a `Set-Cookie` header; the value is empty if the cookie is deleted. Other attributes are
 * ignored.
 */
function parseCookie(text: string): { readonly name: string; readonly value: string } {
  const [pair = ''] = text.split(';', 1);
  const at = pair.indexOf('=');
  return { name: pair.slice(0, Math.max(0, at)).trim(), value: EXPIRED.test(text) ? '' : pair.slice(at + 1).trim() };
}

/** The sign-in of one user to one controller, which all connections share. The first that needs it signs in. */
export class SharedSignIn {
  #current: Promise<SignedIn> | undefined;
  #pending: { readonly signedIn: Promise<SignedIn>; readonly patienceMs: number } | undefined;

  /** @param patienceMs of `signIn`: who is more patient than another who has failed signs in again */
  obtain(wait: WaitWithoutFork, signIn: () => Promise<SignedIn>, patienceMs = 0): Promise<SignedIn> {
    const [known, other] = [this.#current, this.#pending];
    if (known === undefined) return this.#begin(signIn(), patienceMs);
    if (other?.signedIn !== known) return known;
    return wait(() => known).catch((error: unknown) => {
      if (patienceMs <= other.patienceMs) throw error;
      return this.obtain(wait, signIn, patienceMs);
    });
  }

  #begin(signedIn: Promise<SignedIn>, patienceMs: number): Promise<SignedIn> {
    const pending = { signedIn, patienceMs };
    this.#current = signedIn;
    this.#pending = pending;
    signedIn
      .catch(() => this.#forget(signedIn))
      .finally(() => {
        if (this.#pending === pending) this.#pending = undefined;
      });
    return signedIn;
  }

  /** A new sign-in in place of one that has expired, unless there is one already. */
  async renew(
    wait: WaitWithoutFork,
    expired: SignedIn,
    signIn: () => Promise<SignedIn>,
    patienceMs = 0,
  ): Promise<SignedIn> {
    const known = this.#current;
    if (known !== undefined && this.#pending?.signedIn !== known && (await known) === expired) this.#forget(known);
    return this.obtain(wait, signIn, patienceMs);
  }

  /** Removes and returns the sign-in. Undefined if there is none. */
  async take(): Promise<SignedIn | undefined> {
    const current = this.#current;
    this.#current = undefined;
    return current?.catch(() => undefined);
  }

  #forget(signedIn: Promise<SignedIn>): void {
    if (this.#current === signedIn) this.#current = undefined;
  }
}

/** The sign-ins of a run by controller, user and password. */
export class SignIns {
  readonly #known = new Map<string, SharedSignIn>();

  /** @param credentials identifies the user and the password */
  shared(settings: ConnectionSettings, credentials: string): SharedSignIn {
    const key = JSON.stringify([controllerIdentity(settings), credentials]);
    return getOrAdd(this.#known, key, () => new SharedSignIn());
  }

  /** Removes and returns all sign-ins. The caller must end them. */
  async takeAll(): Promise<readonly SignedIn[]> {
    return (await Promise.all([...this.#known.values()].map((one) => one.take()))).filter((one) => one !== undefined);
  }
}

/** Tells credentials apart without keeping them. */
export function basicCredentials({ username, password }: ConnectionSettings): string {
  return hash('sha256', JSON.stringify([username, password]), 'base64');
}
