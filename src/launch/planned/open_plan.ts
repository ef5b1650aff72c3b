import { readFileSync } from 'node:fs';
import { whyAbsent } from '../../core/files/paths.js';
import type { PlanGuide } from '../../core/model/run/plan.js';
import { Diagnostics, LoadError, orElse } from '../../core/model/source/diagnostic.js';
import { ProjectSources, textDigest } from '../../project/document/project_sources.js';
import { loadProject } from '../../project/project/project.js';
import { readKey, requirePrivate } from '../../record/journal/format/project_key.js';
import { JournalError } from '../../record/journal/format/run_folders.js';
import { PlanFile } from '../../record/plan/plan_file.js';
import { PlanError, type PlanInputs } from '../../record/plan/sealed_parts.js';
import { withOutdated } from '../../reporting/text/source_files.js';
import { commandLine } from '../../reporting/text/words.js';
import { loadRun, type LoadedRun, type LoadRunOptions } from '../load/load_run.js';
import type { LoadingWorkspace } from '../load/target.js';
import { type Invocation, readInvocation, type Workspace } from '../request/invocation.js';
import { refusal, refusedBy, type OrRefused, type Refused, type RunRequest } from '../request/run_request.js';
import { AppliedTo } from './plan_copies.js';

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
  if (diagnostics.failed()) return refusedBy(diagnostics);
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
function plannedInvocation(file: string, { invocation }: PlanInputs): Invocation {
  const read = readInvocation(invocation);
  if (read !== undefined) return read;
  throw new PlanError(`this version cannot read the request of the plan ${file}`, 'make a new plan');
}

/** @throws PlanError, JournalError */
async function readPlan(file: string, stateDirectory: string): Promise<PlanFile> {
  const key = await readKey(stateDirectory);
  if (key === undefined) {
    const message = `${file} cannot be opened: there is no key in ${stateDirectory}`;
    throw new PlanError(message, 'apply a plan in the project that made it');
  }
  requirePrivate(stateDirectory);
  return PlanFile.open(file, key);
}

const MAX_AGE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The clock of the machine that made the plan may be ahead by so much. */
const CLOCKS_DIFFER_MS = 60_000;

/** Why the plan is not applied; undefined if it is. */
export function whyNotNow(file: string, cwd: string, created: string, maxAge = MAX_AGE_DAYS): Refused | undefined {
  const absent = whyAbsent(cwd);
  if (absent !== undefined) {
    const hint = 'apply it in a copy of the project at the same place, or make a new plan';
    return refusal({ message: `${file} was made in ${cwd}, ${absent}`, hint });
  }
  const age = Date.now() - Date.parse(created);
  // A clock that was turned back would keep an old plan young.
  if (age < -CLOCKS_DIFFER_MS) {
    const why = 'the clock of this machine, or of the one that made the plan, is wrong';
    const hint = 'set the clock; then make a new plan if this one is old';
    return refusal({ message: `${file} was made in the future, at ${created}: ${why}`, hint });
  }
  if (age > maxAge * DAY_MS) {
    const days = Math.floor(age / DAY_MS);
    const hint = 'make a new plan; or apply this one with --max-age DAYS';
    return refusal({ message: `${file} is ${days} days old, and plans are applied for ${maxAge}`, hint });
  }
  return undefined;
}

type PlannedRunOptions = LoadRunOptions & Pick<RunRequest, 'simulate'>;

/**
 * Loads the inputs of a plan as they were then, and the plan as the guide of the run. Only the project file,
 * passwords and code are current. Undefined with a diagnostic if the plan cannot be applied.
 */
export async function loadPlanned(
  { file, plan: id }: { readonly file: string; readonly plan: string },
  options: PlannedRunOptions,
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
    if (!(error instanceof PlanError || error instanceof JournalError || error instanceof LoadError)) throw error;
    diagnostics.error(error.message, undefined, error.hint);
    return undefined;
  }
}

function createGuide(plan: PlanFile, file: string, argv: PlanInputs['argv'] = []): PlanGuide {
  const applied = new AppliedTo(file);
  const connections = new Map(Object.entries(plan.summary.connections));
  const changing = new Map(Object.entries(plan.summary.changing ?? {}));
  return {
    type: 'follow',
    madeBy: argv.length === 0 ? undefined : commandLine(['evenkeel', ...argv]),
    digest: plan.digest,
    find: (controller, place, matches) => plan.find(controller, place, matches),
    steps: (controller) => plan.plannedSteps(controller),
    connections: (controller) => connections.get(controller) ?? [],
    changingAt: (address) => changing.get(address) ?? [],
    begin: (controller, run) => applied.begin(controller, run),
    hasBegun: (controller) => applied.has(controller),
  };
}

/** @throws PlanError if code that the plan ran has changed */
async function loadFrom(
  plan: PlanFile,
  file: string,
  options: PlannedRunOptions,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  const inputs = plan.inputs();
  const { command, simulate } = plannedInvocation(file, inputs);
  if (command.type !== 'run') throw new PlanError(`${file} is not a plan of playbooks`, 'make a new plan');
  if (options.simulate === true && simulate !== true)
    throw new PlanError(
      'a plan of real controllers cannot be applied with --simulate: simulated ones have other objects, and it would count as applied',
      'omit --simulate, or make a plan with --simulate',
    );
  requireSameCode(inputs.code);
  for (const secret of inputs.secrets) workspace.secrets?.add(secret);
  const sources = new ProjectSources({ recorded: inputs.answers, cwd: workspace.cwd });
  const found = new Diagnostics();
  const loaded = await loadRun({ type: 'files', files: command.playbooks }, options, { ...workspace, sources }, found);
  // Warnings about the same files were shown when the plan was made.
  if (found.failed()) diagnostics.add(withOutdated(found.list, workspace.cwd, sources.hasChanged));
  return loaded && { ...loaded, plan: createGuide(plan, file, inputs.argv) };
}

/**
 * @throws PlanError if code that the plan ran has changed
 */
function requireSameCode(code: PlanInputs['code']): void {
  for (const [file, digest] of Object.entries(code)) {
    if (orElse(undefined, () => textDigest(readFileSync(file, 'utf8'))) === digest) continue;
    throw new PlanError(`${file} has changed since the plan was made, and the plan depends on it`, 'make a new plan');
  }
}
