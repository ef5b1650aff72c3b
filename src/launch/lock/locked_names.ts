import type { Play } from '../../core/model/playbook/playbook.js';
import type { UnsettledWrite } from '../../core/model/run/past.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { PlayVariables } from '../../engine/controllers/play_variables.js';
import { UnsettledWrites } from '../../engine/input/unsettled_writes.js';
import { type LockHolder, controllerKey } from '../../record/locks/lock_folder.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { identityInFiles } from '../load/addresses_in_files.js';
import type { LoadedRun } from '../load/load_run.js';
import type { SelectedPlay } from '../load/prepared_run.js';
import { playMayWrite } from '../load/writes.js';

/** The inventory names of each locked address: several names can have the same one. */
export type NamesByAddress = ReadonlyMap<string, readonly string[]>;

/**
 * The controllers that a run may write to, as far as its files show; undefined if it writes to none. An address that comes from
 * facts, results or lookups is known only at the first contact, and so is a controller that a task is delegated to.
 */
export async function findLockedNames(
  { target, catalogue }: LoadedRun,
  selected: readonly SelectedPlay[],
  answers: ReadonlyMap<Play, VariableLayer> | undefined,
): Promise<NamesByAddress | undefined> {
  let mayWrite = false;
  const names = new Map<string, string[]>();
  const known = new Set<string>();
  for (const one of selected) {
    if (!(await playMayWrite(one, catalogue))) continue;
    mayWrite = true;
    const given = answers?.get(one.play);
    const own = given === undefined && !hasVariables(one.play) ? undefined : new PlayVariables(one.play, given);
    for (const name of one.controllers) {
      const controller = target.inventory.controllers.get(name);
      // A play without variables of its own does not change the address.
      if (controller === undefined || (own === undefined && known.has(name))) continue;
      if (own === undefined) known.add(name);
      const layers = own?.ofPlay(controller) ?? controller.layers;
      const identity = identityInFiles(controller, layers, one.play.directory, target);
      if (identity === undefined) continue;
      const address = controllerKey(identity);
      const same = names.get(address) ?? [];
      if (!same.includes(name)) names.set(address, [...same, name]);
    }
  }
  return mayWrite ? names : undefined;
}

function hasVariables({ layers, groupLayers, controllerLayers }: Play): boolean {
  return layers.length > 0 || groupLayers.size > 0 || controllerLayers.size > 0;
}

/** The writes that ended runs left without an outcome on controllers that this run takes over. */
export class TakenOver {
  readonly writes = new UnsettledWrites(controllerKey);
  /** By run: the controllers with such writes. */
  readonly #places = new Map<string, readonly string[]>();
  #reading = Promise.resolve();

  /** Those of the run that is resumed or rolled back. */
  addWrites(run: string, writes: readonly UnsettledWrite[]): void {
    this.#keep(
      run,
      writes.map((write) => ({ ...write, place: controllerKey(write.place) })),
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
    const { withRun } = await import('../../record/journal/read/read_run.js');
    return await withRun(state, run, { process: ownIdentity() }, (kept) =>
      kept.unsettled().map((write) => ({ ...write, place: controllerKey(write.place) })),
    );
  } catch {
    return unknown;
  }
}
