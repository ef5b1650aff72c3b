import { decodeUtf8 } from '../../files/utf8.js';
import { programs } from '../../programs/programs.js';

interface Output {
  readonly text: string;
  /** Milliseconds of the clock that never goes back. */
  readonly at: number;
}

/** Milliseconds. Shorter than the delay of `until`, so that a loop that waits sees each new output. */
const FRESH = 2000;

/**
 * What shell commands print. A run over many controllers asks for the same secret once for each of them, and each command stops
 * everything else while it runs: the output of an equal command is used again for two seconds.
 */
export class CommandOutputs {
  readonly #known = new Map<string, Output>();

  constructor(
    /** Whether anything may be executed. */
    readonly allowed: boolean,
  ) {}

  /** Throws what `shellOutput` throws, and if the output is no text. */
  run(command: string, cwd: string): string {
    const key = `${cwd}\0${command}`;
    const known = this.#known.get(key);
    if (known !== undefined && performance.now() - known.at < FRESH) return known.text;
    const output = programs(this.allowed).shellOutput(command, cwd);
    const decoded = decodeUtf8(Buffer.from(output));
    if ('bad' in decoded) throw new Error(`line ${decoded.bad.line} of what it prints is not UTF-8 text`);
    const { text } = decoded;
    this.#forgetOld();
    this.#known.set(key, { text, at: performance.now() });
    return text;
  }

  #forgetOld(): void {
    for (const [key, { at }] of this.#known) if (performance.now() - at >= FRESH) this.#known.delete(key);
  }
}
