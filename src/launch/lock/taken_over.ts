import type { UnsettledWrite } from '../../core/model/run/past.js';
import { UnsettledWrites } from '../../engine/input/unsettled_writes.js';
import { withRun } from '../../record/journal/read/read_run.js';
import { type LockHolder, placeKey } from '../../record/locks/lock.js';
import { ownIdentity } from '../../record/locks/process_identity.js';

/** The writes that ended runs left without an outcome on controllers that this run takes over. */
export class TakenOver {
  readonly writes = new UnsettledWrites(placeKey);
  /** By run: the controllers with such writes. */
  readonly #places = new Map<string, readonly string[]>();
  #reading = Promise.resolve();

  /** Those of the run that is resumed or rolled back. */
  addWrites(run: string, writes: readonly UnsettledWrite[]): void {
    this.#keep(
      run,
      writes.map((write) => ({ ...write, place: placeKey(write.place) })),
    );
  }

  /** Reads the journal of an ended run, in the background. The places are those that this run took over. */
  add(ended: LockHolder, places: readonly string[]): void {
    this.#reading = this.#reading.then(async () => {
      this.#keep(ended.run, await readUnsettled(ended, places));
    });
  }

  /** Resolves when all journals so far have been read. */
  known(): Promise<void> {
    return this.#reading;
  }

  /** Whether this run has waited for all writes of an ended run. */
  isDone({ run }: LockHolder): boolean {
    return (this.#places.get(run) ?? []).every((place) => this.writes.haveSettled(place));
  }

  #keep(run: string, writes: readonly UnsettledWrite[]): void {
    this.writes.add(writes);
    this.#places.set(run, [...(this.#places.get(run) ?? []), ...writes.map(({ place }) => place)]);
  }
}

/** If its journal cannot be read, whatever the reason, anything may be under way: as if the run had just been killed. */
async function readUnsettled(
  { run, state }: LockHolder,
  places: readonly string[],
): Promise<readonly UnsettledWrite[]> {
  const unknown = places.map((place) => ({ place, time: Date.now() }));
  if (state === undefined) return unknown;
  try {
    return await withRun(state, run, { process: ownIdentity() }, (kept) =>
      kept.unsettled().map((write) => ({ ...write, place: placeKey(write.place) })),
    );
  } catch {
    return unknown;
  }
}
