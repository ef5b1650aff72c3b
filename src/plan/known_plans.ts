import { resolveName } from '../core/files/paths.js';
import { orElse } from '../core/model/source/diagnostic.js';
import { appendTo } from '../core/model/values/groups.js';
import { outIn } from '../launch/history/listed_run.js';
import { appliedBy, planFolder, plansIn } from '../launch/planned/plan_copies.js';
import { JournalError, listRuns } from '../record/journal/format/run_folders.js';
import { readHeader, type RunHeader } from '../record/journal/format/run_header.js';
import { readPlanHeader } from '../record/plan/plan_file.js';

/** The maximum number of run headers to read. */
const MOST_RUNS = 200;

/** A saved plan that can be found from the project. */
export interface KnownPlan {
  readonly id: string;
  readonly file: string;
  /** ISO 8601. */
  readonly created: string;
  /** The command that made it; undefined if its run is not kept, for example because the plan was made elsewhere. */
  readonly argv?: readonly string[] | undefined;
  /** Runs that have applied it, with the number of their controllers. */
  readonly applied: readonly { readonly run: string; readonly controllers: number }[];
}

/**
 * The saved plans of a project, newest first: plans of kept runs whose files still exist, plans in the folder of the
 * project, and copies of applied plans.
 */
export async function knownPlans(stateDirectory: string, projectFolder: string): Promise<readonly KnownPlan[]> {
  const made = await madePlans(stateDirectory);
  const adjacent = await plansIn(projectFolder);
  const copies = await plansIn(planFolder(stateDirectory));
  const found = new Map<string, KnownPlan>();
  for (const file of [...made.keys(), ...adjacent, ...copies]) {
    // There may be no such file, or no plan of this version in it.
    const header = orElse(undefined, () => readPlanHeader(file));
    if (header === undefined || found.has(header.id)) continue;
    const { id, created } = header;
    // The plan is a little older than its run. A later run for the same file saved none.
    const argv = made.get(file)?.findLast(({ time }) => time >= created)?.argv;
    found.set(id, { id, file, created, argv, applied: appliedBy(stateDirectory, id) });
  }
  return [...found.values()].sort((a, b) => (a.created < b.created ? 1 : -1));
}

/** Files of plans, with the runs that were to make one there, newest first. */
async function madePlans(stateDirectory: string): Promise<ReadonlyMap<string, readonly RunHeader[]>> {
  const made = new Map<string, RunHeader[]>();
  for (const id of (await listRuns(stateDirectory)).slice(0, MOST_RUNS)) {
    // It may have been pruned meanwhile, or be damaged.
    const { header } = (await readHeader(stateDirectory, id).catch(ignoreDamaged)) ?? {};
    const out = header?.command === 'plan' ? outIn(header.argv) : undefined;
    if (header === undefined || out === undefined) continue;
    appendTo(made, resolveName(header.cwd, out), header);
  }
  return made;
}

function ignoreDamaged(error: unknown): undefined {
  if (!(error instanceof JournalError)) throw error;
}
