import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PlanGuide } from '../../core/model/run/plan.js';
import { Diagnostics, LoadError } from '../../core/model/source/diagnostic.js';
import { loadProject } from '../../project/project/project.js';
import { JournalError } from '../../record/journal/disk/journal_error.js';
import type { PlanFile } from '../../record/plan/plan_file.js';
import { PlanError } from '../../record/plan/plan_format.js';
import { decodeSnapshot, type PlanSnapshot } from '../../record/plan/snapshot.js';
import type { LoadedRun, LoadRunOptions } from '../load/load_run.js';
import { SourceDigests } from '../load/source_digests.js';
import { loadTarget, type LoadingWorkspace } from '../load/target.js';
import { openProjectCatalogue } from '../user_code/project_modules.js';
import { readPlan } from './open_plan.js';
import { AppliedTo } from './plan_copies.js';

/**
 * Loads the inputs of a plan as they were then, and the plan as the guide of the run. Only the project file,
 * passwords and code are current. Undefined with a diagnostic if the plan cannot be applied.
 */
export async function loadPlanned(
  { file, plan: id }: { readonly file: string; readonly plan: string },
  options: LoadRunOptions,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  try {
    const { stateDirectory } = await loadProject(workspace.cwd, workspace.env, new Diagnostics());
    const plan = await readPlan(file, stateDirectory);
    if (plan.header.id !== id)
      throw new PlanError(`${file} now contains another plan`, `the run applied the plan ${id}`);
    return await loadFrom(plan, file, options, workspace, diagnostics);
  } catch (error) {
    if (!(error instanceof PlanError || error instanceof JournalError)) throw error;
    diagnostics.error(error.message, undefined, error.hint);
    return undefined;
  }
}

function createGuide(plan: PlanFile, file: string): PlanGuide {
  const applied = new AppliedTo(file);
  const connections = new Map(Object.entries(plan.summary.connections));
  return {
    type: 'follow',
    digest: plan.digest,
    find: (controller, place, matches) => plan.find(controller, place, matches),
    stepsOf: (controller) => plan.plannedSteps(controller),
    connectionsOf: (controller) => connections.get(controller) ?? [],
    begin: (controller, run) => applied.begin(controller, run),
  };
}

/** @throws PlanError if code that the plan ran has changed */
async function loadFrom(
  plan: PlanFile,
  file: string,
  options: LoadRunOptions,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<LoadedRun> {
  const { cwd } = workspace;
  const reads = new SourceDigests();
  const { onRead } = reads;
  // The current passwords decrypt its values.
  let snapshot: PlanSnapshot | undefined;
  const decoded = (vaulted: Parameters<typeof decodeSnapshot>[2]): PlanSnapshot =>
    (snapshot ??= decodeSnapshot(plan.snapshot, plan.digest, vaulted));
  const target = await loadTarget(options, { ...workspace, onRead }, diagnostics, plan.summary.folders, (vault) =>
    decoded((envelope, source) => vault.value(envelope, source)),
  );
  const { playbooks, variableFiles, secrets, code } = decoded((envelope, source) =>
    target.vault.value(envelope, source),
  );
  for (const secret of secrets) target.secrets.add(secret);
  requireSameCode(code);
  const beside = playbooks.map(({ directory }) => directory);
  const sources = { beside, given: options.modules, onRead };
  const catalogue = openProjectCatalogue(options.modulePath, target.project, workspace, diagnostics, sources);
  return {
    target,
    catalogue,
    kinds: catalogue.kinds,
    playbooks,
    reads,
    plan: {
      role: createGuide(plan, file),
      readVariables: () => (file) => {
        const layer = variableFiles.get(path.normalize(file));
        if (layer !== undefined) return Promise.resolve(layer ?? undefined);
        return Promise.reject(new LoadError(`${path.relative(cwd, file)} was not read when the plan was made`));
      },
    },
  };
}

/**
 * @throws PlanError if code that the plan ran has changed
 */
function requireSameCode(code: PlanSnapshot['code']): void {
  for (const [file, digest] of Object.entries(code)) {
    if (fileDigest(file) === digest) continue;
    throw new PlanError(`${file} has changed since the plan was made, and the plan depends on it`, 'make a new plan');
  }
}

function fileDigest(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file, 'utf8')).digest('base64url');
  } catch {
    return undefined;
  }
}
