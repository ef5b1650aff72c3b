import { decodeUtf8 } from '../../files/utf8.js';
import { programs } from '../../programs/programs.js';
import type { WebAnswer, WebRequest } from '../../programs/web.js';

/** Milliseconds. Shorter than the delay of `until`, so that a loop that waits sees each new output. */
const FRESH = 2000;

/**
 * What was made within the last two seconds, by key. A run over many controllers asks for the same secret once for each of them, and each
 * command or request stops everything else while it runs.
 */
class Recent<T> {
  /** `at`: milliseconds of the clock that never goes back. */
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

/** What a URL gave, after redirects. */
export type Page =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'failure'; readonly message: string; readonly hint?: string | undefined };

/** What shell commands print and web servers answer; each is used again for two seconds. */
export class CommandOutputs {
  readonly #outputs = new Recent<string>();
  /** Failures too: a thousand controllers must not wait for the same dead server one after the other. */
  readonly #pages = new Recent<Page>();

  constructor(
    /** Whether anything may be executed. */
    readonly allowed: boolean,
  ) {}

  /** Throws what `shellOutput` throws, and if the output is no text. */
  run(command: string, cwd: string): string {
    return this.#outputs.of(`${cwd}\0${command}`, () => {
      const output = programs(this.allowed).shellOutput(command, cwd);
      const decoded = decodeUtf8(Buffer.from(output));
      if ('bad' in decoded) throw new Error(`line ${decoded.bad.line} of what it prints is not UTF-8 text`);
      return decoded.text;
    });
  }

  /** `fetch` sends requests with what it is given. The key names everything that the requests depend on. */
  page(key: string, fetch: (send: (request: WebRequest) => WebAnswer) => Page): Page {
    return this.#pages.of(key, () => fetch(programs(this.allowed).webAnswer));
  }
}
