import type { Play } from '../../core/model/playbook/playbook.js';
import type { Diagnostics, LoadError } from '../../core/model/source/diagnostic.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { encryptedValues } from '../../project/vault/open_vault.js';
import type { LoadedRun } from './load_run.js';
import { controllersOf, type SelectedPlay } from './selection.js';
import type { Target } from './target.js';

/** Maximum number of values, because each takes milliseconds. Further values are decrypted on first use. */
const MOST = 32;

/**
 * Decrypts values of the selected controllers before the run. Reports what cannot be decrypted as a warning: as in
 * Ansible, only a task that uses it fails.
 */
export async function decryptAhead(
  { target, playbooks }: LoadedRun,
  selected: readonly SelectedPlay[],
  diagnostics: Diagnostics,
): Promise<void> {
  if (!target.vault.hasValues) return;
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  const names = controllersOf(selected);
  const layers = new Set([...target.extraVars, ...plays.flatMap((play) => play.layers)]);
  for (const name of names) for (const layer of layersOf(name, target, plays)) layers.add(layer);
  warnOf(await target.vault.unlock(encryptedValues(layers).slice(0, MOST)), diagnostics);
}

/**
 * Encrypted values of the inventory and of `group_vars` and `host_vars` beside the playbooks, in no particular order.
 */
function layersOf(name: string, { inventory }: Target, plays: readonly Play[]): readonly VariableLayer[] {
  const controller = inventory.controllers.get(name);
  const groups = ['all', ...(controller?.groups ?? [])];
  const beside = plays.flatMap(({ groupLayers, controllerLayers }) => [
    ...groups.flatMap((group) => groupLayers.get(group) ?? []),
    ...(controllerLayers.get(name) ?? []),
  ]);
  return [...(controller?.layers ?? []), ...beside];
}

/** Reports one warning per reason, at the position of the first value. */
function warnOf(failures: readonly LoadError[], diagnostics: Diagnostics): void {
  const byReason = new Map<string, LoadError[]>();
  for (const error of failures) {
    byReason.set(error.message, [...(byReason.get(error.message) ?? []), error]);
  }
  for (const [message, [first, ...others]] of byReason) {
    const count = others.length === 0 ? '' : ` (${others.length + 1} values in all)`;
    diagnostics.warn(`${message}${count}; tasks that use it will fail`, first?.source, first?.hint);
  }
}
