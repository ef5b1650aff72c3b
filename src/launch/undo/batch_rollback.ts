import type { PlanRollback } from '../../engine/input/run_input.js';
import type { UnsettledWrites } from '../../engine/input/unsettled_writes.js';
import { withRun } from '../../record/journal/read/read_run.js';
import type { RunJournal } from '../../record/journal/write/run_journal.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { chooseNames } from '../../undo/chosen_name.js';
import { effectsOf } from '../../undo/effects.js';
import { placesOfTargets, planRollback } from './plan.js';
import { rollbackPlaybook } from './rollback_playbook.js';

interface OwnRun {
  readonly stateDirectory: string;
  readonly cwd: string;
  readonly journal: RunJournal;
  readonly unsettled: UnsettledWrites | undefined;
}

/** Rolls back a batch for a gate, from the journal of the running run. */
export function batchRollback({ stateDirectory, cwd, journal, unsettled }: OwnRun): PlanRollback {
  return async ({ play, controllers }) => {
    journal.flush();
    const process = ownIdentity();
    const { all, placeOfTarget } = await withRun(stateDirectory, journal.id, { process }, (kept) => {
      unsettled?.addTo(kept.unsettled());
      return { all: kept.writes(), placeOfTarget: placesOfTargets(kept) };
    });
    const batch = new Set(controllers);
    const own = all.filter(({ intent }) => intent.place.startsWith(`${play}:`) && batch.has(intent.controller));
    const { undos, final } = planRollback(effectsOf(own, chooseNames(own, { placeOfTarget })), () => undefined);
    const { playbook, catalogue } = rollbackPlaybook({
      undos,
      title: 'roll back the batch',
      cwd,
      allowLockout: false,
    });
    return { ...(undos.size > 0 && { playbook }), controllers: [...undos.keys()], catalogue, final };
  };
}
