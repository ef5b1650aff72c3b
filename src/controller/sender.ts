import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../core/model/inventory/connection.js';
import { controllerIdentity, routeText } from '../core/model/inventory/route.js';
import type { Retry } from '../core/model/run/event.js';
import type { Rest } from '../core/model/run/session.js';
import type { Secrets } from '../core/secrets/secrets.js';
import type { CredentialWatch } from './access/credential_refusals.js';
import type { Lockouts } from './access/lockouts.js';
import type { SharedSignIn, SignedIn } from './access/signed_in.js';
import { unanswered } from './answers/refusal.js';
import { outcomeText, sendWithRetries, type AttemptOutcome } from './attempts.js';
import type { ApiAnswer, ApiCall } from './exchange/call.js';
import { ConnectionFailure } from './exchange/connection_failure.js';
import { ControllerError } from './exchange/controller_error.js';
import { pauseBefore, type RetryPolicy } from './exchange/policy.js';
import type { RequestGate } from './pace/request_gate.js';
import { endsSession, loginCall, refusesCredentials, signedInBy, signedOut, SignInError } from './sign_in.js';
import type { Wire } from './wire.js';

export interface SenderOptions {
  readonly wire: Wire;
  /** Shared by all users of that controller. */
  readonly gate: RequestGate;
  readonly retry: RetryPolicy;
  /** Called before the pause. */
  readonly onRetry: ((retry: Retry) => void) | undefined;
  /** Aborted to stop retries. Running requests finish. */
  readonly stopping: AbortSignal;
  /** Texts that messages must not show. */
  readonly secrets: Secrets;
  /** Shares the session with all connections of this user; absent: Basic authentication. */
  readonly signIns: SharedSignIn | undefined;
  /** Called with each answer's verdict on the credentials. */
  readonly credentials: CredentialWatch;
  readonly lockouts: Lockouts;
}

/** The controller as far as it is known; the client fills in the rest. */
export interface Addressee {
  settings: ConnectionSettings;
  /** The version header if the version comes from the controller. A version of the settings is in every request. */
  versionHeader: readonly string[];
}

/** Sends requests as one user, with the password or in a session, and repeats them after passing failures. */
export class Sender {
  constructor(
    private readonly to: Addressee,
    private readonly options: SenderOptions,
    private readonly rest: Rest,
    private readonly isPatient: boolean,
  ) {}

  get settings(): ConnectionSettings {
    return this.to.settings;
  }

  get secrets(): Secrets {
    return this.options.secrets;
  }

  /** @throws ControllerError if there is no answer */
  send(call: ApiCall): Promise<ApiAnswer> {
    return this.#withRetries(call, (soFar) => this.#sendOnce(call, soFar));
  }

  /** False if the run was interrupted before or meanwhile. */
  sleep(ms: number): Promise<boolean> {
    const { stopping } = this.options;
    return this.rest(() => sleep(ms, true, { signal: stopping }).catch(() => false));
  }

