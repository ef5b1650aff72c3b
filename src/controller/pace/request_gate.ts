import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import type { WaitWithoutFork } from '../../core/model/run/session.js';
import { isTemporaryStatus } from '../../core/model/run/temporary.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { ConnectionFailure, type ApiAnswer } from '../exchange/call.js';
import { jittered, retryAfterMs, type RetryPolicy } from '../exchange/policy.js';
import { SlowDown } from './slow_down.js';

export interface GateSignals {
  /** Aborted: no pause is waited out any more. */
  readonly drain: AbortSignal;
  /** Aborts waiting for a turn, too. */
  readonly abort: AbortSignal;
}

/**
 * All requests to one controller pass through here: those of all its names in the inventory, and of delegated tasks.
 * Applies the limits of the settings and of the controller.
 */
export class RequestGate {
  readonly #slots = new RequestSlots();
  readonly #bucket = new TokenBucket();
  readonly #slowDown = new SlowDown();
  #settings = { maxRequests: Infinity, perSecond: Infinity };
  #isRestricted = false;
  /** Whether names for the controller have different settings. */
  #differ = false;
  /** The status that began the last pause. */
  #status = 0;

  constructor(
    private readonly policy: RetryPolicy,
    private readonly signals: GateSignals,
  ) {}

  /** If a controller has several names, the strictest settings apply. */
  restrict({ maxRequests, requestsPerSecond = Infinity }: ConnectionSettings): void {
    const { maxRequests: most, perSecond } = this.#settings;
    this.#differ ||= this.#isRestricted && (maxRequests !== most || requestsPerSecond !== perSecond);
    this.#isRestricted = true;
    this.#settings = { maxRequests: Math.min(most, maxRequests), perSecond: Math.min(perSecond, requestsPerSecond) };
    this.#slots.setLimit(this.#settings.maxRequests);
    this.#adjust();
  }

  /**
   * Does the work in its turn. Throws a `ConnectionFailure` if the controller asks for a longer pause than the deadline
   * allows.
   */
  async use<T>(wait: WaitWithoutFork, work: () => Promise<T>): Promise<T> {
    const slot = this.#slots.take();
    if (slot !== undefined) await wait(slot);
    try {
      // Usually there is nothing to wait for, and then nothing waits.
      if (this.pauseMs > 0) await this.#waitUntilResumed(wait);
      const turn = this.#bucket.take(performance.now());
      if (turn > 0) await wait(() => pause(turn, this.signals.abort));
      if (this.pauseMs > 0) await this.#waitUntilResumed(wait);
      return await work();
    } finally {
      this.#slots.pass();
    }
  }

  /** Whether the gate has no state, so that a new one with the same settings would behave the same. */
  get hasNoState(): boolean {
    return this.#slots.isIdle && !this.#differ && this.#status === 0 && this.#bucket.perSecond === Infinity;
  }

  /** The remaining pause, in ms. */
  get pauseMs(): number {
    return this.#slowDown.pauseMs(performance.now());
  }

  /** The part of it that the controller asked for. */
  get askedMs(): number {
    return this.#slowDown.askedMs(performance.now());
  }

  /** The pause need not last longer than this, unless the controller asked for it. */
  resumeIn(ms: number): void {
    this.#slowDown.resumeAt(performance.now() + ms);
  }

  /** Whether the pause ends before the deadline. */
  get pauseEndsInTime(): boolean {
    return this.pauseMs <= this.policy.deadlineSeconds * 1000;
  }

