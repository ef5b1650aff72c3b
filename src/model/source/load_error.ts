import type { Source } from './source.js';

/** What was to be read while the run goes on (an included file, a role) cannot be read or understood. */
export class LoadError extends Error {
  override readonly name = 'LoadError';

  constructor(
    message: string,
    readonly source?: Source,
    readonly hint?: string,
  ) {
    super(message);
  }
}
