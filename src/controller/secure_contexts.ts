import tls from 'node:tls';

/** One context for all controllers that trust the same authorities: making one costs more than a handshake. */
export class SecureContexts {
  readonly #contexts = new Map<string | undefined, tls.SecureContext>();

  /**
   * What to trust, in this order: the controller's own authorities (PEM text), then what this machine trusts. Tried one after the
   * other rather than joined, because reading the usual roots takes as long as a short run, and few controllers need both.
   */
  trust(ca: string | undefined): readonly (() => tls.SecureContext)[] {
    const usual = (): tls.SecureContext => this.#context(undefined);
    return ca === undefined ? [usual] : [() => this.#context(ca), usual];
  }

  #context(ca: string | undefined): tls.SecureContext {
    const known = this.#contexts.get(ca);
    if (known !== undefined) return known;
    const made = tls.createSecureContext(ca === undefined ? {} : { ca });
    this.#contexts.set(ca, made);
    return made;
  }
}
