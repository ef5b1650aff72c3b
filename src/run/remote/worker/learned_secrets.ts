import type { Secrets } from '../../../secrets/secrets.js';

/**
 * The secrets that a worker has and its coordinator may not know: the coordinator masks what it keeps and shows. Secrets are never sent
 * to a worker: a site must not learn those of others.
 *
 * @param kept so many of the first secrets stay in the worker
 */
export class LearnedSecrets {
  /** How many of all were looked at. */
  #seen: number;
  #untold: string[] = [];

  constructor(
    private readonly secrets: Secrets,
    private readonly kept = 0,
  ) {
    this.#seen = kept;
  }

  /** The secrets that the coordinator has not been sent yet. */
  take(): readonly string[] {
    this.#look();
    const texts = this.#untold;
    this.#untold = [];
    return texts;
  }

  /** What was told may not have arrived. */
  tellAgain(): void {
    this.#seen = this.kept;
    this.#untold = [];
  }

  #look(): void {
    const fresh = this.secrets.since(this.#seen);
    this.#seen += fresh.length;
    this.#untold.push(...fresh);
  }
}
