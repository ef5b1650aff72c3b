import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Event } from '../../src/core/model/run/event.js';
import { maskEvent } from '../../src/core/secrets/mask_event.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { createReporter, type ReporterOptions } from '../../src/reporting/reporter.js';

/** What a reporter writes for these events. Without colours and at verbosity 0, if nothing else is asked for. */
export async function reported(
  events: Iterable<Event>,
  options: Partial<ReporterOptions> = {},
): Promise<{ stdout: string; stderr: string }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const written = Promise.all([text(stdout), text(stderr)]);
  const defaults = { output: 'lines', colour: false, verbosity: 0, secrets: new Secrets(), cwd: '/nowhere' } as const;
  const reporter = createReporter({ ...defaults, stdout, stderr, ...options });
  for (const event of events) reporter.handle(maskEvent(event, options.secrets ?? defaults.secrets));
  await reporter.close();
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { stdout: out, stderr: err };
}
