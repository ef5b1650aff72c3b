import { WriteStream } from 'node:tty';
import type { Event } from '../model/run/event.js';
import { JsonOutput } from './reporters/json.js';
import { LinesOutput } from './reporters/lines.js';
import { LiveOutput } from './reporters/live.js';
import type { OutputStream, ReporterOptions } from './output/options.js';
import type { Output } from './output/outlet.js';
import { QuietOutput } from './reporters/quiet.js';
import { withShortTexts } from './text/shorten.js';

export type { ReporterOptions } from './output/options.js';

/** Words the facts of a run, which come redacted. */
export interface Reporter {
  /** Never throws and never waits: what the output cannot take yet is kept. */
  handle(event: Event): void;
  /**
   * Everything is written, down to the last byte. Quiet if the reader has gone (`| head`); rejects if the output cannot be
   * written for another reason (a full disk).
   */
  close(): Promise<void>;
}

export function createReporter(options: ReporterOptions): Reporter {
  // Programs get everything.
  if (options.output === 'json') return new JsonOutput(options);
  const output = outputFor(options, options.output);
  return {
    handle: (event) => {
      output.handle(withShortTexts(event));
    },
    close: () => output.close(),
  };
}

function outputFor(options: ReporterOptions, name: Exclude<ReporterOptions['output'], 'json'>): Output {
  switch (name) {
    case 'quiet':
      return new QuietOutput(options);
    case 'lines':
      return new LinesOutput(options);
    case 'live': {
      const { stdout, stderr } = options;
      if (!isTerminal(stdout)) return new LinesOutput(options);
      return new LiveOutput(options, { stdout, stderr: isTerminal(stderr) ? stderr : stdout });
    }
  }
}

function isTerminal(stream: OutputStream): stream is WriteStream {
  return stream instanceof WriteStream;
}
