import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { Secrets } from '../../model/secrets.js';

/** The same diagnostics, without secrets in their words. */
export function masked(diagnostics: readonly Diagnostic[], secrets: Pick<Secrets, 'mask'>): readonly Diagnostic[] {
  return diagnostics.map(({ message, hint, ...rest }) => ({
    ...rest,
    message: secrets.mask(message),
    hint: hint === undefined ? undefined : secrets.mask(hint),
  }));
}
