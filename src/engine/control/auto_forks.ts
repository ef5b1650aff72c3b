import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { LoadWatch, SentRequest } from '../../controller/pace/slow_down.js';
import { type ForkCount, MOST_FORKS } from '../../core/model/run/choices.js';

/** The number of controllers that may be at work at the same time. */
export interface ForkLimit {
  readonly now: number;
  /** `now` never exceeds it. */
  readonly most: number;
  /** The parts of the run that hand out forks: asked how many are in use, and called when there are more. */
  forks: ForkUse | undefined;
}

export interface ForkUse {
  readonly inUse: number;
  /** Whether a controller waits for a fork. */
  readonly areAwaited: boolean;
  /** The limit has grown. */
  share(): void;
}

/** What this machine can take. */
export interface MachineLoad {
  /** The event loop has hardly been idle lately, so more forks would not make the run faster. */
  readonly isBusy: boolean;
  /** How many forks fit into the memory and the file descriptors. */
  readonly room: number;
}

/** Few: it is not known yet how much the controllers and the routes to them can take. */
const FIRST_FORKS = 20;
export const LEAST_FORKS = 5;

/** Latency has grown if it is this many times the usual one, and this much longer. */
const GROWN = 2;
const SLACK_MS = 20;
/** If half the forks do not bring latency below this part, it did not come from the forks. */
const RELIEVED = 0.75;
/** Fewest answers that a mean latency is made of. */
const LEAST_ANSWERS = 10;

export function fixedForks(count: number): ForkLimit {
  return { now: count, most: count, forks: undefined };
}

/** @param machine reads the load; gets the number of forks in use */
export function forkLimit(count: ForkCount, machine: (inUse: () => number) => () => MachineLoad): ForkLimit {
  if (count !== 'auto') return fixedForks(count);
  const forks: AutoForks = new AutoForks(machine(() => forks.forks?.inUse ?? 0));
  return forks;
}

/**
 * `--forks auto`. Grows with each answer, as TCP does: by one until the first sign of overload, then more slowly. Half the
 * forks are left at once after 429, a broken connection, or when latency has grown. Times are in ms of one clock.
 */
export class AutoForks implements ForkLimit, LoadWatch {
  readonly most = MOST_FORKS;
  forks: ForkUse | undefined;
  #limit = FIRST_FORKS;
  /** Growth is slower above. */
  #threshold = MOST_FORKS;
  /** Connections whose first request has no answer yet: a slow proxy lets them wait. */
  #opening = 0;
  /** Answers to requests from before say nothing about the present limit. */
  #since = -Infinity;
  readonly #first = new Latency();
  readonly #later = new Latency();
  /** The limit that grown latency made shrink, and how much it had grown: to see whether that helped. */
  #before: Overload | undefined;

  constructor(private readonly machine: () => MachineLoad) {}