  /**
   * Takes note of an answer to a request that was sent at `sentAt`.
   * @returns the seconds of the pause that the answer starts; undefined if it starts none
   */
  noteAnswer({ status, retryAfter }: ApiAnswer, sentAt: number): number | undefined {
    const now = performance.now();
    const asked = retryAfterMs(retryAfter, Date.now());
    if (status !== 429 && status !== 503 && !(isTemporaryStatus(status) && asked > 0)) {
      this.#slowDown.passed(now, sentAt);
      this.#adjust();
      return undefined;
    }
    const pauseMs = Math.max(asked, jittered(this.#slowDown.refusals + 1, this.policy, Math.random()));
    if (!this.#slowDown.refused({ now, sentAt, pauseMs, askedMs: asked, settings: this.#settings })) return undefined;
    this.#status = status;
    this.#adjust();
    return pauseMs / 1000;
  }

  #adjust(): void {
    const rate = Math.min(this.#settings.perSecond, this.#slowDown.perSecond);
    const isSpared = this.#slowDown.perSecond !== Infinity;
    if (rate !== this.#bucket.perSecond) this.#bucket.setRate(rate, performance.now(), !isSpared);
  }

  /** Other requests may begin another pause while this one waits for its fork. */
  async #waitUntilResumed(wait: WaitWithoutFork): Promise<void> {
    while (this.pauseMs > 0 && !this.signals.drain.aborted) await wait(() => this.#waitOutPause());
  }

  /** Other requests may extend a running pause. */
  async #waitOutPause(): Promise<void> {
    const { drain } = this.signals;
    const end = performance.now() + this.policy.deadlineSeconds * 1000;
    for (let left = this.pauseMs; left > 0 && !drain.aborted; left = this.pauseMs) {
      if (performance.now() + left > end) throw tooLong(left, this.#status);
      await pause(left, drain);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function tooLong(pauseMs: number, status: number): ConnectionFailure {
  const seconds = Math.ceil(pauseMs / 1000);
  const what = `not sent: the controller answered ${status} before and asks to wait another ${seconds} s`;
  return new ConnectionFailure('throttled', what, 'run again when that time is over');
}

/** One gate for each controller. A request to slow down outlasts the connection. */
export class RequestGates {
  readonly #gates = new Map<string, RequestGate>();

  constructor(
    private readonly policy: RetryPolicy,
    private readonly signals: GateSignals,
  ) {}

  to(settings: ConnectionSettings): RequestGate {
    const controller = controllerIdentity(settings);
    const gate = getOrAdd(this.#gates, controller, () => new RequestGate(this.policy, this.signals));
    gate.restrict(settings);
    return gate;
  }

  /** Called when no connection to the controller is open any more. */
  release(controller: string): void {
    if (this.#gates.get(controller)?.hasNoState === true) this.#gates.delete(controller);
  }
}

/**
 * The burst after a pause, in seconds of the rate: enough for a task's read, write and verification at a moderate rate.
 */
const BURST_SECONDS = 0.2;

/**
 * Limits the requests per second. After a pause, a fifth of a second's worth of them, at least one, can start at once.
 */
export class TokenBucket {
  #tokens = 1;
  #filledAt = 0;
  #perSecond = Infinity;
  /** How many can start at once. */
  #size = Infinity;

  /** Infinity: no limit. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /**
   * Changes the rate from now on; turns that were already taken stay. @param bursts false: requests never start at
   * the same time
   */
  setRate(perSecond: number, now: number, bursts = true): void {
    this.#fill(now);
    this.#perSecond = perSecond;
    this.#size = bursts || perSecond === Infinity ? Math.max(1, perSecond * BURST_SECONDS) : 1;
    this.#tokens = Math.min(this.#tokens, this.#size);
  }

  /** Takes the next turn; returns the milliseconds until it comes. */
  take(now: number): number {
    if (this.#perSecond === Infinity) return 0;
    this.#fill(now);
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  #fill(now: number): void {
    const gained = this.#perSecond === Infinity ? Infinity : ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#size, this.#tokens + gained);
    this.#filledAt = now;
  }
}

/** Limits the simultaneous requests to one controller; the others wait in order. */
class RequestSlots {
  #limit = Infinity;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** A holder keeps its slot. */
  setLimit(count: number): void {
    this.#limit = count;
  }

  /** Takes a free slot; or returns the wait for one. */
  take(): (() => Promise<void>) | undefined {
    if (this.#busy >= this.#limit) return () => new Promise((resolve) => this.#waiting.push(resolve));
    this.#busy += 1;
    return undefined;
  }

  /** The slot passes directly to the next waiter, so no other request can take it. */
  pass(): void {
    const next = this.#busy > this.#limit ? undefined : this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }
}
