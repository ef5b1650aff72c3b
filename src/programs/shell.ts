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

const COMMANDS = `
const { spawn } = require('node:child_process');
const { port, flags, guard } = require('node:worker_threads').workerData;
const MOST = 64 << 20;
Atomics.store(flags, 2, 1);
port.on('message', ({ command, cwd }) => {
  let isOver = false;
  const end = (message) => {
    if (isOver) return;
    isOver = true;
    port.postMessage(message);
    Atomics.store(flags, 0, 1);
    Atomics.notify(flags, 0);
  };
  try {
    const child = spawn('/bin/sh', ['-c', guard, command], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    Atomics.store(flags, 1, child.pid ?? 0);
    const gathered = [child.stdout, child.stderr].map((stream) => {
      const chunks = [];
      let size = 0;
      stream.on('data', (chunk) => {
        size += chunk.length;
        if (size <= MOST) return chunks.push(chunk);
        process.kill(-child.pid);
        end({ problem: 'it prints more than 64 MiB' });
      });
      return chunks;
    });
    child.stdio[3].on('error', () => undefined);
    child.on('error', (error) => end({ problem: error.message, status: error.code }));
    child.on('close', (status, signal) => {
      const [output, stderr] = gathered.map((chunks) => Buffer.concat(chunks));
      end(status === 0 ? { output } : { problem: 'it ended by ' + signal, status: status ?? undefined, stderr });
    });
  } catch (error) {
    // The command is too long for the system, say: it was not started, and the process waits for it.
    end({ problem: error.message, status: error.code });
  }
});
`;

const shell = new SideThread(COMMANDS, { guard: GUARD });

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