  async #withRetries(call: ApiCall, attempt: (soFar: SoFar) => Promise<ApiAnswer>): Promise<ApiAnswer> {
    const soFar: SoFar = { attempts: 0, uncertain: false, failing: undefined };
    const send = (): Promise<ApiAnswer> => {
      soFar.attempts += 1;
      return attempt(soFar);
    };
    const again = (outcome: AttemptOutcome): Promise<boolean> => {
      soFar.uncertain ||= outcome.type === 'failure' ? outcome.failure.uncertain : outcome.answer.status >= 500;
      return mayRepeat(call, outcome) ? this.#again(soFar, outcome) : Promise.resolve(false);
    };
    const several = this.#patienceMs > 0;
    try {
      const answer = await sendWithRetries({ url: this.settings.url, method: call.method, several, send, again });
      return soFar.uncertain ? { ...answer, uncertain: true } : answer;
    } catch (error) {
      if (!(error instanceof ConnectionFailure)) throw error;
      throw unanswered(call, error, soFar.attempts, soFar.uncertain);
    }
  }

  get #patienceMs(): number {
    return this.isPatient ? this.settings.patience * 1000 : 0;
  }

  async #again(soFar: SoFar, outcome: AttemptOutcome): Promise<boolean> {
    const now = performance.now();
    const { retry, gate, onRetry } = this.options;
    const failing = Math.min(soFar.failing ?? now, downSince(outcome) ?? now);
    const { attempts } = soFar;
    const attempted = { attempts, failingMs: now - failing, pauseMs: gate.pauseMs, askedMs: gate.askedMs };
    const pause = pauseBefore(attempted, retry, this.#patienceMs, Math.random());
    if (pause === undefined) return false;
    gate.resumeIn(pause);
    onRetry?.({
      ...{ controller: this.settings.controller, attempt: attempts + 1, seconds: pause / 1000 },
      ...{ left: Math.max(pause, this.#patienceMs - attempted.failingMs) / 1000 },
      ...{ awaited: this.#awaited(outcome), reason: outcomeText(outcome) },
    });
    const again = await this.sleep(pause);
    // The wait for a fork does not count.
    soFar.failing = failing + Math.max(0, performance.now() - now - pause);
    return again;
  }

  /** `lb1`, or `route madrid` if that is down for all of its controllers. */
  #awaited(outcome: AttemptOutcome): string {
    const { controller, route } = this.settings;
    const isRouteDown = outcome.type === 'failure' && outcome.failure.route !== undefined;
    if (!isRouteDown) return controller;
    return route === undefined ? 'the proxy' : routeText(route);
  }

  #sendOnce(call: ApiCall, soFar: SoFar): Promise<ApiAnswer> {
    const { credentials, gate, signIns } = this.options;
    const send = (): Promise<ApiAnswer> =>
      signIns === undefined
        ? gate.use(this.rest, () => this.#sendWithPassword(call))
        : this.#sendInSession(call, soFar, signIns);
    return credentials.tryInTurn(this.rest, send);
  }

  async #sendWithPassword(call: ApiCall): Promise<ApiAnswer> {
    const answer = await this.#sendNow(call);
    if (answer.status === 401) this.#refuse();
    else if (answer.status < 400 && call.isPublic !== true) this.options.credentials.accept();
    return answer;
  }

  /**
   * A request that the controller rejected because of its session is sent again in a new one, once. Even an unused
   * session can have expired: the controller may have restarted before the first request.
   */
  async #sendInSession(call: ApiCall, soFar: SoFar, signIns: SharedSignIn): Promise<ApiAnswer> {
    const signedIn = await this.#signedIn(call, soFar, (signIn) => signIns.obtain(this.rest, signIn));
    const answer = await this.#sendAs(signedIn, call);
    if (!endsSession(answer)) return answer;
    const renewed = await this.#signedIn(call, soFar, (signIn) => signIns.renew(this.rest, signedIn, signIn));
    const last = await this.#sendAs(renewed, call);
    if (last.status === 401 && !renewed.hasWorked) this.#refuse();
    return last;
  }

  async #sendAs(signedIn: SignedIn, call: ApiCall): Promise<ApiAnswer> {
    const { gate } = this.options;
    const answer = await gate.use(this.rest, () => this.#sendNow(call, signedIn.headersFor(call.method)));
    if (answer.status < 400 && call.isPublic !== true) signedIn.hasWorked = true;
    if (!endsSession(answer) && answer.setCookies !== undefined) signedIn.absorb(answer.setCookies);
    return answer;
  }

  /** @throws SignInError if the controller does not let this user in */
  async #signedIn(
    call: ApiCall,
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
    const traits = this.settings.dialect.session;
    if (traits === undefined) throw new Error(`the dialect ${this.settings.dialect.name} has no sessions`);
    const call = loginCall(traits, this.settings);
    const answer = await this.#withRetries(call, () => gate.use(this.rest, () => this.#sendNow(call, [])));
    if (refusesCredentials(answer)) this.#refuse();
    const signedIn = signedInBy(call, answer, traits, this);
    credentials.accept();
    return signedIn;
  }

  /** Records that the credentials were refused. The answer of a locked controller says nothing about them. */
  #refuse(): void {
    if (!this.options.lockouts.isExpected(controllerIdentity(this.settings))) this.options.credentials.refuse();
  }

  #requireTrust(): void {
    const objection = this.options.credentials.objection();
    if (objection !== undefined) throw signedOut(objection);
  }

  #sendNow(call: ApiCall, more: readonly string[] = []): Promise<ApiAnswer> {
    this.#requireTrust();
    const version = call.outsideApi === true ? [] : this.to.versionHeader;
    return this.options.wire.send(call, version.length === 0 ? more : [...more, ...version]);
  }
}

/** The state of one call over all its attempts. */
interface SoFar {
  attempts: number;
  uncertain: boolean;
  /** Since when it has failed, not counting waits for a fork, in ms of `performance.now()`. */
  failing: number | undefined;
}

/** A request that must not be sent twice is repeated only if the controller certainly did not carry it out. */
function mayRepeat({ repeatable, isLookedUp }: ApiCall, outcome: AttemptOutcome): boolean {
  if (repeatable) return true;
  return outcome.type === 'failure' ? outcome.failure.unsent : outcome.answer.status === 429 && isLookedUp !== true;
}

/** A dead route is waited for once, not once for each of its controllers. */
function downSince(outcome: AttemptOutcome): number | undefined {
  return outcome.type === 'failure' ? outcome.failure.since : undefined;
}
