import tls from 'node:tls';

/** One context for all controllers that trust the same authorities: making one costs more than a handshake. */
export class SecureContexts {
  readonly #contexts = new Map<string | undefined, tls.SecureContext>();

  /** `ca`: PEM text that is trusted beside the usual roots. */
  for(ca: string | undefined): tls.SecureContext {
    const known = this.#contexts.get(ca);
    if (known !== undefined) return known;
    const made = tls.createSecureContext(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] });
    this.#contexts.set(ca, made);
    return made;
  }
}
