import { readHeader } from './header_file.js';
import type { RunHeader } from './run_header.js';

/**
 * Runs are counted by what is lost with them. `weighty`: it wrote to controllers, so that it can be rolled back, or it can be gone on
 * with. `light`: checks, rehearsals, and runs that found nothing to write; however many there are, no weighty run goes for them.
 */
type Weight = 'weighty' | 'light';

export interface Surplus {
  /** The newest so many of each weight stay. */
  readonly keep: number;
  /** No more than so many are given. Absent: all. */
  readonly most?: number | undefined;
}

/** So many headers are looked at for each run that may be given: a history that has grown long is not read as a whole. */
const READ_FOR_ONE = 50;

/**
 * The runs that are too many, oldest first. Reads headers from both ends of the history, and only as many as it takes.
 * @param ids newest first
 */
export async function surplusOf(
  stateDirectory: string,
  ids: readonly string[],
  { keep, most = ids.length }: Surplus,
): Promise<readonly string[]> {
  if (ids.length <= keep) return [];
  const history = new History(stateDirectory, ids, Math.max(most * READ_FOR_ONE, 2 * keep));
  const surplus: string[] = [];
  for (const [at, id] of [...ids.entries()].reverse()) {
    if (surplus.length >= most || at < keep) break;
    if (await history.hasNewer(keep, at)) surplus.push(id);
  }
  return surplus;
}

/** The newest runs, read one after the other, as far as somebody asks. */
class History {
  /** Where in the history the newest of each weight stand. */
  readonly #places: Record<Weight, number[]> = { weighty: [], light: [] };
  #read = 0;

  constructor(
    private readonly stateDirectory: string,
    private readonly ids: readonly string[],
    private readonly mostRead: number,
  ) {}

  /** Whether so many of the same weight are newer than the run at a place. */
  async hasNewer(count: number, at: number): Promise<boolean> {
    if (count === 0) return true;
    const weight = await weightOf(this.stateDirectory, this.ids[at] ?? '');
    const places = this.#places[weight];
    const end = Math.min(at, this.mostRead);
    while (places.length < count && this.#read < end) {
      const found = await weightOf(this.stateDirectory, this.ids[this.#read] ?? '');
      this.#places[found].push(this.#read);
      this.#read += 1;
    }
    return (places[count - 1] ?? at) < at;
  }
}

/** One that makes no sense may have been anything. */
async function weightOf(stateDirectory: string, id: string): Promise<Weight> {
  return readHeader(stateDirectory, id).then(
    ({ header }) => weight(header),
    () => 'weighty',
  );
}

/** A check may write, in a task with `check_mode: false`, but cannot be gone on with. */
function weight({ check, simulated, end }: RunHeader): Weight {
  if (simulated) return 'light';
  const canGoOn = !check && (end === undefined || end.status === 'interrupted');
  const wrote = end === undefined ? !check : (end.wrote ?? !check);
  return canGoOn || wrote ? 'weighty' : 'light';
}
