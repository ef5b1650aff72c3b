import type { Rest } from '../../model/run/session.js';

/** How many controllers in a row may refuse the same credentials before the run stops trying them. */
const LIMIT = 3;
/** A controller that does not answer holds up no others for longer: milliseconds. */
const PATIENCE = 1000;

/** What is known of one pair of user name and password. */
class Credentials {
  readonly refused = new Set<string>();
  readonly accepted = new Set<string>();
  /** Who refused them since somebody accepted them. */
  readonly streak = new Set<string>();
  /** The controllers that are trying them, by URL; each promise resolves at the end of the trial. */
  readonly trials = new Map<string, Promise<void>>();
  /** Controllers that have not answered yet. */
  awaited = 0;
  #waiting: (() => void)[] = [];

  /** Whether one more controller may be asked: not more than could refuse them before the run stops. */
  get mayBeTried(): boolean {
    if (this.streak.size === 0 && this.accepted.size > 0) return true;
    return this.streak.size >= LIMIT || this.awaited + this.streak.size < LIMIT;
  }

  news(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  tell(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** What a client knows of its credentials at its controller, and says of them. */
export interface CredentialWatch {
  /** Why the credentials must not be sent to the controller, if that is so. */
  objection(): string | undefined;
  /** Lets one request after the other try credentials that the controller has not taken yet, and few controllers at once. */
  inTurn<T>(rest: Rest, work: () => Promise<T>): Promise<T>;
  refuse(): void;
  accept(): void;
}

/**
 * Watches who refuses which credentials. Accounts lock after a few failures, so a controller that said 401 is not asked again with
 * the same ones, under whatever name, and three in a row mean that the credentials are wrong rather than one controller. Until one
 * has accepted them no more than three try them at once.
 */
export class CredentialRefusals {
  readonly #known = new Map<string, Credentials>();

  /** True if this refusal makes it three controllers in a row. */
  refuse(credentials: string, url: string): boolean {
    const known = this.#of(credentials);
    known.refused.add(url);
    const before = known.streak.size;
    known.streak.add(url);
    return before < LIMIT && known.streak.size >= LIMIT;
  }

  accept(credentials: string, url: string): void {
    const known = this.#of(credentials);
    known.refused.delete(url);
    if (known.streak.size === 0 && known.accepted.has(url)) return;
    known.streak.clear();
    known.accepted.add(url);
    known.tell();
  }

  /** They were a guess: that they were refused says nothing about other controllers. */
  refuseGuess(credentials: string, url: string): void {
    this.#of(credentials).refused.add(url);
  }

  hasRefused(credentials: string, url: string): boolean {
    return this.#of(credentials).refused.has(url);
  }

  /** Why they must not be sent there, if that is so. */
  objection(credentials: string, url: string): string | undefined {
    const { refused, accepted, streak } = this.#of(credentials);
    if (refused.has(url)) return 'this controller has refused these credentials before';
    if (streak.size < LIMIT || accepted.has(url)) return undefined;
    return `${streak.size} controllers in a row have refused these credentials`;
  }

  /** Does the work at once if the controller has taken the credentials before; until then one after the other, and few at once. */
  inTurn<T>(credentials: string, url: string, rest: Rest, work: () => Promise<T>): Promise<T> {
    const known = this.#of(credentials);
    return known.accepted.has(url) ? work() : this.#tryOut(known, url, rest, work);
  }

  async #tryOut<T>(known: Credentials, url: string, rest: Rest, work: () => Promise<T>): Promise<T> {
    const trial = (): Promise<void> | undefined => known.trials.get(url);
    for (let other = trial(); other !== undefined; other = trial()) await rest(() => other);
    if (known.accepted.has(url)) return work();
    let end: () => void = () => undefined;
    known.trials.set(url, new Promise<void>((resolve) => (end = resolve)));
    try {
      while (!known.mayBeTried) await known.news();
      return await awaitingVerdict(known, work);
    } finally {
      known.trials.delete(url);
      end();
    }
  }

  #of(credentials: string): Credentials {
    const known = this.#known.get(credentials) ?? new Credentials();
    this.#known.set(credentials, known);
    return known;
  }
}

async function awaitingVerdict<T>(known: Credentials, work: () => Promise<T>): Promise<T> {
  let open = true;
  const end = (): void => {
    if (!open) return;
    open = false;
    known.awaited -= 1;
    known.tell();
  };
  known.awaited += 1;
  const timer = setTimeout(end, PATIENCE);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    end();
  }
}
