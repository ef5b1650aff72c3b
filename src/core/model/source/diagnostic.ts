/** Names of fields and numbers of list elements, from the outside in. */
export type FieldPath = readonly (string | number)[];

/** `dns_configuration.server_list[0].addr` */
export function pathText(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/**
 * A place in a file; line and column count from 1. Everything that came from a file keeps its place up to the message
 * that the user reads.
 */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The beginning of a text whose lines are those of the file: of a block (`|`) in YAML. */
export class BlockSource implements Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly #inside: (place: TextPosition) => Source;

  constructor({ file, line, column }: Source, inside: (place: TextPosition) => Source) {
    this.file = file;
    this.line = line;
    this.column = column;
    this.#inside = inside;
  }

  inside(place: TextPosition): Source {
    return this.#inside(place);
  }
}

/** A place within a text, both counted from 1. */
export type TextPosition = Omit<Source, 'file'>;

/** The place in the file, where the text is a block; else where the text begins. */
export function sourceInside(source: Source, place: TextPosition | undefined): Source {
  return place !== undefined && source instanceof BlockSource ? source.inside(place) : source;
}

/** `playbooks/rollout.yml:12:7` */
export function placeText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}

/** The position of the value at a path in a parsed file. Parses the file a second time, so call it for messages only. */
export type Locate = (path: FieldPath) => Source;

/** An error or a warning found before any request. The report shows it with a code frame. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly source?: Source | undefined;
  /** What to do next: `did you mean "notify"?` */
  readonly hint?: string | undefined;
  /** The rule of `evenkeel lint` that the diagnostic belongs to. Users can disable it by this name. */
  readonly rule?: string | undefined;
  /**
   * Diagnostics with an equal `message` are shown as one; `member` is the part that differs, such as the name of a
   * module.
   */
  readonly group?: { readonly message: string; readonly member?: string } | undefined;
  /** The file has changed since it was read, as after a plan was made: its lines are not shown. */
  readonly isOutdated?: true;
}

/** A message with its place: a position in a file, or the name of an option or variable. */
export function at(place: Source | string | undefined, message: string): Pick<Diagnostic, 'message' | 'source'> {
  return typeof place === 'string' ? { message: `${place}: ${message}` } : { message, source: place };
}

/** As `at`, but without an option: the user has just typed it. */
export function atUnlessOption(
  place: Source | string | undefined,
  message: string,
): Pick<Diagnostic, 'message' | 'source'> {
  return at(typeof place === 'string' && place.startsWith('-') ? undefined : place, message);
}

/** The lint rule of everything that `--no-exec` refuses. */
export const NO_EXEC = 'no-exec';

/** Collects all diagnostics, so that the user sees every problem at once. */
export class Diagnostics {
  readonly #list: Diagnostic[] = [];

  /** As `warn` and `add`, returns undefined for readers that have nothing else to return. */
  error(message: string, source?: Source, hint?: string): undefined {
    this.#list.push({ severity: 'error', message, source, hint });
  }

  warn(message: string, source?: Source, hint?: string): undefined {
    this.#list.push({ severity: 'warning', message, source, hint });
  }

  add(diagnostics: Iterable<Diagnostic>): undefined {
    for (const one of diagnostics) this.#list.push(one);
  }

  /** Turns what `--no-exec` refused into errors, for commands that cannot work without it. */
  requireExecution(): void {
    for (const [index, one] of this.#list.entries())
      if (one.rule === NO_EXEC) this.#list[index] = { ...one, severity: 'error' };
  }

  get list(): readonly Diagnostic[] {
    return this.#list;
  }

  /** A method, because its result can change between calls. */
  failed(): boolean {
    return this.#list.some((one) => one.severity === 'error');
  }
}

/** An error for the user, and what to do next. */
export class HintedError extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The same with its place. */
export class LocatedError extends HintedError {
  constructor(
    message: string,
    readonly source?: Source,
    hint?: string,
  ) {
    super(message, hint);
  }
}

/** A file that the run needs (an include, a role) cannot be read or parsed. */
export class LoadError extends LocatedError {
  override readonly name = 'LoadError';
}

/**
 * Sorts by file, in the order of their first mistakes, and within a file from top to bottom: the order in which users
 * fix them. Removes duplicates, which occur if a file is included several times.
 */
export function inReadingOrder<T extends Diagnostic>(diagnostics: readonly T[]): readonly T[] {
  const files = [...new Set(diagnostics.map(({ source }) => source?.file))];
  const rank = new Map(files.map((file, index) => [file, index]));
  return once(diagnostics).toSorted(
    (a, b) =>
      (rank.get(a.source?.file) ?? 0) - (rank.get(b.source?.file) ?? 0) ||
      (a.source?.line ?? 0) - (b.source?.line ?? 0) ||
      (a.source?.column ?? 0) - (b.source?.column ?? 0),
  );
}

function once<T extends Diagnostic>(diagnostics: readonly T[]): readonly T[] {
  const identity = ({ severity, message, source }: Diagnostic): string =>
    JSON.stringify([severity, message, source?.file, source?.line, source?.column]);
  return [...new Map(diagnostics.map((one) => [identity(one), one])).values()];
}

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
