import type { Event } from '../../model/run/event.js';
import type { ReporterOptions } from '../output/options.js';
import { Outlet, type Output } from '../output/outlet.js';
import { Closing } from '../run/closing.js';
import { createPalette } from '../text/palette.js';

/** Characters that JSON does not escape, but terminals and line readers interpret. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One event per line (`docs/output.md`). */
export class JsonOutput implements Output {
  readonly #stdout: Outlet;

  constructor({ stdout }: ReporterOptions) {
    this.#stdout = new Outlet(stdout);
  }

  handle(event: Event): void {
    this.#stdout.write(`${jsonLine(event)}\n`);
  }

  close(): Promise<void> {
    return this.#stdout.close();
  }
}

function jsonLine(event: Event): string {
  return JSON.stringify(event).replace(
    UNSAFE,
    (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Reports only failures and totals. */
export class QuietOutput implements Output {
  readonly #stdout: Outlet;
  readonly #closing: Closing;

  constructor(options: ReporterOptions) {
    this.#stdout = new Outlet(options.stdout);
    this.#closing = new Closing(options, createPalette(options.colour));
  }

  handle(event: Event): void {
    this.#closing.handle(event);
    if (event.type !== 'run-finished') return;
    this.#stdout.write(
      this.#closing
        .shortLines(event)
        .map((line) => `${line}\n`)
        .join(''),
    );
  }

  close(): Promise<void> {
    return this.#stdout.close();
  }
}
