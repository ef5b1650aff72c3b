/** What is kept of runs cannot be read, or cannot be written. A sentence for the user, and what to do next. */
export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
