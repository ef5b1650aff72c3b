/** How many controllers in a row may refuse the same credentials before the run stops trying them. */
const LIMIT = 3;

/**
 * Watches who refuses which credentials. Accounts lock after a few failures, so a controller that said 401 is not asked again with
 * the same ones, under whatever name, and three in a row mean that the credentials are wrong rather than one controller.
 */
export class CredentialRefusals {
  readonly #refused = new Map<string, Set<string>>();
  readonly #streaks = new Map<string, Set<string>>();

  /** True if this refusal makes it three controllers in a row. */
  refuse(credentials: string, url: string): boolean {
    entry(this.#refused, credentials).add(url);
    const streak = entry(this.#streaks, credentials);
    const before = streak.size;
    streak.add(url);
    return before < LIMIT && streak.size >= LIMIT;
  }

  accept(credentials: string): void {
    this.#streaks.delete(credentials);
  }

  isRefused(credentials: string, url: string): boolean {
    return this.#refused.get(credentials)?.has(url) ?? false;
  }
}

function entry(sets: Map<string, Set<string>>, key: string): Set<string> {
  const known = sets.get(key) ?? new Set<string>();
  sets.set(key, known);
  return known;
}
