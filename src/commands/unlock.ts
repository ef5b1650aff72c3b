import type { LoadError } from '../model/load_error.js';
import type { Diagnostics } from '../model/diagnostic.js';
import type { Play } from '../model/playbook.js';
import { isList, isMapping, Vaulted, type Value } from '../model/value.js';
import type { VariableLayer } from '../model/variables.js';
import type { SelectedPlay } from './listing.js';
import type { LoadedRun } from './load_run.js';
import type { Target } from './target.js';

/**
 * Decrypts the values that the selected controllers see, all of them together, since one by one each would hold up a run for
 * milliseconds. What cannot be decrypted is told as a warning: as in Ansible, only what uses it fails.
 */
export async function unlock(
  { target, playbooks }: LoadedRun,
  selected: readonly SelectedPlay[],
  diagnostics: Diagnostics,
): Promise<void> {
  if (!target.vault.hasValues) return;
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  const names = new Set(selected.flatMap(({ controllers }) => controllers));
  const layers = new Set([...target.extraVars, ...plays.flatMap((play) => play.layers)]);
  for (const name of names) for (const layer of layersOf(name, target, plays)) layers.add(layer);
  const failures = await target.vault.unlock([...layers].flatMap(({ values }) => encryptedIn(values)));
  warnOf(failures, diagnostics);
}

/** Of the inventory and of `group_vars` and `host_vars` beside the playbooks, in no order. */
function layersOf(name: string, { inventory }: Target, plays: readonly Play[]): readonly VariableLayer[] {
  const controller = inventory.controllers.get(name);
  const groups = ['all', ...(controller?.groups ?? [])];
  const beside = plays.flatMap(({ groupLayers, controllerLayers }) => [
    ...groups.flatMap((group) => groupLayers.get(group) ?? []),
    ...(controllerLayers.get(name) ?? []),
  ]);
  return [...(controller?.layers ?? []), ...beside];
}

function encryptedIn(value: Value): readonly Vaulted[] {
  if (value instanceof Vaulted) return [value];
  if (isList(value)) return value.flatMap(encryptedIn);
  return isMapping(value) ? Object.values(value).flatMap(encryptedIn) : [];
}

/** Values that share a reason share a warning, at the place of the first. */
function warnOf(failures: readonly LoadError[], diagnostics: Diagnostics): void {
  const byReason = new Map<string, LoadError[]>();
  for (const error of failures) {
    byReason.set(error.message, [...(byReason.get(error.message) ?? []), error]);
  }
  for (const [message, [first, ...others]] of byReason) {
    const count = others.length === 0 ? '' : ` (${others.length + 1} values in all)`;
    diagnostics.warn(`${message}${count}; what uses it will fail`, first?.source, first?.hint);
  }
}
