/** How many controllers in a row may refuse the same credentials before the run stops trying them. */
const LIMIT = 3;

/**
 * Watches who refuses which credentials. Accounts lock after a few failures, so a controller that said 401 is not asked again with
 * the same ones, under whatever name, and three in a row mean that the credentials are wrong rather than one controller.
 */
export class CredentialRefusals {
  readonly #refused = new Map<string, Set<string>>();
  readonly #accepted = new Map<string, Set<string>>();
  /** Who tries credentials just now, by credentials and URL. */
  readonly #trials = new Map<string, Promise<void>>();
  readonly #streaks = new Map<string, Set<string>>();

  /** True if this refusal makes it three controllers in a row. */
  refuse(credentials: string, url: string): boolean {
    entry(this.#refused, credentials).add(url);
    const streak = entry(this.#streaks, credentials);
    const before = streak.size;
    streak.add(url);
    return before < LIMIT && streak.size >= LIMIT;
  }

  accept(credentials: string, url: string): void {
    this.#streaks.delete(credentials);
    entry(this.#accepted, credentials).add(url);
  }

  isRefused(credentials: string, url: string): boolean {
    return this.#refused.get(credentials)?.has(url) ?? false;
  }

  /** Does the work at once if the controller has taken the credentials before; until then one after the other. */
  inTurn<T>(credentials: string, url: string, work: () => Promise<T>): Promise<T> {
    return this.#isAccepted(credentials, url) ? work() : this.#tryOut(credentials, url, work);
  }

  async #tryOut<T>(credentials: string, url: string, work: () => Promise<T>): Promise<T> {
    const key = credentials + url;
    for (let trial = this.#trials.get(key); trial !== undefined; trial = this.#trials.get(key)) await trial;
    if (this.#isAccepted(credentials, url)) return work();
    let end: () => void = () => undefined;
    this.#trials.set(key, new Promise<void>((resolve) => (end = resolve)));
    try {
      return await work();
    } finally {
      this.#trials.delete(key);
      end();
    }
  }

  #isAccepted(credentials: string, url: string): boolean {
    return this.#accepted.get(credentials)?.has(url) ?? false;
  }
}

function entry(sets: Map<string, Set<string>>, key: string): Set<string> {
  const known = sets.get(key) ?? new Set<string>();
  sets.set(key, known);
  return known;
}
