import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { loadProject } from '../../project/project/project.js';
import { JournalError } from '../../record/journal/disk/journal_error.js';
import { readKey, requirePrivate } from '../../record/journal/disk/key_file.js';
import { PlanFile } from '../../record/plan/plan_file.js';
import { PlanError, type PlanInputs } from '../../record/plan/plan_format.js';
import { readInvocation, type Invocation } from '../request/invocation.js';
import { refusal, type OrRefused } from '../request/refusal.js';
import type { Workspace } from '../request/workspace.js';

/** A plan with its inputs. */
export interface OpenPlan {
  readonly file: PlanFile;
  readonly inputs: PlanInputs;
  readonly invocation: Invocation;
  /** The state folder of the project whose key opens the plan. */
  readonly stateDirectory: string;
}

/** Reads and checks a plan with the key of the project in the working directory. Closes it when `use` returns. */
export async function openPlan<T>(
  file: string,
  workspace: Workspace,
  use: (plan: OpenPlan) => T,
): Promise<OrRefused<T>> {
  const diagnostics = new Diagnostics();
  const { stateDirectory } = await loadProject(workspace.cwd, workspace.env, diagnostics);
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  try {
    const plan = await readPlan(file, stateDirectory);
    try {
      const inputs = plan.inputs();
      const invocation = plannedInvocation(file, inputs);
      return { status: 'ok', value: use({ file: plan, inputs, invocation, stateDirectory }) };
    } finally {
      plan.close();
    }
  } catch (error) {
    if (error instanceof PlanError || error instanceof JournalError) return refusal(error);
    throw error;
  }
}

/** @throws PlanError if this version cannot read the request */
export function plannedInvocation(file: string, { invocation }: PlanInputs): Invocation {
  const read = readInvocation(invocation);
  if (read !== undefined) return read;
  throw new PlanError(`this version cannot read the request of the plan ${file}`, 'make a new plan');
}

/** @throws PlanError, JournalError */
export async function readPlan(file: string, stateDirectory: string): Promise<PlanFile> {
  const key = await readKey(stateDirectory);
  if (key === undefined)
    throw new PlanError(
      `${file} cannot be opened: there is no key in ${stateDirectory}`,
      'apply a plan in the project that made it',
    );
  requirePrivate(stateDirectory);
  return PlanFile.open(file, key);
}
