import { loadProject } from '../../load/project/project.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import type { CommandContext } from '../../cli/context.js';
import type { LoadedRun } from '../load/load_run.js';
import type { TargetOptions } from '../request/options.js';
import { loadRollback } from './load_rollback.js';
import { readUndoneRun } from './undone_run.js';

/** Loads the same rollback again to resume it. Undefined, with a diagnostic, if the run that it undoes is gone. */
export async function loadRollbackAgain(
  { run, allowLockout }: { readonly run: string; readonly allowLockout: boolean },
  options: TargetOptions,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  const project = await loadProject(context.cwd, context.env, new Diagnostics());
  const undone = await readUndoneRun(project.stateDirectory, run, diagnostics);
  if (undone === undefined) return undefined;
  return (await loadRollback(undone, { ...options, allowLockout }, context, diagnostics)).loaded;
}
