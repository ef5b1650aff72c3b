import { createContext, Script, type Context } from 'node:vm';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

/** Ctrl-C ended the wait. */
export class WaitInterrupted extends Error {}

interface Running {
  readonly worker: Worker;
  readonly port: MessagePort;
  /**
   * Whether the job is done, the number of the process group to end if Ctrl-C comes first, and whether the thread runs.
   */
  readonly flags: Int32Array;
}

/**
 * A thread for jobs that templates wait for. Templates are rendered synchronously, so the process blocks, but Ctrl-C
 * still ends the wait.
 */
export class SideThread {
  /** One for all jobs: a thread takes 50 ms to start. */
  #running: Running | undefined;

  /**
   * @param code ES module, read when the thread is first needed. Gets `port` and `flags` in its `workerData`, sets flag
   * 2 when it starts, and after posting an answer sets flag 0 and notifies the waiters.
   * @param startUp milliseconds: a thread that has not started by then will not
   */
  constructor(
    private readonly code: URL,
    private readonly data: object,
    private readonly startUp = 30_000,
  ) {}

  /** @throws Error if the thread does not start; WaitInterrupted */
  answer(job: object): unknown {
    this.#running ??= this.#open();
    const { flags, port } = this.#running;
    flags.fill(0, 0, 2);
    const begin = (): void => port.postMessage(job);
    if (!endingAtOnce(() => waited(flags, this.startUp, begin))) {
      this.#abandon(this.#running);
      throw new WaitInterrupted('it was interrupted');
    }
    if (Atomics.load(flags, 0) === 1) return receiveMessageOnPort(port)?.message;
    this.#running = undefined;
    throw new Error(`the system starts no thread for it within ${this.startUp / 1000} s`);
  }

  #open(): Running {
    const { port1: port, port2 } = new MessageChannel();
    const flags = new Int32Array(new SharedArrayBuffer(12));
    const workerData = { ...this.data, port: port2, flags };
    const worker = new Worker(this.code, { workerData, transferList: [port2], execArgv: [] });
    worker.unref();
    return { worker, port, flags };
  }

  /** The next job gets a new thread. The listeners of Ctrl-C have not been called yet. */
  #abandon({ worker, flags }: Running): void {
    this.#running = undefined;
    const pid = Atomics.load(flags, 1);
    try {
      if (pid > 0) process.kill(-pid);
    } catch {
      // It has ended already.
    }
    void worker.terminate();
    interrupt();
  }
}

function interrupt(): void {
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
}

/**
 * Calls code of the project, which might not return. Ctrl-C ends it, and then counts as usual. SIGTERM and SIGHUP end
 * the process at once.
 *
 * @throws WaitInterrupted
 */
export function callBreakably<T>(call: () => T): T {
  const results: T[] = [];
  const isDone = endingAtOnce(() => breakable(() => results.push(call())));
  if (!isDone) {
    interrupt();
    throw new WaitInterrupted('it was interrupted');
  }
  const [result] = results;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was called
  return result as T;
}

const job: { call?: () => unknown } = {};
let inJob: Context | undefined;

/** Calls something. False if Ctrl-C came first. */
function breakable(call: () => unknown): boolean {
  inJob ??= createContext(job);
  job.call = call;
  try {
    new Script('call()').runInContext(inJob, { breakOnSigint: true });
    return true;
  } catch (error) {
    if (!isInterruption(error)) throw error;
    return false;
  }
}

/** An Error of the context, which is none here. */
function isInterruption(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED'
  );
}

/**
 * False if Ctrl-C came first. Otherwise flag 0 says whether the job is done.
 *
 * @param begin hands over the job: only then, because a Ctrl-C before the wait would not end it
 */
function waited(flags: Int32Array, startUp: number, begin: () => void): boolean {
  return breakable(() => {
    begin();
    if (Atomics.wait(flags, 0, 0, Atomics.load(flags, 2) === 1 ? undefined : startUp) !== 'timed-out') return;
    if (Atomics.load(flags, 2) === 1) Atomics.wait(flags, 0, 0);
  });
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
