import { isFileError, whyFailed } from '../../../core/files/file_error.js';

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

/**
 * What was read of a file of the state folder; undefined if there is none.
 *
 * @param what for the message: the file
 * @throws JournalError if it cannot be read
 */
export async function ifThere<T>(what: string, reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw new JournalError(`cannot read ${what}: ${whyFailed(error)}`);
  });
}
