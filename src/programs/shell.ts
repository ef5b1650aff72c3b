import { createContext, Script } from 'node:vm';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

/**
 * What a command prints, run by `/bin/sh`. Templates are rendered without a pause, so the process waits for it, but not for signals:
 * Ctrl-C ends the command and then counts as any other, SIGTERM and SIGHUP end the process at once.
 *
 * @throws Error with `status` and `stderr` if the command fails
 */
export function shellOutput(command: string, cwd: string): Uint8Array {
  shell ??= openShell();
  const { flags, port } = shell;
  flags.fill(0);
  port.postMessage({ command, cwd });
  if (!endingAtOnce(() => waited(flags))) {
    abandon(shell);
    throw new Error('it was interrupted');
  }
  return outputOf(receiveMessageOnPort(port)?.message);
}

interface Shell {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** Whether the command has ended, and the number of its process. */
  readonly flags: Int32Array;
}

/** One for all commands: a thread takes 50 ms to start. */
let shell: Shell | undefined;

const COMMANDS = `
const { execFile } = require('node:child_process');
const { port, flags } = require('node:worker_threads').workerData;
const end = (message) => {
  port.postMessage(message);
  Atomics.store(flags, 0, 1);
  Atomics.notify(flags, 0);
};
port.on('message', ({ command, cwd }) => {
  const options = { cwd, encoding: 'buffer', maxBuffer: 64 << 20 };
  try {
    const child = execFile('/bin/sh', ['-c', command], options, (error, output, stderr) => {
      end(error === null ? { output } : { problem: error.message, status: error.code, stderr });
    });
    Atomics.store(flags, 1, child.pid ?? 0);
    child.stdin?.on('error', () => undefined).end();
  } catch (error) {
    // The command is too long for the system, say: it was not started, and the process waits for it.
    end({ problem: error.message, status: error.code });
  }
});
`;

function openShell(): Shell {
  const { port1: port, port2 } = new MessageChannel();
  const flags = new Int32Array(new SharedArrayBuffer(8));
  const workerData = { port: port2, flags };
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

/** False if Ctrl-C came first. */
function waited(flags: Int32Array): boolean {
  const job = { wait: () => Atomics.wait(flags, 0, 0) };
  try {
    new Script('wait()').runInContext(createContext(job), { breakOnSigint: true });
    return true;
  } catch {
    return false;
  }
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
    if (pid > 0) process.kill(pid);
  } catch {
    // Ctrl-C in a terminal has ended it already.
  }
  void worker.terminate();
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
}