  get now(): number {
    return Math.floor(this.#limit);
  }

  sent(now: number, isFirst: boolean): SentRequest {
    if (isFirst) this.#opening++;
    return { at: now, isFirst };
  }

  ended({ at, isFirst }: SentRequest, now: number, end: 'answered' | 'overloaded' | 'unknown'): void {
    if (isFirst) this.#opening--;
    if (end === 'overloaded') this.#overloaded(at, now);
    if (end !== 'answered') return;
    const { isBusy, room } = this.machine();
    this.#limit = Math.min(this.#limit, Math.max(LEAST_FORKS, room));
    // The time that this process needs itself is not the controllers'.
    if (!isBusy) this.#judge(isFirst ? this.#first : this.#later, at, now);
    if (!isBusy && this.#limit < Math.min(room, this.most)) this.#grow();
  }

  #overloaded(at: number, now: number): void {
    // The others of the same moment have the same cause.
    if (at < this.#since) return;
    this.#before = undefined;
    this.#shrink(now);
  }

  #shrink(now: number): void {
    const used = Math.min(this.#limit, this.forks?.inUse ?? this.#limit);
    this.#limit = Math.min(this.#limit, Math.max(LEAST_FORKS, Math.floor(used / 2)));
    this.#threshold = this.#limit;
    this.#since = now;
    this.#first.restart();
    this.#later.restart();
  }

  #judge(latency: Latency, at: number, now: number): void {
    // A controller keeps its fork until it is done, so the smaller limit takes effect later.
    if ((this.forks?.inUse ?? 0) > this.#limit) {
      this.#since = now;
      this.#before?.observe((now - at) / latency.usual);
    }
    if (at < this.#since) return;
    const mean = latency.add(now - at, Math.max(LEAST_ANSWERS, this.#limit / 10));
    if (mean === undefined) return;
    const growth = mean / latency.usual;
    const before = this.#before;
    this.#before = undefined;
    if (before !== undefined && growth > RELIEVED * before.growth) {
      this.#restore(before.limit, latency, mean);
    } else if (mean > GROWN * latency.usual + SLACK_MS) {
      this.#before = new Overload(this.#limit, growth);
      this.#shrink(now);
    }
  }

  /** Other controllers, other requests: these take longer however few there are. */
  #restore(limit: number, latency: Latency, mean: number): void {
    this.#first.usual = Infinity;
    this.#later.usual = Infinity;
    latency.usual = mean;
    this.#limit = limit;
    this.#threshold = MOST_FORKS;
    this.forks?.share();
  }

  #grow(): void {
    if (this.forks?.areAwaited !== true || this.forks.inUse > this.#limit || this.#opening > this.#limit / 2) return;
    const before = this.now;
    this.#limit = Math.min(this.most, this.#limit + (this.#limit < this.#threshold ? 1 : 4 / this.#limit));
    if (this.now > before) this.forks.share();
  }
}

/** The latency of one kind of request: opening a connection takes longer than another request. */
class Latency {
  /** The lowest mean. */
  usual = Infinity;
  #sum = 0;
  #count = 0;

  /** @returns the mean, once it has as many answers */
  add(ms: number, answers: number): number | undefined {
    this.#sum += ms;
    this.#count++;
    if (this.#count < answers) return undefined;
    const mean = this.#sum / this.#count;
    this.restart();
    this.usual = Math.max(1, Math.min(mean, this.usual));
    return mean;
  }

  restart(): void {
    this.#sum = 0;
    this.#count = 0;
  }
}

/** Latency that has grown, relative to the usual one. */
class Overload {
  readonly #later = new Latency();

  constructor(
    readonly limit: number,
    public growth: number,
  ) {}

  /** Until fewer controllers are at work, it grows further. */
  observe(growth: number): void {
    this.growth = Math.max(this.growth, this.#later.add(growth, LEAST_ANSWERS) ?? 0);
  }
}

/** The part of the time for which a busy event loop works. */
const BUSY = 0.9;
const LOOP_EVERY_MS = 20;
const MEMORY_EVERY_MS = 250;
/** What a controller at work may need. */
const FORK_BYTES = 2 * 2 ** 20;
/** Left for everything else. */
const SPARE_BYTES = 64 * 2 ** 20;
/** Left for everything else. A controller has a socket, a simulated one two. */
const SPARE_FILES = 100;

/** Reads what this process can take, at most every few milliseconds. @param forksInUse controllers at work */
export function machineLoad(forksInUse: () => number): () => MachineLoad {
  const files = Math.floor((openFileLimit() - SPARE_FILES) / 2);
  let loop = performance.eventLoopUtilization();
  let [loopAt, memoryAt] = [performance.now(), -Infinity];
  let load: MachineLoad = { isBusy: false, room: files };
  return () => {
    const now = performance.now();
    if (now - loopAt >= LOOP_EVERY_MS) {
      const latest = performance.eventLoopUtilization();
      load = { ...load, isBusy: performance.eventLoopUtilization(latest, loop).utilization > BUSY };
      [loop, loopAt] = [latest, now];
    }
    if (now - memoryAt >= MEMORY_EVERY_MS) {
      const more = Math.floor((freeBytes() - SPARE_BYTES) / FORK_BYTES);
      load = { ...load, room: Math.min(files, more < 0 ? 0 : forksInUse() + more) };
      memoryAt = now;
    }
    return load;
  };
}

function freeBytes(): number {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  return Math.min(limit - used, process.availableMemory());
}

/** How many files this process may have open. Node raises its limit to the hard one when it starts. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
    return soft === 'unlimited' ? Infinity : Number(soft) || FEWEST_FILES;
  } catch {
    // Not Linux.
    return FEWEST_FILES;
  }
}

/** What systems allow without being asked for more. */
const FEWEST_FILES = 1024;
