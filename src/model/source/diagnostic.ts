import type { Source } from './source.js';

/** Something wrong (or doubtful) that was found before any controller is contacted. The report shows it with a code frame. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly source?: Source | undefined;
  /** What to do next: `did you mean "notify"?` */
  readonly hint?: string | undefined;
  /** The rule of `evenkeel lint` that it goes against, by which it can be switched off there. */
  readonly rule?: string | undefined;
  /** Diagnostics with an equal `message` are shown as one; `member` is the part that differs, such as the name of a module. */
  readonly group?: { readonly message: string; readonly member?: string } | undefined;
}

/** A message with its place: a position in a file, or the name of an option or variable. */
export function at(place: Source | string | undefined, message: string): Pick<Diagnostic, 'message' | 'source'> {
  return typeof place === 'string' ? { message: `${place}: ${message}` } : { message, source: place };
}

/** Collects everything that is wrong, so that the user sees all of it at once. */
export class Diagnostics {
  readonly #list: Diagnostic[] = [];

  error(message: string, source?: Source, hint?: string): void {
    this.#list.push({ severity: 'error', message, source, hint });
  }

  warn(message: string, source?: Source, hint?: string): void {
    this.#list.push({ severity: 'warning', message, source, hint });
  }

  add(diagnostics: Iterable<Diagnostic>): void {
    for (const one of diagnostics) this.#list.push(one);
  }

  /** Makes errors of what goes against a rule: a command cannot do its work without it. */
  insistOn(rule: string): void {
    for (const [index, one] of this.#list.entries())
      if (one.rule === rule) this.#list[index] = { ...one, severity: 'error' };
  }

  get list(): readonly Diagnostic[] {
    return this.#list;
  }

  /** A method, since what it says changes between two calls. */
  failed(): boolean {
    return this.#list.some((one) => one.severity === 'error');
  }
}
