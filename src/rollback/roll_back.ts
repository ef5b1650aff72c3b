import { isGone, resolveName } from '../core/files/paths.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { movedRequest, typedOptions } from '../launch/history/kept_request.js';
import { configOption } from '../launch/history/listed_run.js';
import type { Objection, RunPorts } from '../launch/load/ports.js';
import { selectPlays } from '../launch/load/prepared_run.js';
import { newJournalOptions } from '../launch/prepare/prepare_run.js';
import { earlierWorkspace, type Invocation, readInvocation, type Workspace } from '../launch/request/invocation.js';
import {
  type RunOptions,
  runOptions,
  runRequest,
  type RunRequest,
  type VaultOptions,
} from '../launch/request/run_request.js';
import { startPrepared, type RunOutcome } from '../launch/start/start_run.js';
import {
  readUndoneRun,
  type NamedUndo,
  type UndoneRun,
  loadRollback,
  type LoadedRollback,
} from '../launch/undo/load_rollback.js';
import { loadProject, type Project } from '../project/project/project.js';

/** A planned rollback that is not confirmed yet. */
export interface RollbackProposal extends LoadedRollback {
  readonly undone: UndoneRun;
  readonly request: RunRequest;
}

export interface NothingToDo {
  readonly status: 'ended';
  /** Why. */
  readonly message: string;
}

export interface RollbackOutcome {
  readonly outcome: RunOutcome | NothingToDo;
  /** Whether the plan skips controllers. */
  readonly isPartial: boolean;
  /** The folder that file names in the outcome are relative to. */
  readonly cwd: string;
}

/**
 * Rolls back a run with the inventory and the credentials of that run.
 *
 * @param review shows what will be done, and asks; nothing is done unless it returns `start`
 */
export async function rollBack(
  given: RollbackRequest,
  ports: RunPorts,
  review: (proposal: RollbackProposal) => Promise<'start' | NothingToDo | Objection>,
): Promise<RollbackOutcome> {
  const diagnostics = new Diagnostics();
  const project = await loadProject(ports.cwd, ports.env, diagnostics);
  diagnostics.add((await ports.report.prepare?.()) ?? []);
  const undone = diagnostics.failed()
    ? undefined
    : await readUndoneRun(project.stateDirectory, given, diagnostics, configOption(project));
  if (undone === undefined) return refused(diagnostics, ports.cwd);
  try {
    return diagnostics.failed()
      ? refused(diagnostics, ports.cwd)
      : await rollBackRun({ undone, project }, given, ports, diagnostics, review);
  } finally {
    await undone.release();
  }
}

async function rollBackRun(
  { undone, project }: Undone,
  given: RollbackRequest,
  now: RunPorts,
  diagnostics: Diagnostics,
  review: Parameters<typeof rollBack>[2],
): Promise<RollbackOutcome> {
  const { request, before } = await requestFor({ undone, project }, given, now, diagnostics);
  const ports = { ...now, ...earlierWorkspace(before, now) };
  const { cwd, env, secrets } = ports;
  const workspace = { cwd, env, secrets, askSecret: ports.user.askSecret };
  const requested = { ...request, allowLockout: given.allowLockout };
  const loadedRollback = await loadRollback(undone, requested, workspace, diagnostics);
  diagnostics.requireExecution();
  if (diagnostics.failed()) return refused(diagnostics, ports.cwd);
  ports.report.warnings(diagnostics.list, ports.cwd);
  const answer = await review({ ...loadedRollback, undone, request });
  const planned = { isPartial: loadedRollback.plan.skipped.size > 0, cwd: ports.cwd };
  if (answer !== 'start') return { ...planned, outcome: answer };
  const { loaded } = loadedRollback;
  const { id: undoes } = undone.header;
  const journalOptions = {
    ...newJournalOptions(request, loaded, [], ports),
    undoes,
    playbooks: undone.playbooks,
  };
  const selected = selectPlays(loaded, {}, new Diagnostics());
  const run = { request, loaded, selected, label: undoes, journalOptions, confirmed: true };
  return { ...planned, outcome: await startPrepared(run, ports) };
}

function refused({ list }: Diagnostics, cwd: string): RollbackOutcome {
  return { outcome: { status: 'refused', diagnostics: list }, isPartial: false, cwd };
}

interface Undone {
  readonly undone: UndoneRun;
  readonly project: Project;
}

/** A simulated run is rolled back in a simulation: it wrote to no real controller. */
async function requestFor(
  { undone: { header, invocation }, project }: Undone,
  given: RollbackRequest,
  now: Workspace,
  diagnostics: Diagnostics,
): Promise<{ readonly request: RunRequest; readonly before: Pick<Invocation, 'cwd' | 'config' | 'noExec'> }> {
  const named = header.environment === null ? {} : { env: header.environment };
  const read: Kept & Pick<Invocation, 'config' | 'noExec'> = (invocation && readInvocation(invocation)) ?? {
    cwd: header.cwd,
    ...named,
  };
  const kept = withFilesThere(await movedRequest(read, project, now), diagnostics);
  const command = { type: 'rollback', run: header.id, allowLockout: given.allowLockout === true } as const;
  const options = invokedOptions(given, kept, now.cwd);
  const simulate = header.simulated || given.simulate === true;
  return { before: kept, request: runRequest(command, { ...options, simulate }) };
}

interface RollbackRequest extends Omit<RunRequest, 'command'>, NamedUndo {
  /** Allow writes that may lock Evenkeel out. */
  readonly allowLockout?: boolean | undefined;
}

/** What a rollback shares with its run. */
type Kept = Pick<
  Invocation,
  'cwd' | 'inventory' | 'env' | 'shard' | 'extraVars' | keyof VaultOptions | 'user' | 'askPass'
>;

/** Without the files of `-e @FILE` that were temporary: a rollback needs no more of them than how controllers are reached. */
function withFilesThere<T extends Pick<Kept, 'cwd' | 'extraVars'>>(kept: T, diagnostics: Diagnostics): T {
  const { cwd, extraVars = [] } = kept;
  const namesGone = (text: string): boolean => /^\s*@/.test(text) && isGone(resolveName(cwd, text.trim().slice(1)));
  for (const file of extraVars.filter(namesGone)) {
    const hint = 'if its variables say how to reach or sign in to controllers, pass them with -e';
    diagnostics.warn(`the run had -e ${file.trim()}, which no longer exists`, undefined, hint);
  }
  return { ...kept, extraVars: extraVars.filter((text) => !namesGone(text)) };
}

/**
 * The options of a rollback: the inventory, environment and credentials of the original run, overridden by new
 * options.
 */
function invokedOptions(given: RunOptions, kept: Kept, cwd: string): RunOptions {
  const options = typedOptions(given, cwd, kept.cwd);
  const { inventory, env, extraVars = [] } = options;
  return {
    env: kept.env,
    vaultId: kept.vaultId,
    vaultPasswordFile: kept.vaultPasswordFile,
    askVaultPass: kept.askVaultPass,
    user: kept.user,
    askPass: kept.askPass,
    ...runOptions(options),
    inventory: inventory ?? (env === undefined ? kept.inventory : undefined),
    shard: kept.shard,
    extraVars: [...(kept.extraVars ?? []), ...extraVars],
  };
}
