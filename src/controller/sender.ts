import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../model/inventory/connection.js';
import { controllerIdentity } from '../model/inventory/route.js';
import type { Retry } from '../model/run/event.js';
import type { Rest } from '../model/run/session.js';
import type { Secrets } from '../secrets/secrets.js';
import { pauseBefore, type RetryPolicy } from './exchange/policy.js';
import { ConnectionFailure } from './exchange/connection_failure.js';
import { ControllerError } from './exchange/controller_error.js';
import type { Answer, Call } from './exchange/call.js';
import type { CredentialWatch } from './access/credential_refusals.js';
import type { Lockouts } from './access/lockouts.js';
import type { SharedSignIn, SignedIn } from './access/signed_in.js';
import { outcomeText, sendWithRetries, type Outcome } from './attempts.js';
import type { RequestGate } from './pace/request_gate.js';
import { unanswered } from './answers/refusal.js';
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
  ) {}

  get settings(): ConnectionSettings {
    return this.to.settings;
  }

  get secrets(): Secrets {
    return this.options.secrets;
  }

  /** @throws ControllerError if there is no answer */
  send(call: Call): Promise<Answer> {
    return this.#withRetries(call, (soFar) => this.#sendOnce(call, soFar));
  }

  /** False if the run was interrupted before or meanwhile. */
  sleep(ms: number): Promise<boolean> {
    const { stopping } = this.options;
    return this.rest(() => sleep(ms, true, { signal: stopping }).catch(() => false));
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
    const attempted = { attempts, elapsedMs: now - (started ?? now), pauseMs: gate.pauseMs };
    const pause = pauseBefore(attempted, retry, Math.random());
    if (pause === undefined) return false;
    const { controller } = this.settings;
    onRetry?.({
      ...{ controller, attempt: attempts + 1, attempts: retry.attempts },
      ...{ seconds: pause / 1000, reason: outcomeText(outcome) },
    });
    const again = await this.sleep(pause);
    // The wait for a fork does not count.
    if (started !== undefined) soFar.started = started + Math.max(0, performance.now() - now - pause);
    return again;
  }

  #sendOnce(call: Call, soFar: SoFar): Promise<Answer> {
    const { credentials, gate, signIns } = this.options;
    const send = (): Promise<Answer> =>
      signIns === undefined
        ? gate.use(this.rest, () => this.#sendWithPassword(call, soFar))
        : this.#sendInSession(call, soFar, signIns);
    return credentials.tryInTurn(this.rest, send);
  }

  async #sendWithPassword(call: Call, soFar: SoFar): Promise<Answer> {
    const answer = await this.#sendNow(call, soFar);
    if (answer.status === 401) this.#refuse();
    else if (answer.status < 400 && call.isPublic !== true) this.options.credentials.accept();
    return answer;
  }

  /**
   * A request that the controller rejected because of its session is sent again in a new one, once. Even an unused
   * session can have expired: the controller may have restarted before the first request.
   */
  async #sendInSession(call: Call, soFar: SoFar, signIns: SharedSignIn): Promise<Answer> {
    const signedIn = await this.#signedIn(call, soFar, (signIn) => signIns.obtain(this.rest, signIn));
    const answer = await this.#sendAs(signedIn, call, soFar);
    if (!endsSession(answer)) return answer;
    const renewed = await this.#signedIn(call, soFar, (signIn) => signIns.renew(this.rest, signedIn, signIn));
    const last = await this.#sendAs(renewed, call, soFar);
    if (last.status === 401 && !renewed.hasWorked) this.#refuse();
    return last;
  }

  async #sendAs(signedIn: SignedIn, call: Call, soFar: SoFar): Promise<Answer> {
    const { gate } = this.options;
    const answer = await gate.use(this.rest, () => this.#sendNow(call, soFar, signedIn.headersFor(call.method)));
    if (answer.status < 400 && call.isPublic !== true) signedIn.hasWorked = true;
    if (!endsSession(answer) && answer.setCookies !== undefined) signedIn.absorb(answer.setCookies);
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
    const traits = this.settings.dialect.session;
    if (traits === undefined) throw new Error(`the dialect ${this.settings.dialect.name} has no sessions`);
    const call = loginCall(traits, this.settings);
    const answer = await this.#withRetries(call, (soFar) => gate.use(this.rest, () => this.#sendNow(call, soFar, [])));
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

  #sendNow(call: Call, soFar: SoFar, more: readonly string[] = []): Promise<Answer> {
    this.#requireTrust();
    soFar.started ??= performance.now();
    const version = call.outsideApi === true ? [] : this.to.versionHeader;
    return this.options.wire.send(call, version.length === 0 ? more : [...more, ...version]);
  }
}

/** The state of one call over all its attempts. */
interface SoFar {
  attempts: number;
  uncertain: boolean;
  /** When the first attempt was sent, not counting the wait for its turn. */
  started: number | undefined;
}
