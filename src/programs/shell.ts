import { SideThread } from './side_thread.js';

/**
 * What a command prints, run by `/bin/sh`. Ctrl-C ends the command and then counts as any other. SIGTERM and SIGHUP end the process at
 * once, and the command with it.
 *
 * @throws Error with `status` and `stderr` if the command fails; WaitInterrupted
 */
export function shellOutput(command: string, cwd: string): Uint8Array {
  return outputOf(shell.answer({ command, cwd }));
}

/**
 * Runs a command ($0) in a new process group. Descriptor 3 closes when the waiting process ends, even if it was killed; then the whole
 * group is ended.
 */
const GUARD = `
(read -r _; kill -TERM -$$) <&3 >/dev/null 2>&1 &
guard=$!
/bin/sh -c "$0" </dev/null 3<&- &
wait $!
status=$?
exec 2>/dev/null
kill -KILL $guard
exit $status
`;

const shell = new SideThread(new URL('./shell_worker.mjs', import.meta.url), { guard: GUARD });

function outputOf(message: unknown): Uint8Array {
  if (typeof message === 'object' && message !== null) {
    if ('output' in message && message.output instanceof Uint8Array) return message.output;
    if ('problem' in message) throw failureOf(message.problem, message);
  }
  throw new Error('its output was lost');
}

function failureOf(problem: unknown, details: object): Error {
  const stderr = 'stderr' in details && details.stderr instanceof Uint8Array ? details.stderr : new Uint8Array();
  const status = 'status' in details ? details.status : undefined;
  return Object.assign(new Error(String(problem)), { status, stderr: Buffer.from(stderr) });
}
