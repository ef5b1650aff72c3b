import type { Event } from '../../core/model/run/event.js';
import type { ReporterOptions } from '../output/options.js';
import { Outlet, type RunOutput } from '../output/outlet.js';
import { ClosingLines } from '../run/closing.js';
import { createPalette } from '../text/palette.js';
import { safeJson } from '../text/plain.js';

/** One event per line (`docs/output.md`). */
export class JsonOutput implements RunOutput {
  readonly #stdout: Outlet;

  constructor({ stdout }: ReporterOptions) {
    this.#stdout = new Outlet(stdout);
  }

  handle(event: Event): void {
    this.#stdout.write(`${safeJson(event)}\n`);
  }

  close(): Promise<void> {
    return this.#stdout.close();
  }
}

/** Reports only failures and totals. */
export class QuietOutput implements RunOutput {
  readonly #stdout: Outlet;
  readonly #closing: ClosingLines;

  constructor(options: ReporterOptions) {
    this.#stdout = new Outlet(options.stdout);
    this.#closing = new ClosingLines(options, createPalette(options.colour));
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
