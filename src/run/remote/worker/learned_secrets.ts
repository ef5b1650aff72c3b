import type { Secrets } from '../../../secrets/secrets.js';

/**
 * The secrets that a worker has and its coordinator may lack. The coordinator needs them to mask its output and its
 * journal. It never sends secrets to workers for masking, because a site must not learn those of other sites.
 * @param kept number of leading secrets that stay in the worker
 */
export class LearnedSecrets {
  /** Number of secrets that were examined. */
  #seen: number;
  #unreported: string[] = [];

  constructor(
    private readonly secrets: Secrets,
    private readonly kept = 0,
  ) {
    this.#seen = kept;
  }

  /** The secrets that the coordinator has not been sent yet. */
  take(): readonly string[] {
    this.#look();
    const texts = this.#unreported;
    this.#unreported = [];
    return texts;
  }

  /** Sends all secrets again, because earlier messages may be lost. */
  reportAgain(): void {
    this.#seen = this.kept;
    this.#unreported = [];
  }

  #look(): void {
    const fresh = this.secrets.since(this.#seen);
    this.#seen += fresh.length;
    this.#unreported.push(...fresh);
  }
}
