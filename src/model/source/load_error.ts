import type { Source } from './source.js';

/** A file that the run needs (an include, a role) cannot be read or parsed. */
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
