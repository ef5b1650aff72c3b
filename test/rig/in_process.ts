import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { learnEnvironment } from '../../src/program/process.js';
import { main } from '../../src/program/program.js';
import { ROOT, type CommandOptions, type Ended } from './command.js';

/** The same as that of the build, so that each can resume the runs of the other. */
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };

/** No signal ends it. */
export interface EndedInProcess extends Ended {
  readonly code: number;
}

/**
 * Runs the command inside the test's process. Returns what `evenkeel` of `command.ts` returns. For tests that need no separate process
 * (signals, terminal, build, killed processes): starting one takes ten times as long as most commands.
 */
export async function evenkeel(
  args: readonly string[],
  {
    cwd,
    env: own = {},
    stdin: typed = '',
    drain = new AbortController().signal,
  }: CommandOptions & { /** Aborted: as after the first Ctrl-C. */ readonly drain?: AbortSignal },
): Promise<EndedInProcess> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: cwd,
    NO_COLOR: '1',
    EVENKEEL_OUTPUT: 'lines',
    EVENKEEL_LOCK_DIR: path.join(cwd, '.claims'),
    ...own,
  };
  const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(typed);
  const said = Promise.all([text(stdout), text(stderr)]);
  const secrets = new Secrets();
  learnEnvironment(env, secrets);
  const code = await main({
    argv: args,
    cwd,
    env,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    version,
    secrets,
    signals: { drain, abort: new AbortController().signal },
  });
  stdout.end();
  stderr.end();
  const [out, err] = await said;
  return { code, stdout: out, stderr: err };
}
