import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../model/inventory/connection.js';
import type { Retry } from '../model/run/event.js';
import { NEVER_REST, type Rest } from '../model/run/session.js';
import type { Secrets } from '../secrets/secrets.js';
import { jittered, pauseBefore, type RetryPolicy } from './exchange/policy.js';
import { ConnectionFailure } from './exchange/connection_failure.js';
import { ControllerError } from './exchange/controller_error.js';
import type { Answer, Call } from './exchange/call.js';
import type { CredentialWatch } from './access/credential_refusals.js';
import { LockedOutError, notSent, type Lockouts } from './access/lockouts.js';
import type { SharedSignIn, SignedIn } from './access/signed_in.js';
import { type ApiVersions, askVersion, withoutVersion } from './api_version.js';
import { briefly, sendWithRetries, type Outcome } from './attempts.js';
import type { RequestGate } from './pace/request_gate.js';
import { redirected, refusal, unanswered } from './answers/refusal.js';
import { loginCall, refusesCredentials, signedInBy, signedOut, SignInError } from './sign_in.js';
import { requireOneTenant, unknownTenant } from './tenant_check.js';
import type { Wire } from './wire.js';

export interface ClientOptions {
  readonly wire: Wire;
  /** Shared by all users of that URL. */
  readonly gate: RequestGate;
  readonly retry: RetryPolicy;
  /** Called before the pause. */
  readonly onRetry: ((retry: Retry) => void) | undefined;
  /** Aborted to stop retries. Running requests finish. */
  readonly stopping: AbortSignal;
  /** What no message may show. */
  readonly secrets: Secrets;
  /** Shares the session with all connections of this user; absent: Basic authentication. */
  readonly signIns: SharedSignIn | undefined;
  /** Called with each answer's verdict on the credentials. */
  readonly credentials: CredentialWatch;
  readonly lockouts: Lockouts;
  readonly versions: ApiVersions;
}

/** Sends requests to one controller. Returns answers of any status, except 401 and redirects, which are errors. */
export class Client {
  constructor(
    settings: ConnectionSettings,
    readonly options: ClientOptions,
    private readonly rest: Rest = NEVER_REST,
    private readonly known: Known = { settings, versionHeader: [], hasTenant: false },
  ) {}

  /** The same client for a task that rests while it waits. */
  restingBy(rest: Rest): Client {
    return new Client(this.settings, this.options, rest, this.known);
  }

  /** With the API version as soon as it is known. */
  get settings(): ConnectionSettings {
    return this.known.settings;
  }

  get secrets(): Secrets {
    return this.options.secrets;
  }

  /** Whether nothing may be repeated any more. */
  get interrupted(): boolean {
    return this.options.stopping.aborted;
  }

  /** Whether the pause that the controller asked for is short enough to wait for. */
  get mayAsk(): boolean {
    return this.options.gate.isBearable;
  }

  async ask(call: Call): Promise<Answer> {
    const { versionPath } = this.settings.dialect;
    if (this.settings.apiVersion === undefined && versionPath !== undefined) await this.#findVersion(call, versionPath);
    return this.#ask(call);
  }

  async #findVersion(call: Call, path: string): Promise<void> {
    const ask = (): Promise<string> => askVersion(path, this, (other) => this.#ask(other));
    try {
      const apiVersion = await this.options.versions.obtain(this.settings.url, this.rest, ask);
      this.known.versionHeader = [this.settings.versionHeader.toLowerCase(), apiVersion];
      this.known.settings = { ...this.settings, apiVersion };
    } catch (error) {
      if (!(error instanceof ControllerError) || error instanceof LockedOutError) throw error;
      throw withoutVersion(call, error);
    }
  }

