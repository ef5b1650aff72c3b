import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { loadProject, type Project } from '../../project/project/project.js';
import { JournalError } from '../../record/journal/disk/journal_error.js';
import { findRun } from '../../record/journal/disk/run_folders.js';
import { withRun, type KeptRun } from '../../record/journal/read/read_run.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import {
  earlierWorkspace,
  type Invocation,
  readInvocation,
  wasAtSites,
  type Workspace,
} from '../request/invocation.js';
import { refusal, type OrRefused } from '../request/refusal.js';
import { KeptOutcome } from './outcome.js';
import { atSitesText, findRollback } from './run_life.js';

/** An earlier run and its request. */
export interface KeptRequest {
  readonly kept: KeptRun;
  readonly invocation: Invocation;
  readonly outcome: KeptOutcome;
  /** The newest rollback of the run that wrote. */
  readonly undoneBy: string | undefined;
}

/**
 * Reads an earlier run, and protects it from pruning until `use` resolves.
 *
 * @param name an id, the beginning of one, or `last`
 */
export async function openKept<T>(
  name: string,
  workspace: Workspace,
  use: (earlier: KeptRequest) => Promise<T>,
): Promise<OrRefused<T>> {
  const diagnostics = new Diagnostics();
  const project = await loadProject(workspace.cwd, workspace.env, diagnostics);
  const { stateDirectory } = project;
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  const outcome = new KeptOutcome();
  const reading = { process: ownIdentity(), onEvent: outcome.add };
  try {
    const id = await findRun(stateDirectory, name);
    return await withRun(stateDirectory, id, reading, async (kept) => {
      const invocation = await keptInvocation(kept, project, workspace);
      if (typeof invocation === 'string') return refusal({ message: invocation });
      const undoneBy = await findRollback(stateDirectory, kept.header);
      return { status: 'ok', value: await use({ kept, invocation, outcome, undoneBy }) };
    });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const refused = refusal(error);
    return { ...refused, diagnostics: [...diagnostics.list, ...refused.diagnostics] };
  }
}

/** A message if the request cannot be read. */
async function keptInvocation(
  { header, invocation }: KeptRun,
  project: Project,
  now: Workspace,
): Promise<Invocation | string> {
  const sealed = invocation();
  if (sealed === undefined) return `run ${header.id} has no recorded request`;
  if (!header.simulated && wasAtSites(sealed)) return atSitesText(header);
  const read = readInvocation(sealed);
  if (read === undefined) return `this version cannot read the request of run ${header.id}`;
  // A plan names its files by their absolute paths.
  if (read.command.type === 'apply')
    return existsSync(read.cwd) ? read : `run ${header.id} was started in ${read.cwd}, which no longer exists`;
  return movedRequest(read, project, now);
}

/**
 * A request whose folder is not on this machine, or has another state folder, because this one came from elsewhere: the
 * folder of the project takes its place. A resume compares all files with those of the run, a rollback the addresses of
 * controllers.
 */
export async function movedRequest<
  T extends Pick<Invocation, 'cwd' | 'config' | 'noExec'> & Partial<Pick<Invocation, 'modulePath'>>,
>(request: T, project: Project, now: Workspace): Promise<T> {
  const { cwd, config, modulePath } = request;
  if (await sharesState(project, earlierWorkspace(request, now))) return request;
  const moved = (file: string): string =>
    file.startsWith(cwd + path.sep) ? path.join(project.directory, path.relative(cwd, file)) : file;
  return {
    ...request,
    cwd: project.directory,
    ...(config !== undefined && { config: moved(config) }),
    ...(modulePath !== undefined && { modulePath: modulePath.map(moved) }),
  };
}

async function sharesState({ directory, stateDirectory }: Project, { cwd, env }: Workspace): Promise<boolean> {
  if (!existsSync(cwd)) return false;
  if (cwd === directory || cwd.startsWith(directory + path.sep)) return true;
  const known = await loadProject(cwd, env, new Diagnostics());
  const real = async (folder: string): Promise<string> => realpath(folder).catch(() => folder);
  return (await real(known.stateDirectory)) === (await real(stateDirectory));
}
