import { createContext, Script } from 'node:vm';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

/**
 * What a command prints, run by `/bin/sh`. Templates are rendered without a pause, so the process waits for it, but not for signals:
 * Ctrl-C ends the command and then counts as any other. SIGTERM and SIGHUP end the process at once, and the command with it.
 *
 * @throws Error with `status` and `stderr` if the command fails; CommandInterrupted
 */
export function shellOutput(command: string, cwd: string): Uint8Array {
  shell ??= openShell();
  const { flags, port } = shell;
  flags.fill(0, 0, 2);
  port.postMessage({ command, cwd });
  if (!endingAtOnce(() => waited(flags))) {
    abandon(shell);
    throw new CommandInterrupted('it was interrupted');
  }
  return outputOf(receiveMessageOnPort(port)?.message);
}

/** Ctrl-C ended the command. */
export class CommandInterrupted extends Error {}

interface Shell {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** Whether the command has ended, the number of its process group, and whether the thread runs. */
  readonly flags: Int32Array;
}

/** One for all commands: a thread takes 50 ms to start. */
let shell: Shell | undefined;

/**
 * Runs a command ($0) in a process group of its own. Descriptor 3 is closed when the process that waits ends, even if it was killed:
 * then the whole group is ended.
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

function openShell(): Shell {
  const { port1: port, port2 } = new MessageChannel();
  const flags = new Int32Array(new SharedArrayBuffer(12));
  const workerData = { port: port2, flags, guard: GUARD };
  const worker = new Worker(COMMANDS, { eval: true, workerData, transferList: [port2], execArgv: [] });
  worker.unref();
  return { worker, port, flags };
}

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

/** Milliseconds. A thread that has not started by then will not. */
const START_UP = 30_000;

/**
 * False if Ctrl-C came first.
 *
 * @throws Error if the thread does not start
 */
function waited(flags: Int32Array): boolean {
  const job = {
    wait: () => {
      if (Atomics.wait(flags, 0, 0, Atomics.load(flags, 2) === 1 ? undefined : START_UP) !== 'timed-out') return;
      if (Atomics.load(flags, 2) === 1) Atomics.wait(flags, 0, 0);
    },
  };
  try {
    new Script('wait()').runInContext(createContext(job), { breakOnSigint: true });
  } catch {
    return false;
  }
  if (Atomics.load(flags, 0) === 1) return true;
  shell = undefined;
  throw new Error(`the system starts no thread for it within ${START_UP / 1000} s`);
}

const ENDING = ['SIGTERM', 'SIGHUP'] as const;

/** Listeners would be called after the wait. Without them, these signals end the process. */
function endingAtOnce<T>(work: () => T): T {
  const listeners = ENDING.map((signal) => [signal, process.listeners(signal)] as const);
  for (const signal of ENDING) process.removeAllListeners(signal);
  try {
    return work();
  } finally {
    for (const [signal, all] of listeners) for (const one of all) process.on(signal, one);
  }
}

/** The next command gets a thread of its own. The listeners of Ctrl-C have not been called yet. */
function abandon({ worker, flags }: Shell): void {
  shell = undefined;
  const pid = Atomics.load(flags, 1);
  try {
    if (pid > 0) process.kill(-pid);
  } catch {
    // It has ended already.
  }
  void worker.terminate();
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
}