  async #ask(call: Call): Promise<Answer> {
    const { lockouts } = this.options;
    const { url } = this.settings;
    if (lockouts.isLost(url)) throw notSent(call);
    requireOneTenant(call, this);
    const answer = await this.#answer(call);
    const { status, uncertain = false } = answer;
    if (status === 401) throw lockouts.judge(url, call, refusal(call, answer, this));
    if (status >= 300 && status < 400) throw lockouts.judge(url, call, redirected(call, answer, this));
    lockouts.answered(url, call, status >= 400 && !uncertain);
    if (status === 404) await this.#requireTenant(call);
    return answer;
  }

  forgetAnswers(): void {
    this.options.wire.forgetAnswers();
  }

  /** Waits as long as before the retry of that number; ends early when the run is interrupted. */
  async pause(attempt: number): Promise<void> {
    await this.#sleep(jittered(attempt, this.options.retry, Math.random()));
  }

  refused(call: Call, answer: Answer): ControllerError {
    return refusal(call, answer, this);
  }

  async #answer(call: Call): Promise<Answer> {
    try {
      return await this.#withRetries(call, (soFar) => this.#send(call, soFar));
    } catch (error) {
      // What the run itself has cut off was not lost.
      if (!(error instanceof ControllerError) || error.givenUp) throw error;
      throw this.options.lockouts.judge(this.settings.url, call, error);
    }
  }

  /** A 404 may be about the tenant, whatever was asked for. */
  async #requireTenant(call: Call): Promise<void> {
    if (this.known.hasTenant) return;
    const problem = await unknownTenant(call, this, (other) => this.#answer(other));
    if (problem !== undefined) throw problem;
    this.known.hasTenant = true;
  }

  async #withRetries(call: Call, attempt: (soFar: SoFar) => Promise<Answer>): Promise<Answer> {
    const soFar: SoFar = { attempts: 0, uncertain: false, started: undefined };
    const send = (): Promise<Answer> => {
      soFar.attempts += 1;
      return attempt(soFar);
    };
    const again = (outcome: Outcome): Promise<boolean> => {
      soFar.uncertain ||= outcome.type === 'failure' ? outcome.failure.uncertain : outcome.answer.status >= 500;
      return this.#again(soFar, outcome);
    };
    const limit = call.repeatable ? this.options.retry.attempts : 1;
    try {
      const answer = await sendWithRetries({ url: this.settings.url, method: call.method, limit, send, again });
      return soFar.uncertain ? { ...answer, uncertain: true } : answer;
    } catch (error) {
      if (!(error instanceof ConnectionFailure)) throw error;
      throw unanswered(call, error, soFar.attempts, soFar.uncertain);
    }
  }

  async #again(soFar: SoFar, outcome: Outcome): Promise<boolean> {
    const { attempts, started } = soFar;
    const now = performance.now();
    const { retry, gate, onRetry } = this.options;
    const attempted = { attempts, elapsedMs: now - (started ?? now), holdMs: gate.holdMs };
    const pause = pauseBefore(attempted, retry, Math.random());
    if (pause === undefined) return false;
    const { controller } = this.settings;
    onRetry?.({
      ...{ controller, attempt: attempts + 1, attempts: retry.attempts },
      ...{ seconds: pause / 1000, reason: briefly(outcome) },
    });
    const again = await this.#sleep(pause);
    // The wait for a fork does not count.
    if (started !== undefined) soFar.started = started + Math.max(0, performance.now() - now - pause);
    return again;
  }

  /** False if the run was interrupted before or meanwhile. */
  #sleep(ms: number): Promise<boolean> {
    const { stopping } = this.options;
    return this.rest(() => sleep(ms, true, { signal: stopping }).catch(() => false));
  }

  #send(call: Call, soFar: SoFar): Promise<Answer> {
    const { credentials, gate, signIns } = this.options;
    const send = (): Promise<Answer> =>
      signIns === undefined
        ? gate.use(this.rest, () => this.#sendWithPassword(call, soFar))
        : this.#sendInSession(call, soFar, signIns);
    return credentials.inTurn(this.rest, send);
  }

  async #sendWithPassword(call: Call, soFar: SoFar): Promise<Answer> {
    const answer = await this.#sendNow(call, soFar);
    if (answer.status === 401) this.#refuse();
    else if (answer.status < 400 && call.isPublic !== true) this.options.credentials.accept();
    return answer;
  }

  /**
   * A 401 says for certain that the request has had no effect, so it is sent once more in a new session. A session that has never worked may
   * have expired too: the controller may have restarted before it answered the first request.
   */
  async #sendInSession(call: Call, soFar: SoFar, signIns: SharedSignIn): Promise<Answer> {
    const signedIn = await this.#signedIn(call, soFar, (signIn) => signIns.obtain(this.rest, signIn));
    const answer = await this.#sendAs(signedIn, call, soFar);
    if (answer.status !== 401) return answer;
    const renewed = await this.#signedIn(call, soFar, (signIn) => signIns.renew(this.rest, signedIn, signIn));
    const last = await this.#sendAs(renewed, call, soFar);
    if (last.status === 401 && !renewed.hasWorked) this.#refuse();
    return last;
  }

  async #sendAs(signedIn: SignedIn, call: Call, soFar: SoFar): Promise<Answer> {
    const { gate } = this.options;
    const answer = await gate.use(this.rest, () => this.#sendNow(call, soFar, signedIn.headersFor(call.method)));
    if (answer.status < 400 && call.isPublic !== true) signedIn.hasWorked = true;
    if (answer.status !== 401 && answer.setCookies !== undefined) signedIn.absorb(answer.setCookies);
    return answer;
  }

  /** @throws SignInError if the controller does not let this user in */
  async #signedIn(
    call: Call,
    { uncertain }: SoFar,
    obtain: (signIn: () => Promise<SignedIn>) => Promise<SignedIn>,
  ): Promise<SignedIn> {
    this.#requireTrust();
    try {
      return await obtain(() => this.#signIn());
    } catch (error) {
      throw error instanceof ControllerError ? new SignInError(call, error, uncertain) : error;
    }
  }

  async #signIn(): Promise<SignedIn> {
    const { credentials, gate } = this.options;
    const habits = this.settings.dialect.session;
    if (habits === undefined) throw new Error(`the dialect ${this.settings.dialect.name} has no sessions`);
    const call = loginCall(habits, this.settings);
    const answer = await this.#withRetries(call, (soFar) => gate.use(this.rest, () => this.#sendNow(call, soFar, [])));
    if (refusesCredentials(answer)) this.#refuse();
    const signedIn = signedInBy(call, answer, habits, this);
    credentials.accept();
    return signedIn;
  }

  /** Takes note that the credentials were refused. The answer of a locked controller says nothing about them. */
  #refuse(): void {
    if (!this.options.lockouts.isExpected(this.settings.url)) this.options.credentials.refuse();
  }

  #requireTrust(): void {
    const objection = this.options.credentials.objection();
    if (objection !== undefined) throw signedOut(objection);
  }

  #sendNow(call: Call, soFar: SoFar, more: readonly string[] = []): Promise<Answer> {
    this.#requireTrust();
    soFar.started ??= performance.now();
    const version = call.outsideApi === true ? [] : this.known.versionHeader;
    return this.options.wire.send(call, version.length === 0 ? more : [...more, ...version]);
  }
}

/** What has been found out about the controller: all tasks that use the client share it. */
interface Known {
  settings: ConnectionSettings;
  /** The version header, if the controller was asked for its version; that of the settings is in every request. */
  versionHeader: readonly string[];
  /** Whether the controller has the tenant of the settings. */
  hasTenant: boolean;
}

/** Of one call, over all its attempts. */
interface SoFar {
  attempts: number;
  uncertain: boolean;
  /** When the first attempt was sent: what it waited for its turn does not count. */
  started: number | undefined;
}
