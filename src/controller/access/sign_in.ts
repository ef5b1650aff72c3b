import { hash } from 'node:crypto';
import type { SessionTraits } from '../../core/model/dialect.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import { isRead, type WaitWithoutFork } from '../../core/model/run/session.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { AnswerContext } from '../answers/answer_text.js';
import { redirected, rejection } from '../answers/rejection.js';
import { ConnectionFailure, ControllerError, notSentAfter, type ApiAnswer, type ApiCall } from '../exchange/call.js';
import type { Transport } from '../transport/transport.js';

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

/** The path does not exist: the controller has another dialect. */
const NO_LOGIN: ReadonlySet<number> = new Set([404, 405]);

/**
 * Whether a controller's answer is about the sign-in, not the request, which had no effect then. 403: its CSRF token is
 * no longer valid, as Django says it.
 */
export function endsSignIn({ status, text }: ApiAnswer): boolean {
  return status === 401 || status === 419 || (status === 403 && /\bCSRF Failed\b/i.test(text));
}

export function loginCall({ loginPath }: SessionTraits, settings: ConnectionSettings): ApiCall {
  const { username, password, isToken } = settings;
  const body = JSON.stringify({ username, [isToken === true ? 'token' : 'password']: password });
  return { method: 'POST', path: loginPath, body, repeatable: true, outsideApi: true };
}

/** How long the sign-out may take on one controller, and on all of them. Sign-ins also expire on their own. */
const LOGOUT_SECONDS = { each: 2, all: 5 };
const LOGOUTS_AT_ONCE = 20;

/** Ends sign-ins, as far as that is possible in a short time. */
export async function signOut(
  signIns: readonly SignedIn[],
  open: (settings: ConnectionSettings) => Transport,
): Promise<void> {
  const end = performance.now() + LOGOUT_SECONDS.all * 1000;
  const rest = signIns.values();
  const work = async (): Promise<void> => {
    for (const signedIn of rest) if (performance.now() < end) await signOutOnce(signedIn, open);
  };
  await Promise.all(Array.from({ length: LOGOUTS_AT_ONCE }, work));
}

async function signOutOnce(signedIn: SignedIn, open: (settings: ConnectionSettings) => Transport): Promise<void> {
  const { settings } = signedIn;
  const traits = settings.dialect.session;
  if (traits === undefined) return;
  const transport = open({ ...settings, timeout: Math.min(settings.timeout, LOGOUT_SECONDS.each), maxRequests: 1 });
  try {
    const call: ApiCall = { method: 'POST', path: traits.logoutPath, body: '{}', repeatable: false, outsideApi: true };
    await transport.send(call, signedIn.headersFor('POST'));
  } catch {
    // The controller ends the sign-in when it has not been used for a while.
  } finally {
    await transport.close();
  }
}

/** The sign-in that an answer to `loginCall` granted; throws if it granted none. */
export function signedInBy(call: ApiCall, answer: ApiAnswer, traits: SessionTraits, context: AnswerContext): SignedIn {
  const { settings, secrets } = context;
  if (NO_LOGIN.has(answer.status)) throw wrongDialect(call, answer, 'has no such path');
  if (answer.status >= 300 && answer.status < 400) throw redirected(call, answer, context);
  if (answer.status >= 400) throw rejection(call, answer, context);
  const signedIn = new SignedIn(traits, settings, (secret) => secrets.add(secret));
  signedIn.absorb(answer.setCookies ?? []);
  if (signedIn.isComplete) return signedIn;
  throw wrongDialect(call, answer, `set no cookie ${traits.sessionCookies.join(' or ')}`);
}

function wrongDialect(call: ApiCall, { status }: ApiAnswer, what: string): ControllerError {
  const hint = 'does controller_dialect name the dialect of this controller?';
  return new ControllerError(call, `the controller answered ${status} and ${what}`, { status, hint });
}

/** The failure of a request whose credentials must not be tried. */
export function signedOut(objection: string): ConnectionFailure {
  const hint = 'check controller_username and controller_password';
  return new ConnectionFailure('refused', `not sent: ${objection}`, hint);
}

/**
 * A request that was not sent because the sign-in before it failed.
 * @param uncertain whether an earlier attempt of the request may have arrived
 */
export class SignInError extends ControllerError {
  override readonly name = 'SignInError';

  constructor(call: ApiCall, cause: ControllerError, uncertain: boolean) {
    const unknown = uncertain && !isRead(call.method) ? '; the request may have taken effect before' : '';
    const what = `${cause.route === undefined ? 'cannot sign in: ' : ''}${cause.message}`;
    super(call, `${what}${unknown}`, { ...notSentAfter(call, cause), uncertain });
  }
}
