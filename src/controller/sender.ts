import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import { controllerIdentity, routeText } from '../core/model/inventory/route.js';
import type { Exchange, Retry, Throttling } from '../core/model/run/event.js';
import type { WaitWithoutFork } from '../core/model/run/session.js';
import { refusesCredentials } from '../core/model/run/temporary.js';
import { errorMessage } from '../core/model/source/diagnostic.js';
import type { Secrets } from '../core/secrets/secrets.js';
import type { CredentialWatch, Lockouts } from './access/lockouts.js';
import { endsSignIn, loginCall, signedInBy, signedOut, SignInError } from './access/sign_in.js';
import type { SharedSignIn, SignedIn } from './access/sign_in.js';
import { unanswered } from './answers/rejection.js';
import { ConnectionFailure, ControllerError, type Addressee, type ApiAnswer, type ApiCall } from './exchange/call.js';
import {
  isTemporary,
  isUncertain,
  mayRepeat,
  outcomeText,
  repeat,
  type AttemptOutcome,
  type CallProgress,
  pauseBefore,
  type RetryPolicy,
} from './exchange/policy.js';
import type { RequestGate } from './pace/request_gate.js';
import type { Transport } from './transport/transport.js';

/** What all users of a connection share. */
export interface SenderOptions {
  readonly transport: Transport;
  readonly onRequest: ((exchange: Exchange) => void) | undefined;
  readonly onThrottled: ((throttling: Throttling) => void) | undefined;
  /** Whether `onRequest` also gets the bodies. */
  readonly bodies: boolean;
  /** Shared by all users of that controller. */
  readonly gate: RequestGate;
  readonly retry: RetryPolicy;
  /** Called before the pause. */
  readonly onRetry: ((retry: Retry) => void) | undefined;
  /** Aborted to stop retries. Running requests finish. */
  readonly drain: AbortSignal;
  /** Texts that messages must not show. */
  readonly secrets: Secrets;
  /** Shares the sign-in with all connections of this user; absent: Basic authentication. */
  readonly signIns: SharedSignIn | undefined;
  /** Called with each answer's verdict on the credentials. */
  readonly credentials: CredentialWatch;
  readonly lockouts: Lockouts;
}

/** Called with an answer at once, before another request is sent. */
type OnAnswer = (answer: ApiAnswer) => void;

/** Sends requests as one user, with the password or signed in, and repeats them after passing failures. */
export class Sender {
  constructor(
    protected readonly known: Addressee,
    readonly options: SenderOptions,
    protected readonly wait: WaitWithoutFork,
    private readonly isPatient: boolean,
  ) {}

  /** Includes the API version as soon as it is known. */
  get settings(): ConnectionSettings {
    return this.known.settings;
  }

  get secrets(): Secrets {
    return this.options.secrets;
  }

  /** @throws ControllerError if there is no answer */
  protected send(call: ApiCall): Promise<ApiAnswer> {
    return this.#withRetries(call, (progress) => this.#attempt(call, progress));
  }

  /** False if the run was interrupted before or meanwhile. */
  protected sleep(ms: number): Promise<boolean> {
    return this.wait(() => sleep(ms, true, { signal: this.options.drain }).catch(() => false));
  }

