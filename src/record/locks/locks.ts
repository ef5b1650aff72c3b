import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { LockHolder, RunLockFile, LockFile, LockFolder } from './lock_folder.js';
import { judgeLife } from './process_identity.js';

/** Another run's lock on controllers that this run needs. */
export interface LockConflict {
  /** Undefined if the lock file cannot be read: it may cover any controller. */
  readonly holder: LockHolder | undefined;
  /** Path of the lock file. */
  readonly file: string;
  /** Taken on another machine or in another container, so this process cannot check whether its run is still alive. */
  readonly elsewhere: boolean;
  /** The controllers that both runs need. */
  readonly places: readonly string[];
}

export type AcquireResult =
  | { readonly status: 'held' }
  | { readonly status: 'refused'; readonly conflicts: readonly LockConflict[] }
  | { readonly status: 'interrupted' };

interface RivalLock {
  readonly file: LockFile;
  readonly conflict: LockConflict;
}

export interface LocksOptions {
  readonly folder: LockFolder;
  readonly holder: LockHolder;
  /** Called once for each lock that an ended run left on controllers that are now held, with these controllers. */
  readonly onTakeOver?: ((holder: LockHolder, places: readonly string[]) => void) | undefined;
  /** When an ended run last wrote to its journal, in milliseconds since the epoch; undefined if there is none. */
  readonly lastRecord?: ((holder: LockHolder) => Promise<number | undefined>) | undefined;
}

/** How long to wait for a process that is still acquiring its lock: it may have been suspended. */
const PATIENCE_MS = 5000;
/** Poll interval while others acquire their locks. */
const SOON_MS = 50;
/** Poll interval while waiting for a lock: a killed process changes nothing in the folder. */
const WAITING_MS = 1000;
/** Nothing that a dead process did last this long ago can still happen. */
const FORGOTTEN_MS = 7 * 86_400_000;

/**
 * The locks of one run, among all runs that share a folder. A lock is published first, and held only after a scan,
 * started after that, found no conflict. If two runs scan at once, the one with the smaller token wins and the other
 * withdraws. A waiting run holds nothing, so there is no deadlock.
 */
export class Locks {
  /** Their tokens. */
  readonly #held = new Map<string, string>();
  readonly #tokens = new Set<string>();
  /** Locks of killed runs, and those left by others. */
  readonly #dead = new Map<string, RunLockFile>();
  /** Those on held controllers, by token. */
  readonly #inherited = new Map<string, LockHolder>();
  readonly #base: string;
  #count = 0;
  #outlives = false;

  constructor(private readonly options: LocksOptions) {
    const { run, process } = options.holder;
    this.#base = `${run}.${process.pid}.${randomBytes(3).toString('hex')}`;
  }

  /** Somebody can have removed the lock, because this machine slept and its run was taken for dead. */
  has(place: string): boolean {
    const token = this.#held.get(place);
    return token !== undefined && this.options.folder.has(token);
  }

