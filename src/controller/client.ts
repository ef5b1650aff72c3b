import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../model/inventory/connection.js';
import type { Secrets } from '../secrets/secrets.js';
import { jittered, pauseBefore, type RetryPolicy } from './exchange/policy.js';
import { ConnectionFailure } from './exchange/connection_failure.js';
import type { ControllerError } from './exchange/controller_error.js';
import type { Exchange } from '../model/run/event.js';
import { errorMessage } from '../model/error_message.js';
import type { Answer, Call } from './exchange/call.js';
import { notSent, type Lockouts } from './access/lockouts.js';
import { sendWithRetries, type Outcome } from './attempts.js';
import type { RequestGate } from './pace/request_gate.js';
import { redirected, refusal, unanswered } from './answers/refusal.js';
import type { Transport } from './transport/transport.js';

export interface ClientOptions {
  readonly transport: Transport;
  /** Shared by all users of that URL. */
  readonly gate: RequestGate;
  readonly retry: RetryPolicy;
  /** Aborted to stop retries. Running requests finish. */
  readonly stopping: AbortSignal;
  readonly onRequest: ((exchange: Exchange) => void) | undefined;
  readonly onThrottled: ((throttling: Throttling) => void) | undefined;
  /** Whether `onRequest` also gets the bodies. */
  readonly bodies: boolean;
  /** What no message may show. */
  readonly secrets: Secrets;
  /** Called with each answer's verdict on the credentials. */
  readonly credentials: CredentialWatch;
  readonly lockouts: Lockouts;
}

/** The controller answered that status, so nothing is sent to it for so many seconds. */
export interface Throttling {
  readonly controller: string;
  readonly status: number;
  readonly seconds: number;
}

export interface CredentialWatch {
  /** Why the credentials must not be sent to the controller, if that is so. */
  objection(): string | undefined;
  /** Lets one request after the other try credentials that the controller has not taken yet, and few controllers at once. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  refuse(): void;
  accept(): void;
}

/** Sends requests to one controller. Returns answers of any status, except 401 and redirects, which are errors. */
export class Client {
  constructor(
    readonly settings: ConnectionSettings,
    readonly options: ClientOptions,
  ) {}

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
    const { lockouts } = this.options;
    const { url } = this.settings;
    if (lockouts.isLost(url)) throw notSent(call);
    const answer = await this.#answer(call);
    const { status, uncertain = false } = answer;
    if (status === 401) throw lockouts.judge(url, call, refusal(call, answer, this));
    if (status >= 300 && status < 400) throw lockouts.judge(url, call, redirected(call, answer, this));
    lockouts.answered(url, call, status >= 400 && !uncertain);
    return answer;
  }

  forgetAnswers(): void {
    this.options.transport.forgetAnswers();
  }

  /** Waits as long as before the retry of that number; ends early when the run is interrupted. */
  async pause(attempt: number): Promise<void> {
    await this.#sleep(jittered(attempt, this.options.retry, Math.random()));
  }

  refused(call: Call, answer: Answer): ControllerError {
    return refusal(call, answer, this);
  }

  async #answer(call: Call): Promise<Answer> {
    const soFar: SoFar = { attempts: 0, uncertain: false, started: undefined };
    const send = (): Promise<Answer> => {
      soFar.attempts += 1;
      return this.#send(call, soFar);
    };
    const again = (outcome: Outcome): Promise<boolean> => {
      soFar.uncertain ||= outcome.type === 'failure' ? outcome.failure.uncertain : outcome.answer.status >= 500;
      return this.#again(soFar);
    };
    const limit = call.repeatable ? this.options.retry.attempts : 1;
    try {
      const answer = await sendWithRetries({ url: this.settings.url, method: call.method, limit, send, again });
      return soFar.uncertain ? { ...answer, uncertain: true } : answer;
    } catch (error) {
      if (!(error instanceof ConnectionFailure)) throw error;
      const told = unanswered(call, error, soFar.attempts, soFar.uncertain);
      // What the run itself has cut off was not lost.
      throw error.type === 'closed' ? told : this.options.lockouts.judge(this.settings.url, call, told);
    }
  }

  async #again({ attempts, started }: SoFar): Promise<boolean> {
    const now = performance.now();
    const attempted = { attempts, elapsedMs: now - (started ?? now), holdMs: this.options.gate.holdMs };
    const pause = pauseBefore(attempted, this.options.retry, Math.random());
    if (pause === undefined) return false;
    return this.#sleep(pause);
  }

  /** False if the run was interrupted before or meanwhile. */
  async #sleep(ms: number): Promise<boolean> {
    return sleep(ms, true, { signal: this.options.stopping }).catch(() => false);
  }

  #send(call: Call, soFar: SoFar): Promise<Answer> {
    const { credentials, gate } = this.options;
    const send = async (): Promise<Answer> => {
      const objection = credentials.objection();
      if (objection !== undefined) throw signedOut(objection);
      soFar.started ??= performance.now();
      const answer = await this.#sendOnce(call);
      // The answer of a locked controller says nothing about the credentials.
      if (answer.status === 401 && !this.options.lockouts.isExpected(this.settings.url)) credentials.refuse();
      else if (answer.status < 400) credentials.accept();
      return answer;
    };
    return credentials.inTurn(() => gate.use(send));
  }

  async #sendOnce(call: Call): Promise<Answer> {
    const started = performance.now();
    try {
      const answer = await this.options.transport.send(call);
      this.#tell(call, started, { status: answer.status, ...(this.options.bodies && { responseBody: answer.text }) });
      this.#heed(answer, started);
      return answer;
    } catch (error) {
      this.#tell(call, started, { error: errorMessage(error) });
      throw error;
    }
  }

  #heed(answer: Answer, started: number): void {
    const seconds = this.options.gate.heard(answer, started);
    if (seconds === undefined) return;
    this.options.onThrottled?.({ controller: this.settings.controller, status: answer.status, seconds });
  }

  #tell(call: Call, started: number, result: Pick<Exchange, 'status' | 'error' | 'responseBody'>): void {
    this.options.onRequest?.({
      controller: this.settings.controller,
      method: call.method,
      url: this.settings.url + call.path,
      seconds: (performance.now() - started) / 1000,
      ...(this.options.bodies && call.body !== undefined && { requestBody: call.body }),
      ...result,
    });
  }
}

/** Of one call, over all its attempts. */
interface SoFar {
  attempts: number;
  uncertain: boolean;
  /** When the first attempt was sent: what it waited for its turn does not count. */
  started: number | undefined;
}

function signedOut(objection: string): ConnectionFailure {
  return new ConnectionFailure(
    'refused',
    `not sent: ${objection}`,
    'check controller_username and controller_password',
  );
}
