import { isBelow, isRollback, playArea } from '../../core/model/playbook/step_place.js';
import type { PlannedRollback, RunPart } from '../../engine/input/run_input.js';
import type { UnsettledWrites } from '../../engine/input/unsettled_writes.js';
import { withRun } from '../../record/journal/read/read_run.js';
import type { RunJournal } from '../../record/journal/write/run_journal.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { findEffects } from '../../undo/effects.js';
import { writesOfBatch } from '../../undo/object_writes.js';
import { groupUndos, rollbackPlaybook } from './rollback_playbook.js';

/** The running run. */
export interface RollingBack {
  readonly stateDirectory: string;
  readonly cwd: string;
  readonly journal: RunJournal;
  readonly unsettled: UnsettledWrites | undefined;
}

const LEFT = 'was left as it is: the play no longer has this controller';

/** Plans the rollback of a batch for a gate, from the journal of the running run. */
export async function planBatchRollback(
  { stateDirectory, cwd, journal, unsettled }: RollingBack,
  { play, controllers, gone, adjacent }: RunPart,
): Promise<PlannedRollback> {
  journal.flush();
  const all = await withRun(stateDirectory, journal.id, { process: ownIdentity() }, (kept) => {
    unsettled?.addTo(kept.unsettled());
    return kept.writes();
  });
  const ofPlay = all.filter(({ intent: { place } }) => isBelow(place, playArea(play)));
  const effects = (names: ReadonlySet<string>) => {
    // An earlier rollback may have written to other controllers, where tasks were delegated to.
    const own = ofPlay.filter(({ intent: { place, controller } }) => isRollback(place) || names.has(controller));
    return findEffects(own, writesOfBatch(names));
  };
  const { undos, final } = groupUndos(effects(new Set(controllers)), () => undefined);
  const left = effects(new Set(gone)).map((effect) =>
    effect.type === 'final' ? effect : { controller: effect.controller, object: effect.undo.object, reason: LEFT },
  );
  const title = 'roll back the batch';
  const { playbook, catalogue } = rollbackPlaybook({ undos, title, cwd, adjacent, allowLockout: false });
  return {
    ...(undos.size > 0 && { playbook }),
    controllers: [...undos.keys()],
    catalogue,
    final: [...final, ...left],
  };
}
