/** The message of any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What to do about it, if the error says so. */
export function errorHint(error: unknown): string | undefined {
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
}

/** Any thrown value as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
