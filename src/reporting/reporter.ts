import { WriteStream } from 'node:tty';
import type { Event } from '../core/model/run/event.js';
import type { Masked } from '../core/secrets/mask_text.js';
import type { OutputStream, ReporterOptions } from './output/options.js';
import { Outlet } from './output/outlet.js';
import { LinesOutput } from './reporters/lines.js';
import { LiveOutput } from './reporters/live.js';
import { ClosingLines } from './run/closing.js';
import { createPalette } from './text/palette.js';
import { safeJson } from './text/plain.js';
import { withShortTexts } from './text/shorten.js';

export type { ReporterOptions } from './output/options.js';

/** Turns the events of a run into output. */
export interface Reporter<E extends Event = Masked<Event>> {
  /** Never throws and never waits: buffers events that the output cannot accept yet. */
  handle(event: E): void;
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
  // One event per line (`docs/output.md`). Programs get the whole texts.
  if (options.output === 'json') return textOutput(options, (event) => `${safeJson(event)}\n`);
  const output = outputFor(options, options.output);
  return { handle: (event) => output.handle(withShortTexts(event)), close: () => output.close() };
}

function outputFor(options: ReporterOptions, name: Exclude<ReporterOptions['output'], 'json'>): Reporter<Event> {
  switch (name) {
    case 'quiet':
      return quietOutput(options);
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

/** Writes a text for each event to standard output. */
function textOutput({ stdout }: ReporterOptions, write: (event: Event) => string): Reporter<Event> {
  const outlet = new Outlet(stdout);
  return { handle: (event) => outlet.write(write(event)), close: () => outlet.close() };
}

/** Reports only failures and totals. */
function quietOutput(options: ReporterOptions): Reporter<Event> {
  const closing = new ClosingLines(options, createPalette(options.colour));
  return textOutput(options, (event) => {
    closing.handle(event);
    const lines = event.type === 'run-finished' ? closing.shortLines(event) : [];
    return lines.map((line) => `${line}\n`).join('');
  });
}
