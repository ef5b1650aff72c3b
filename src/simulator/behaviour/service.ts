import { refusal, type SimulatedAnswer, type SimulatedRequest } from '../protocol/exchange.js';
import type { Behaviour } from './behaviour.js';

export interface AccountCredentials {
  readonly username: string;
  readonly password: string;
}

/** What one simulated controller answers, before any fault affects it. A dialect decides which implementation it gets. */
export interface Service {
  answer(request: SimulatedRequest, behaviour: Behaviour): SimulatedAnswer;
  /** Lets another account sign in. */
  addAccount(credentials: AccountCredentials): void;
  /** Ends all sessions, as a controller does after some time. */
  endSessions(): void;
}

/** Counts requests in windows of fixed length. */
export class RateLimit {
  #windowStart = 0;
  #requests = 0;

  /** 429 if this request is one too many; `now` in milliseconds. */
  refuse(rate: Behaviour['rate'], now: number): SimulatedAnswer | undefined {
    if (rate === undefined) return undefined;
    const length = rate.seconds * 1000;
    if (now - this.#windowStart >= length) {
      this.#windowStart = now;
      this.#requests = 0;
    }
    this.#requests += 1;
    if (this.#requests <= rate.requests) return undefined;
    const seconds = Math.ceil((this.#windowStart + length - now) / 1000);
    return refusal(429, 'Too many requests.', { 'retry-after': String(seconds) });
  }
}
