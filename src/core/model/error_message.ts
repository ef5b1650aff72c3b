/** The message of any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What to do about it, if the error says so. */
export function errorHint(error: unknown): string | undefined {
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
}

/** A word as a shell reads it, for commands to copy. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The name of a file or folder in a command: after a dash it would be an option. `-` alone is stdin. */
export function fileWord(name: string): string {
  return /^-./.test(name) ? `./${name}` : name;
}

/** Any thrown value as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

type ErrorType = abstract new (...args: never[]) => Error;

/** The result of `get`. The fallback if it throws an error of these types; without types, any. */
export function orElse<T, Fallback>(fallback: Fallback, get: () => T, ...types: readonly ErrorType[]): T | Fallback {
  try {
    return get();
  } catch (error) {
    if (types.length > 0 && !types.some((type) => error instanceof type)) throw error;
    return fallback;
  }
}
