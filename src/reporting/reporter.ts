import { WriteStream } from 'node:tty';
import type { Event } from '../core/model/run/event.js';
import type { Masked } from '../core/secrets/mask_text.js';
import type { OutputStream, ReporterOptions } from './output/options.js';
import { Outlet, type RunOutput } from './output/outlet.js';
import { LinesOutput } from './reporters/lines.js';
import { LiveOutput } from './reporters/live.js';
import { ClosingLines } from './run/closing.js';
import { createPalette } from './text/palette.js';
import { safeJson } from './text/plain.js';
import { withShortTexts } from './text/shorten.js';

export type { ReporterOptions } from './output/options.js';

/** Turns the events of a run into output. */
export interface Reporter {
  /** Never throws and never waits: buffers events that the output cannot accept yet. */
  handle(event: Masked<Event>): void;
  /**
   * Resolves when everything is written, even if the reader closed the output (`| head`). Rejects on any other error (a full disk).
   */
  close(): Promise<void>;
}

/** A reporter whose events something else sees first. */
export function watched(reporter: Reporter, see: (event: Masked<Event>) => void): Reporter {
  return {
    handle: (event) => {
      see(event);
      reporter.handle(event);
    },
    close: () => reporter.close(),
  };
}

export function createReporter(options: ReporterOptions): Reporter {
  // Programs get the whole texts.
  if (options.output === 'json') return new JsonOutput(options);
  const output = outputFor(options, options.output);
  return {
    handle: (event) => {
      output.handle(withShortTexts(event));
    },
    close: () => output.close(),
  };
}

function outputFor(options: ReporterOptions, name: Exclude<ReporterOptions['output'], 'json'>): RunOutput {
  switch (name) {
    case 'quiet':
      return new QuietOutput(options);
    case 'lines':
    case 'grouped':
      return new LinesOutput(options, name);
    case 'live': {
      const { stdout, stderr } = options;
      if (!isTerminal(stdout)) return new LinesOutput(options, 'grouped');
      return new LiveOutput(options, { stdout, stderr: isTerminal(stderr) ? stderr : stdout });
    }
  }
}

/** Some do not know their size, such as those of scripts: nothing can be painted there. */
function isTerminal(stream: OutputStream): stream is WriteStream {
  return stream instanceof WriteStream && stream.columns > 0;
}

/** One event per line (`docs/output.md`). */
class JsonOutput implements RunOutput {
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
class QuietOutput implements RunOutput {
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