  /**
   * Locks all of them or none.
   *
   * @param signal aborted: does not wait for others that are acquiring theirs
   * @throws LockFolderError
   */
  async acquire(
    places: Iterable<string>,
    signal?: AbortSignal,
  ): Promise<Exclude<AcquireResult, { status: 'interrupted' }>> {
    const wanted = new Set([...places].filter((place) => !this.has(place)));
    if (wanted.size === 0) return { status: 'held' };
    this.#count += 1;
    const token = `${this.#base}.${this.#count}`;
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const rivals = await this.#obtain(token, { holder: this.options.holder, places: wanted }, signal);
      if (rivals.length === 0) break;
      if (rivals.some(isHolding) || signal?.aborted === true || performance.now() > end)
        return { status: 'refused', conflicts: rivals.map(({ conflict }) => conflict) };
      // A run that only asks holds its lock soon, or withdraws because it waits for other controllers.
      await setTimeout(SOON_MS);
    }
    for (const place of wanted) this.#held.set(place, token);
    this.#inherit(wanted);
    return { status: 'held' };
  }

  #inherit(places: ReadonlySet<string>): void {
    const { holder: own, onTakeOver } = this.options;
    for (const [token, lock] of this.#dead) {
      const common = commonPlaces({ holder: own, places }, lock);
      if (common === undefined || this.#inherited.has(token)) continue;
      this.#inherited.set(token, lock.holder);
      onTakeOver?.(lock.holder, common);
    }
  }

  /** As `acquire`, but waits until conflicting runs have ended. `onWait` is called whenever the conflicts change. */
  async acquireWhenFree(
    places: ReadonlySet<string>,
    signal: AbortSignal,
    onWait: (conflicts: readonly LockConflict[]) => void,
  ): Promise<AcquireResult> {
    let reported = '';
    for (;;) {
      if (signal.aborted) return { status: 'interrupted' };
      const acquired = await this.acquire(places, signal);
      if (acquired.status === 'held') return acquired;
      const files = acquired.conflicts.map(({ file }) => file);
      if (reported !== files.join()) onWait(acquired.conflicts);
      reported = files.join();
      await this.#oneReleased(files, signal);
    }
  }

  /** What the run began may still happen after its end: the next run on these controllers takes its lock over. */
  outlive(): void {
    this.#outlives = true;
  }

  /**
   * Releases all locks, and removes those that it took over. Never throws.
   * @param isDone whether nothing that an ended run began can still happen. Otherwise its lock stays, for the next run
   */
  async release(isDone: (dead: LockHolder) => boolean = () => true): Promise<void> {
    if (this.#outlives && this.#held.size > 0) await this.#leaveLock().catch(() => undefined);
    const inherited = [...this.#inherited].flatMap(([token, dead]) => (isDone(dead) ? [token] : []));
    const tokens = [...this.#tokens, ...inherited];
    this.#tokens.clear();
    this.#held.clear();
    this.#inherited.clear();
    this.#dead.clear();
    await Promise.all(tokens.map((token) => this.options.folder.withdraw(token)));
  }

  #leaveLock(): Promise<void> {
    const { folder, holder } = this.options;
    const places = new Set(this.#held.keys());
    return folder.publish(`${this.#base}.ended`, { holder: { ...holder, ended: true }, places });
  }

  /** Returns the locks in the way; if there are none, the lock is held. */
  async #obtain(token: string, lock: RunLockFile, signal: AbortSignal | undefined): Promise<readonly RivalLock[]> {
    const { folder } = this.options;
    this.#tokens.add(token);
    try {
      await folder.publish(token, lock);
      const rivals = await this.#findRivals(token, lock, signal);
      if (rivals.length === 0) await folder.hold(token);
      else await this.#withdraw(token);
      return rivals;
    } catch (error) {
      await this.#withdraw(token);
      throw error;
    }
  }

  /** Scans until no other run can win any of the controllers, or one has won. */
  async #findRivals(token: string, lock: RunLockFile, signal: AbortSignal | undefined): Promise<readonly RivalLock[]> {
    const { folder } = this.options;
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = await this.#conflicts(lock);
      const first = found.filter((rival) => isHolding(rival) || rival.file.token < token);
      const inTheWay = first.length > 0 || signal?.aborted === true || performance.now() > end ? found : [];
      const holding = inTheWay.filter(isHolding);
      // Without holders, others that are acquiring theirs now are faster.
      if (inTheWay.length > 0 || found.length === 0) return holding.length > 0 ? holding : inTheWay;
      await folder.change(SOON_MS, signal);
    }
  }

  async #oneReleased(files: readonly string[], signal: AbortSignal): Promise<void> {
    const { folder } = this.options;
    while (!signal.aborted) {
      const enough = new AbortController();
      // Started before the scan, so that no change is missed.
      const changed = folder.change(WAITING_MS, AbortSignal.any([signal, enough.signal]));
      const there = new Set((await this.#living()).map((file) => file.path));
      if (!files.some((file) => there.has(file))) enough.abort();
      await changed;
      if (enough.signal.aborted) return;
    }
  }

  async #conflicts(own: RunLockFile): Promise<readonly RivalLock[]> {
    return (await this.#living()).flatMap((file) => {
      const places = commonPlaces(own, file.lock);
      if (places === undefined) return [];
      const holder = file.lock?.holder;
      const elsewhere = holder !== undefined && judgeLife(holder.process, own.holder.process) === 'elsewhere';
      return [{ file, conflict: { holder, file: file.path, elsewhere, places } }];
    });
  }

  /** The locks of other runs. Those of dead processes stay for the run that takes their controllers over. */
  async #living(): Promise<readonly LockFile[]> {
    const { folder, holder: own } = this.options;
    const living: LockFile[] = [];
    for (const file of await folder.list((token) => token.startsWith(`${this.#base}.`))) {
      const { lock, token } = file;
      if (lock === undefined || !isOver(lock.holder, own)) living.push(file);
      else if (await this.#isForgotten(lock.holder)) await folder.withdraw(token);
      else this.#dead.set(token, lock);
    }
    return living;
  }

  /** A run may last for weeks, so its start alone does not say it. */
  async #isForgotten(dead: LockHolder): Promise<boolean> {
    const latest = Date.now() - FORGOTTEN_MS;
    if (Date.parse(dead.since) > latest) return false;
    return ((await this.options.lastRecord?.(dead)) ?? -Infinity) < latest;
  }

  async #withdraw(token: string): Promise<void> {
    this.#tokens.delete(token);
    await this.options.folder.withdraw(token);
  }
}

function isHolding({ file }: RivalLock): boolean {
  return file.held || file.lock === undefined;
}

function isOver({ ended, process }: LockHolder, own: LockHolder): boolean {
  return ended === true || judgeLife(process, own.process) === 'gone';
}

/** Returns undefined if both can be held at once. Two processes of the same run (two resumes at once) never can. */
function commonPlaces(own: RunLockFile, other: RunLockFile | undefined): readonly string[] | undefined {
  if (other === undefined) return [];
  const common = [...own.places].filter((place) => other.places.has(place));
  return common.length > 0 || other.holder.run === own.holder.run ? common : undefined;
}
