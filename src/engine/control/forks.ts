import type { WaitWithoutFork } from '../../core/model/run/session.js';
import type { ForkLimit, ForkUse } from './auto_forks.js';
import { sleep } from './clock.js';

/**
 * The forks of a batch limit how many of its controllers work at the same time. A controller that waits gives up its
 * fork, then takes one again before controllers that have not started. Waiting for a lock, a turn or a result of
 * another controller also gives up the fork, so forks cannot deadlock.
 */
export class Forks implements ForkUse {
  readonly #returning: (() => void)[] = [];
  readonly #beginning: (() => void)[] = [];
  #isSharing = false;
  inUse = 0;

  /** @param most a limit of its own */
  constructor(
    private readonly limit: ForkLimit,
    private readonly most = Infinity,
  ) {
    limit.forks = this;
  }

  get areAwaited(): boolean {
    return this.areWanted || this.#beginning.length > 0;
  }

  /** Whether resumed controllers wait for a fork. */
  get areWanted(): boolean {
    return this.#returning.length > 0;
  }

  /** Calls back when a controller that has not started gets a fork. */
  takeFirst(go: () => void): void {
    this.#beginning.push(go);
    this.share();
  }

  /** Calls back when a controller that has waited gets a fork again. */
  takeAgain(go: () => void): void {
    this.#returning.push(go);
    this.share();
  }

  giveBack(): void {
    this.inUse--;
    this.share();
  }

  share(): void {
    // The callback may give the fork back at once.
    if (this.#isSharing) return;
    this.#isSharing = true;
    while (this.inUse < Math.min(this.limit.now, this.most)) {
      const go = this.#returning.shift() ?? this.#beginning.shift();
      if (go === undefined) break;
      this.inUse++;
      go();
    }
    this.#isSharing = false;
  }
}

/** The fork of one controller, held while any of its work does not wait. */
export class Fork {
  /**
   * Number of the controller's running pieces of work that do not wait. Below 1 also before the controller has begun.
   */
  #active = 0;
  #isHeld = false;
  /** Work that continues as soon as the controller has a fork again. */
  readonly #waiting: (() => void)[] = [];
  /** When it began to wait for a fork. */
  #since: number | undefined;
  #waitedMs = 0;

  constructor(private readonly forks: Forks) {}

  /** Time that the controller has waited for a fork, or for what is no work of its task. Time limits do not count it. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** Resolves when the controller has a fork and may begin. */
  begin(): Promise<void> {
    return new Promise((resolve) => this.beginThen(resolve));
  }

  /** Like `begin`, without a promise: a fleet in lockstep begins each of its steps so. */
  beginThen(go: () => void): void {
    this.forks.takeFirst(() => {
      this.#active++;
      this.#accept();
      go();
    });
  }

  /** The controller is finished, or waits at a barrier; or one piece of its work waits. */
  end(): void {
    this.#active--;
    if (this.#active > 0 || !this.#isHeld) return;
    this.#isHeld = false;
    this.forks.giveBack();
  }

  /** Lets controllers that have waited go first. Undefined: there are none. */
  yieldFork(): Promise<void> | undefined {
    return this.forks.areWanted ? this.wait(() => Promise.resolve()) : undefined;
  }

  readonly wait: WaitWithoutFork = async (awaited) => {
    this.end();
    try {
      return await awaited();
    } finally {
      await this.#returnToWork();
    }
  };

  /** Like `sleep`, but without a fork. */
  async sleep(seconds: number, signal: AbortSignal): Promise<void> {
    if (seconds > 0 && !signal.aborted) await this.wait(() => sleep(seconds, signal));
  }

  /** As `sleep`, for a wait that time limits do not count. */
  async pause(seconds: number, signal: AbortSignal): Promise<void> {
    this.#waitedMs += seconds * 1000;
    await this.sleep(seconds, signal);
  }

  /** Stops waiting for that work, which may continue. */
  abandon(work: Promise<unknown>): Promise<void> {
    const end = (): void => this.end();
    void work.then(end, end);
    return this.#returnToWork();
  }

  /** Like `forEachAtOnce`; the controller gives up its fork while all of the work waits. */
  async forEach<Item>(
    items: readonly Item[],
    count: number,
    work: (item: Item, index: number) => Promise<void>,
  ): Promise<void> {
    let others = Math.min(count, items.length) - 1;
    this.#active += Math.max(0, others);
    await forEachAtOnce(items, count, work, () => {
      if (others-- > 0) this.end();
    });
  }

  #returnToWork(): Promise<void> {
    this.#active++;
    if (this.#active <= 0 || this.#isHeld) return DONE;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length > 1) return;
      this.#since = performance.now();
      this.forks.takeAgain(() => this.#accept());
    });
  }

  /** The controller has got a fork. */
  #accept(): void {
    if (this.#active <= 0 || this.#isHeld) this.forks.giveBack();
    else this.#isHeld = true;
    if (this.#since === undefined) return;
    this.#waitedMs = this.waitedMs;
    this.#since = undefined;
    for (const go of this.#waiting.splice(0)) go();
  }
}

const DONE = Promise.resolve();

/**
 * Runs the work for every item, at most `count` at the same time, started in order. Rejects with the first rejection;
 * running work continues unobserved.
 * @param onLess called when fewer items run than before, because none is left to start
 */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item, index: number) => Promise<void>,
  onLess?: () => void,
): Promise<void> {
  // All of them take from it.
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) await work(item, index);
    onLess?.();
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, count), items.length) }, worker));
}
