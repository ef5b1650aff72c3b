import { readFileSync } from 'node:fs';
import tls from 'node:tls';

/** One context for all controllers that trust the same authorities: making one costs more than a handshake. */
export class SecureContexts {
  readonly #contexts = new Map<string | undefined, tls.SecureContext>();

  /** `extraFile`: what `NODE_EXTRA_CA_CERTS` names. Node heeds it only where no authority is named, so it is read here too. */
  constructor(private readonly extraFile: string | undefined) {}

  /** `ca`: PEM text that is trusted beside the usual roots. */
  for(ca: string | undefined): tls.SecureContext {
    const known = this.#contexts.get(ca);
    if (known !== undefined) return known;
    const made = tls.createSecureContext(ca === undefined ? {} : { ca: [...this.#roots(), ca] });
    this.#contexts.set(ca, made);
    return made;
  }

  #roots(): readonly string[] {
    return [...tls.rootCertificates, ...extraRoots(this.extraFile)];
  }
}

/** A file that cannot be read is none: Node has warned of it when it started. */
function extraRoots(file: string | undefined): readonly string[] {
  if (file === undefined || file === '') return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
