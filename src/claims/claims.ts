import { randomBytes } from 'node:crypto';
import type { Claim, Holder } from './claim.js';
import type { ClaimFile, ClaimFolder } from './claim_folder.js';
import { lifeOf } from './process_identity.js';

/** Another run that is at work on controllers that were asked for. */
export interface Rival {
  /** Undefined: its claim cannot be understood, so it may hold anything. */
  readonly holder: Holder | undefined;
  /** The file of its claim. */
  readonly file: string;
  /** Nobody here can see whether it is still at work. */
  readonly elsewhere: boolean;
  /** What both want. */
  readonly places: readonly string[];
}

export type Claimed =
  { readonly status: 'held' } | { readonly status: 'refused'; readonly rivals: readonly Rival[] } | Interrupted;

interface Interrupted {
  readonly status: 'interrupted';
}

export interface ClaimsOptions {
  readonly folder: ClaimFolder;
  readonly holder: Holder;
  /** A run that was killed has left its claim behind; it counts no more. */
  readonly onTakeOver?: ((holder: Holder) => void) | undefined;
}

/** How long a process may look for others before it counts as one that is at work: it may have been stopped. */
const PATIENCE_MS = 5000;
/** How soon to look again where the folder cannot be watched. */
const SOON_MS = 50;
/** A process that was killed removes nothing, so no change of the folder tells. */
const WAITING_MS = 1000;

/**
 * The controllers that one run keeps to itself, among all runs that share a folder. A claim is shown first, and held only when a
 * look round, begun after that, has found nobody else who holds or claims any of it. Of two that are looking at once, the one with
 * the smaller token goes on and the other gives way; whoever waits holds nothing meanwhile, so nobody waits in a circle.
 */
export class Claims {
  readonly #held = new Set<string>();
  readonly #tokens = new Set<string>();
  readonly #base: string;
  #count = 0;

  constructor(private readonly options: ClaimsOptions) {
    const { run, process } = options.holder;
    this.#base = `${run}.${process.pid}.${randomBytes(3).toString('hex')}`;
  }

  has(place: string): boolean {
    return this.#held.has(place);
  }

  /** All of them or none. Throws a `ClaimFolderError`. */
  async claim(places: Iterable<string>): Promise<Exclude<Claimed, Interrupted>> {
    const wanted = new Set([...places].filter((place) => !this.has(place)));
    if (wanted.size === 0) return { status: 'held' };
    this.#count += 1;
    const token = `${this.#base}.${this.#count}`;
    const rivals = await this.#obtain(token, { holder: this.options.holder, places: wanted });
    if (rivals.length > 0) return { status: 'refused', rivals };
    for (const place of wanted) this.#held.add(place);
    return { status: 'held' };
  }

  /** As `claim`, but waits until the others are done. `onWait` is told for whom, each time that these are others. */
  async await(
    places: ReadonlySet<string>,
    signal: AbortSignal,
    onWait: (rivals: readonly Rival[]) => void,
  ): Promise<Claimed> {
    let told = '';
    for (;;) {
      if (signal.aborted) return { status: 'interrupted' };
      const claimed = await this.claim(places);
      if (claimed.status === 'held') return claimed;
      const files = claimed.rivals.map(({ file }) => file);
      if (told !== files.join()) onWait(claimed.rivals);
      told = files.join();
      await this.#gone(files, signal);
    }
  }

  /** Lets go of everything. Never throws. */
  async release(): Promise<void> {
    const tokens = [...this.#tokens];
    this.#tokens.clear();
    this.#held.clear();
    await Promise.all(tokens.map((token) => this.options.folder.withdraw(token)));
  }

  /** Gives those who stand in the way; nobody: it is held. */
  async #obtain(token: string, claim: Claim): Promise<readonly Rival[]> {
    const { folder } = this.options;
    this.#tokens.add(token);
    try {
      await folder.publish(token, claim);
      const rivals = await this.#outstay(token, claim);
      if (rivals.length === 0) {
        await folder.hold(token);
        return [];
      }
      await this.#withdraw(token);
      return rivals;
    } catch (error) {
      await this.#withdraw(token);
      throw error;
    }
  }

  /** Looks until nobody is left who could still hold any of it, or somebody is in the way. */
  async #outstay(token: string, claim: Claim): Promise<readonly Rival[]> {
    const { folder } = this.options;
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = await this.#rivals(claim);
      const first = found.filter(({ file }) => file.held || file.claim === undefined || file.token < token);
      const inTheWay = first.length > 0 || performance.now() > end ? found : [];
      if (inTheWay.length > 0 || found.length === 0) return inTheWay.map(({ rival }) => rival);
      await folder.change(SOON_MS);
    }
  }

  async #gone(files: readonly string[], signal: AbortSignal): Promise<void> {
    const { folder } = this.options;
    while (!signal.aborted) {
      const enough = new AbortController();
      // Begun before looking: what changes meanwhile must not be missed.
      const changed = folder.change(WAITING_MS, AbortSignal.any([signal, enough.signal]));
      const there = new Set((await this.#living()).map((file) => file.path));
      if (!files.some((file) => there.has(file))) enough.abort();
      await changed;
      if (enough.signal.aborted) return;
    }
  }

  async #rivals(own: Claim): Promise<readonly { readonly file: ClaimFile; readonly rival: Rival }[]> {
    return (await this.#living()).flatMap((file) => {
      const places = commonPlaces(own, file.claim);
      if (places === undefined) return [];
      const holder = file.claim?.holder;
      const elsewhere = holder !== undefined && lifeOf(holder.process, own.holder.process) === 'elsewhere';
      return [{ file, rival: { holder, file: file.path, elsewhere, places } }];
    });
  }

  /** The claims of others; those of dead processes are cleared away. */
  async #living(): Promise<readonly ClaimFile[]> {
    const { folder, holder: own, onTakeOver } = this.options;
    const living: ClaimFile[] = [];
    for (const file of await folder.list((token) => token.startsWith(`${this.#base}.`))) {
      const holder = file.claim?.holder;
      if (holder === undefined || lifeOf(holder.process, own.process) !== 'gone') living.push(file);
      else {
        await folder.withdraw(file.token);
        onTakeOver?.(holder);
      }
    }
    return living;
  }

  async #withdraw(token: string): Promise<void> {
    this.#tokens.delete(token);
    await this.options.folder.withdraw(token);
  }
}

/** Undefined: they can go on side by side. Two processes of the same run (`resume`, twice at once) cannot. */
function commonPlaces(own: Claim, other: Claim | undefined): readonly string[] | undefined {
  if (other === undefined) return [];
  const common = [...own.places].filter((place) => other.places.has(place));
  return common.length > 0 || other.holder.run === own.holder.run ? common : undefined;
}
