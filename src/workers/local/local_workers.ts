import type {
  Attempt,
  AttemptEnd,
  CoordinatorTransport,
  Order,
  OrderListener,
} from '../../model/run/worker_transport.js';
import type { FromProcess, ToProcess } from './messages.js';

/** A child process of this program, with a message channel. */
interface WorkerProcess {
  readonly pid?: number | undefined;
  readonly connected: boolean;
  send(message: ToProcess): void;
  on(event: 'message', listen: (message: FromProcess) => void): unknown;
  on(event: 'error', listen: (error: Error) => void): unknown;
  once(event: 'exit', listen: (code: number | null, signal: string | null) => void): unknown;
  kill(signal: 'SIGKILL'): unknown;
}

/** A worker is not restarted after this many starts in a row without a completed walk. */
const MOST_STARTS = 3;

interface Options {
  readonly count: number;
  readonly description: string;
  readonly start: () => WorkerProcess;
}

/**
 * Local processes that carry out the walks of one run. A controller always goes to the same process, which reuses its
 * connection.
 */
export class LocalWorkers implements CoordinatorTransport {
  readonly #workers: LocalWorker[];
  readonly #byController = new Map<string, LocalWorker>();
  readonly #broadcasts: string[] = [];

  private constructor(options: Options) {
    this.#workers = Array.from({ length: options.count }, (_, index) => new LocalWorker(`local ${index + 1}`, options));
  }

  /**
   * Starts the processes.
   * @throws Error if one cannot load the run; no controller was contacted
   */
  static async start(options: Options): Promise<LocalWorkers> {
    const workers = new LocalWorkers(options);
    try {
      await Promise.all(workers.#workers.map((worker) => worker.ready));
      return workers;
    } catch (error) {
      await workers.close();
      throw error;
    }
  }

  offer(order: Order, listener: OrderListener): Attempt {
    const worker = this.#workerFor(order.controller);
    return worker === undefined ? notStarted('all worker processes have ended') : worker.take(order, listener);
  }

  broadcast(text: string): void {
    this.#broadcasts.push(text);
    for (const worker of this.#workers) worker.broadcast(text);
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  #workerFor(controller: string): LocalWorker | undefined {
    const known = this.#byController.get(controller);
    if (known?.isGone === false) return known;
    const [least] = this.#workers.filter(({ isGone }) => !isGone).sort((a, b) => a.load - b.load);
    if (least !== undefined) this.#byController.set(controller, least);
    return least;
  }
}

interface Walking {
  readonly listener: OrderListener;
  readonly end: (end: AttemptEnd) => void;
}

/** One of the processes; restarted when it is lost. */
class LocalWorker {
  readonly #walks = new Map<string, Walking>();
  readonly #broadcasts: string[] = [];
  #process: WorkerProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  /** Starts since the last completed walk. */
  #starts = 0;
  #isClosing = false;
  #exited: Promise<void> = Promise.resolve();
  /** Number of controllers assigned to it. */
  load = 0;

  constructor(
    private readonly name: string,
    private readonly options: Options,
  ) {
    this.#start();
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  get isGone(): boolean {
    return this.#process === undefined;
  }

  take({ walk, text }: Order, listener: OrderListener): Attempt {
    this.load += 1;
    let end: (end: AttemptEnd) => void = () => undefined;
    const ended = new Promise<AttemptEnd>((resolve) => (end = resolve));
    this.#walks.set(walk, { listener, end });
    const give = (): void => {
      if (!this.#walks.has(walk)) return;
      listener.taken(this.name, this.#title);
      this.#send({ type: 'walk', walk, text: text() });
    };
    // If a process fails to start, it exits, which ends its walks.
    this.#ready.then(give, () => undefined);
    return {
      send: (said) => {
        this.#send({ type: 'text', walk, text: said });
      },
      // A local worker takes each walk at once, so there is nothing to cancel.
      cancel: () => undefined,
      end: ended,
    };
  }

  broadcast(text: string): void {
    this.#broadcasts.push(text);
    this.#send({ type: 'broadcast', text });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#send({ type: 'end' });
    await this.#exited;
  }

  get #title(): string {
    return `${this.name} (process ${this.#process?.pid ?? 0})`;
  }

  #start(): void {
    this.#starts += 1;
    const { description, start } = this.options;
    const process = start();
    this.#process = process;
    let isReady: () => void = () => undefined;
    let hasFailed: (error: Error) => void = () => undefined;
    this.#ready = new Promise((resolve, reject) => {
      isReady = resolve;
      hasFailed = reject;
    });
    this.#ready.catch(() => undefined);
    process.on('message', (message) => {
      if (message.type === 'ready') isReady();
      else if (message.type === 'failed') {
        hasFailed(new Error(message.problem));
        process.kill('SIGKILL');
      } else this.#receive(message);
    });
    this.#exited = new Promise((resolve) => {
      const ended = (reason: string): void => {
        if (this.#process !== process) return;
        hasFailed(new Error(`a worker process ended before it was ready (${reason})`));
        this.#lost(reason);
        resolve();
      };
      process.once('exit', (code, signal) => {
        ended(signal ?? `exit code ${code ?? '?'}`);
      });
      process.on('error', (error) => {
        // A message to a process that has just exited is lost, but its exit is reported. A process that failed to start
        // reports no exit.
        if (process.pid === undefined) ended(error.message);
      });
    });
    this.#send({ type: 'run', description });
    for (const text of this.#broadcasts) this.#send({ type: 'broadcast', text });
  }

  #receive(message: Extract<FromProcess, { walk: string }>): void {
    const { walk } = message;
    const walking = this.#walks.get(walk);
    if (walking === undefined) return;
    if (message.type === 'text') {
      walking.listener.message(message.text);
      return;
    }
    this.#walks.delete(walk);
    this.#starts = 0;
    const worker = this.#title;
    walking.end(message.type === 'ended' ? { type: 'ended' } : { type: 'failed', worker, reason: message.problem });
  }

  #lost(reason: string): void {
    const worker = this.#title;
    this.#process = undefined;
    if (!this.#isClosing && this.#starts < MOST_STARTS) this.#start();
    const lost = [...this.#walks.values()];
    this.#walks.clear();
    for (const { end } of lost) end({ type: 'lost', worker, reason });
  }

  #send(message: ToProcess): void {
    if (this.#process?.connected === true) this.#process.send(message);
  }
}

function notStarted(reason: string): Attempt {
  return { send: () => undefined, cancel: () => undefined, end: Promise.resolve({ type: 'untaken', reason }) };
}
