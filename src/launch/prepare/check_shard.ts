import { shardIndex } from '../../core/model/run/shard.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { cutBatches } from '../../engine/batch/batches.js';
import { fleetNeeds, SHARD_HINT, type FleetNeed } from '../../engine/keywords/whole_fleet.js';
import type { PreparedRun, SelectedPlay } from '../load/prepared_run.js';
import { findLockedNames } from '../lock/locked_names.js';

/** Refuses what needs the whole fleet, on all machines alike: a shard knows nothing of the others. */
export async function checkShard(
  { loaded, selected, answers }: Pick<PreparedRun, 'loaded' | 'selected' | 'answers'>,
  diagnostics: Diagnostics,
): Promise<void> {
  const { shard, inventory } = loaded.target;
  if (shard === undefined) return;
  if (loaded.playbooks.length > 1) {
    const message = '--shard: a failure in another shard would not keep the next playbook from starting';
    diagnostics.error(message, undefined, 'run one playbook at a time');
  }
  for (const play of selected) {
    const needs = [
      ...playNeeds(play),
      ...fleetNeeds([...play.steps, ...play.play.handlers], (name) => inventory.controllers.has(name)),
    ];
    for (const { message, source } of needs) diagnostics.error(`--shard: ${message}`, source, SHARD_HINT);
  }
  const whole = selected.map((play) => ({ ...play, controllers: play.ofAllShards ?? play.controllers }));
  for (const names of (await findLockedNames(loaded, whole, answers))?.values() ?? []) {
    if (new Set(names.map((name) => shardIndex(name, shard.count))).size > 1)
      diagnostics.error(
        `--shard: ${names.join(' and ')} have the same address, and are in different shards`,
        undefined,
        'two machines would change one controller at the same time: leave all but one name out with --limit',
      );
  }
}

function playNeeds({ play, serial, controllers, ofAllShards = controllers }: SelectedPlay): readonly FleetNeed[] {
  const { gate, maxFailPercentage, source } = play;
  const batches = cutBatches(ofAllShards, serial).length;
  const needs: FleetNeed[] = [];
  if (batches > 1)
    needs.push({
      message: `serial makes ${batches} batches, and a shard cannot wait for the batches of the others`,
      source: play.serial?.[0]?.source ?? source,
    });
  if (gate !== undefined)
    needs.push({ message: 'the gate would check the controllers of this shard only', source: gate.source });
  if (maxFailPercentage !== undefined)
    needs.push({
      message: 'max_fail_percentage would count the failures of this shard only',
      source: maxFailPercentage.source,
    });
  return needs;
}
