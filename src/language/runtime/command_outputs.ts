import { decodeUtf8 } from '../../core/files/utf8.js';
import { programs } from '../../core/programs/programs.js';
import type { WebAnswer, WebRequest } from '../../core/programs/web.js';

/** Milliseconds. Shorter than the delay of `until`, so that a loop that waits sees each new output. */
const FRESH = 2000;

/**
 * Values created within the last two seconds, by key. A run over many controllers needs the same secret for each of them, and each
 * command or request blocks everything else while it runs.
 */
class Recent<T> {
  /** `at`: milliseconds of a monotonic clock. */
  readonly #known = new Map<string, { readonly made: T; readonly at: number }>();

  of(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined && performance.now() - known.at < FRESH) return known.made;
    const made = make();
    for (const [old, { at }] of this.#known) if (performance.now() - at >= FRESH) this.#known.delete(old);
    this.#known.set(key, { made, at: performance.now() });
    return made;
  }
}

/** The result of a URL, after redirects. */
export type OutputPage =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'failure'; readonly message: string; readonly hint?: string | undefined };

/** The output of shell commands and the answers of web servers; each is reused for two seconds. */
export class CommandOutputs {
  readonly #outputs = new Recent<string>();
  /** Includes failures: a thousand controllers must not wait for the same dead server one after the other. */
  readonly #pages = new Recent<OutputPage>();

  constructor(
    /** Whether anything may be executed. */
    readonly allowed: boolean,
  ) {}

  /** Throws what `shellOutput` throws, and if the output is not text. */
  run(command: string, cwd: string): string {
    return this.#outputs.of(`${cwd}\0${command}`, () => {
      const output = programs(this.allowed).shellOutput(command, cwd);
      const decoded = decodeUtf8(Buffer.from(output));
      if ('bad' in decoded) throw new Error(`line ${decoded.bad.line} of its output is not UTF-8 text`);
      return decoded.text;
    });
  }

  /** `fetch` gets a function that sends requests. The key names everything that the requests depend on. */
  page(key: string, fetch: (send: (request: WebRequest) => WebAnswer) => OutputPage): OutputPage {
    return this.#pages.of(key, () => fetch(programs(this.allowed).webAnswer));
  }
}
