import { loadProject } from '../../load/project/project.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import type { LoadedRun } from '../load/load_run.js';
import type { LoadingWorkspace } from '../load/target.js';
import type { TargetOptions } from '../request/run_request.js';
import { loadRollback } from './load_rollback.js';
import { readUndoneRun } from '../history/undone_run.js';

/** The same rollback as before, for a resume. Undefined with a diagnostic if the run that it rolls back is gone. */
export async function loadRollbackAgain(
  { run, allowLockout }: { readonly run: string; readonly allowLockout: boolean },
  options: TargetOptions,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  const project = await loadProject(workspace.cwd, workspace.env, new Diagnostics());
  const undone = await readUndoneRun(project.stateDirectory, run, diagnostics);
  if (undone === undefined) return undefined;
  return (await loadRollback(undone, { ...options, allowLockout }, workspace, diagnostics)).loaded;
}
