/** The state of runs cannot be read or written. Contains a message for the user, and what to do next. */
export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
