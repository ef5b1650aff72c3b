import type { Answer, SimulatedRequest } from '../protocol/exchange.js';
import type { Behaviour } from './behaviour.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What one simulated controller answers, before any fault affects it. A dialect decides which implementation it gets. */
export interface Service {
  answer(request: SimulatedRequest, behaviour: Behaviour): Answer;
  /** Lets another account sign in. */
  addAccount(credentials: Credentials): void;
  /** Ends all sessions, as a controller does after some time. */
  endSessions(): void;
}