  async #withRetries(call: ApiCall, attempt: (progress: CallProgress) => Promise<ApiAnswer>): Promise<ApiAnswer> {
    const progress: CallProgress = { attempts: 0, uncertain: false, failing: undefined, isRefused: false };
    const tryOnce = async (): Promise<AttemptOutcome> => {
      progress.attempts += 1;
      progress.isRefused = false;
      let outcome: AttemptOutcome;
      try {
        outcome = await attempt(progress);
      } catch (error) {
        if (!(error instanceof ConnectionFailure)) throw error;
        outcome = error;
      }
      progress.uncertain ||= isUncertain(outcome);
      return outcome;
    };
    const again = (outcome: AttemptOutcome): Promise<boolean> => this.#again(call, progress, outcome);
    const first = await tryOnce();
    const last = isTemporary(first, call) && this.patienceMs > 0 ? await repeat(call, first, tryOnce, again) : first;
    // A task that is repeated anyway asks again.
    if (progress.isRefused && this.isPatient) this.#refuse();
    if (last instanceof ConnectionFailure) throw unanswered(call, last, progress.attempts, progress.uncertain);
    return progress.uncertain ? { ...last, uncertain: true } : last;
  }

  /** How long a controller is waited for. */
  get patienceMs(): number {
    return this.isPatient ? this.settings.patience * 1000 : 0;
  }

  async #again(call: ApiCall, progress: CallProgress, outcome: AttemptOutcome): Promise<boolean> {
    const now = performance.now();
    const { retry, gate, onRetry } = this.options;
    // A dead route is waited for once, not once for each of its controllers.
    const { route, since = now } = outcome instanceof ConnectionFailure ? outcome : {};
    const failing = Math.min(progress.failing ?? now, since);
    const { attempts } = progress;
    const attempted = { attempts, failingMs: now - failing, pauseMs: gate.pauseMs, askedMs: gate.askedMs };
    const pause = mayRepeat(call, outcome) ? pauseBefore(attempted, retry, this.patienceMs, Math.random()) : undefined;
    if (pause === undefined) return false;
    gate.resumeIn(pause);
    onRetry?.({
      ...{ controller: this.settings.controller, attempt: attempts + 1, seconds: pause / 1000 },
      ...{ left: Math.max(pause, this.patienceMs - attempted.failingMs) / 1000 },
      ...{ awaited: route === undefined ? this.settings.controller : this.#route, reason: outcomeText(outcome) },
    });
    const again = await this.sleep(pause);
    // The wait for a fork does not count.
    progress.failing = failing + Math.max(0, performance.now() - now - pause);
    return again;
  }

  /** `route madrid` */
  get #route(): string {
    return this.settings.route === undefined ? 'the proxy' : routeText(this.settings.route);
  }

  #attempt(call: ApiCall, progress: CallProgress): Promise<ApiAnswer> {
    const { credentials, signIns } = this.options;
    return credentials.tryInTurn(this.wait, () =>
      signIns === undefined ? this.#sendWithPassword(call) : this.#sendSignedIn(call, progress, signIns),
    );
  }

  #sendWithPassword(call: ApiCall): Promise<ApiAnswer> {
    return this.#sendIfTrusted(call, undefined, ({ status }) => {
      if (status === 401) this.#refuse();
      else if (status < 300 && call.isPublic !== true) this.options.credentials.accept();
    });
  }

  /**
   * A request that the controller rejected because of its sign-in is sent again after a new one at once, and then within the
   * patience. Even an unused sign-in can have expired: the controller may have restarted before the first request.
   */
  async #sendSignedIn(call: ApiCall, progress: CallProgress, signIns: SharedSignIn): Promise<ApiAnswer> {
    const { wait, patienceMs } = this;
    const signedIn = await this.#signedIn(call, progress, (signIn) => signIns.obtain(wait, signIn, patienceMs));
    const answer = await this.#sendAs(signedIn, call);
    if (!endsSignIn(answer)) return answer;
    const renewed = await this.#signedIn(call, progress, (signIn) => signIns.renew(wait, signedIn, signIn, patienceMs));
    const last = await this.#sendAs(renewed, call);
    progress.isRefused = last.status === 401 && !renewed.hasWorked;
    // A wrong CSRF token, 403, is a mistake in the settings.
    return endsSignIn(last) && last.status !== 403 ? { ...last, lostSignIn: true } : last;
  }

  #sendAs(signedIn: SignedIn, call: ApiCall): Promise<ApiAnswer> {
    const onAnswer: OnAnswer = (answer) => {
      if (answer.status < 300 && call.isPublic !== true) signedIn.hasWorked = true;
      if (!endsSignIn(answer) && answer.setCookies !== undefined) signedIn.absorb(answer.setCookies);
    };
    return this.#sendIfTrusted(call, signedIn, onAnswer);
  }

  /** @throws SignInError if the controller does not let this user in */
  async #signedIn(
    call: ApiCall,
    { uncertain }: CallProgress,
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
    const traits = this.settings.dialect.session;
    if (traits === undefined) throw new Error(`the dialect ${this.settings.dialect.name} has no sessions`);
    const call = loginCall(traits, this.settings);
    const answer = await this.#withRetries(call, () => this.#sendIfTrusted(call));
    if (refusesCredentials(answer)) this.#refuse();
    const signedIn = signedInBy(call, answer, traits, this);
    this.options.credentials.accept();
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

  /** @param signedIn whose headers go with the request, as they are when it leaves */
  #sendIfTrusted(call: ApiCall, signedIn?: SignedIn, onAnswer?: OnAnswer): Promise<ApiAnswer> {
    return this.options.gate.use(this.wait, () => {
      this.#requireTrust();
      const version = call.outsideApi === true ? [] : this.known.versionHeader;
      return this.exchange(call, [...(signedIn?.headersFor(call.method) ?? []), ...version], onAnswer);
    });
  }

  /** @param more headers for this one request: names and values, one after the other */
  protected async exchange(call: ApiCall, more: readonly string[], onAnswer?: OnAnswer): Promise<ApiAnswer> {
    const { transport, gate, onThrottled } = this.options;
    const started = performance.now();
    try {
      const answer = await transport.send(call, more);
      this.#report(call, started, { status: answer.status, responseBody: answer.text });
      const seconds = gate.noteAnswer(answer, started);
      if (seconds !== undefined)
        onThrottled?.({ controller: this.settings.controller, status: answer.status, seconds });
      onAnswer?.(answer);
      return answer;
    } catch (error) {
      this.#report(call, started, { error: errorMessage(error) });
      throw error;
    }
  }

  #report(call: ApiCall, started: number, { responseBody, ...result }: Partial<Exchange>): void {
    if (this.options.onRequest === undefined) return;
    const { controller, url } = this.settings;
    const { method, path, body: requestBody } = call;
    const bodies = this.options.bodies && call.outsideApi !== true;
    this.options.onRequest({
      ...{ controller, method, url: url + path, seconds: (performance.now() - started) / 1000 },
      ...(bodies && requestBody !== undefined && { requestBody }),
      ...result,
      ...(bodies && responseBody !== undefined && { responseBody }),
    });
  }
}
