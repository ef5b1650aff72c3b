import { findController, type Controller } from '../../core/model/inventory/inventory.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { groupBy, lazily } from '../../core/model/values/groups.js';
import { adjacentLayers } from '../../engine/controllers/play_variables.js';
import type { RunHeader } from '../../record/journal/disk/run_header.js';
import type { WrittenObject } from '../../record/journal/read/read_run.js';
import { count, nameSome } from '../../reporting/text/words.js';
import type { Restorer } from '../../undo/undo.js';
import { identityBefore } from '../load/equal_addresses.js';
import type { LoadedTarget } from '../load/target.js';
import { readFingerprint } from '../request/invocation.js';
import type { AdjacentVariables } from './adjacent_variables.js';

const MOST_NAMES = 10;

/** By which hosts of the inventory a rollback restores what the hosts of its run wrote. */
export interface RollbackHosts {
  /** Why a controller is skipped: its name may now belong to another one. An address that is set during the run is checked then. */
  readonly skipReason: (restorer: Restorer) => string | undefined;
  /** If the host is gone or elsewhere, the only one at its address, as after a renaming; but no host that wrote by itself. */
  readonly relocate: (restorer: Restorer) => Restorer;
}

export function rollbackHosts(
  { fingerprint, writes }: Pick<RunHeader, 'fingerprint'> & { readonly writes: readonly WrittenObject[] },
  target: LoadedTarget,
  adjacent: AdjacentVariables,
  cwd: string,
): RollbackHosts {
  const { inventory } = target;
  const before = new Set(fingerprint === undefined ? [] : readFingerprint(fingerprint)?.controllers);
  const writers = new Set(writes.map(({ intent }) => intent.target));
  const addressNow = (controller: Controller): string | undefined =>
    identityBefore(controller, [...controller.layers, ...adjacentLayers(controller, adjacent)], cwd, target);
  const byAddress = lazily(() => groupBy(inventory.controllers.values(), addressNow));
  const skipReason: RollbackHosts['skipReason'] = ({ target: name, connection, reached: { url: then } }) => {
    const controller = findController(inventory, name);
    const isLost = fingerprint === undefined || before.has(name) || connection === undefined;
    if (controller === undefined) return isLost ? `is no longer in the inventory: ${WAY_OUT}` : undefined;
    // The recorded connection identifies the controller.
    if (connection !== undefined) return undefined;
    const now = addressNow(controller);
    return now === undefined || then === now ? undefined : `was at ${then} and is now at ${now}: ${WAY_OUT}`;
  };
  const relocate = (restorer: Restorer): Restorer => {
    if (restorer.connection !== undefined || skipReason(restorer) === undefined) return restorer;
    const [host, ...others] = byAddress().get(restorer.reached.url) ?? [];
    return host === undefined || others.length > 0 || writers.has(host.name)
      ? restorer
      : { ...restorer, target: host.name };
  };
  return { skipReason, relocate };
}

const WAY_OUT = 'to restore it, pass -i with an inventory that has its name and its address';

export function warnRenamed(
  writes: readonly WrittenObject[],
  hostNow: (restorer: Restorer) => string,
  isWithin: (name: string) => boolean,
  diagnostics: Diagnostics,
): void {
  const names = new Map(writes.map(({ intent }) => [intent.target, hostNow(intent)]));
  const renamed = [...names].flatMap(([name, now]) => (name !== now && isWithin(now) ? [`${name} → ${now}`] : []));
  if (renamed.length === 0) return;
  const what = renamed.length === 1 ? 'has another name' : 'have other names';
  diagnostics.warn(
    `${count(renamed.length, 'controller')} of that run ${what} at the same address now: ${nameSome(renamed, MOST_NAMES)}`,
  );
}
