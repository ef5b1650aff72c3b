import { existsSync } from 'node:fs';
import path from 'node:path';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { loadProject } from '../../project/project/project.js';
import { JournalError } from '../../record/journal/disk/journal_error.js';
import { findRun } from '../../record/journal/disk/run_folders.js';
import { withRun, type KeptRun } from '../../record/journal/read/read_run.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { type Invocation, readInvocation, wasAtSites, type Workspace } from '../request/invocation.js';
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
  { cwd, env }: Workspace,
  use: (earlier: KeptRequest) => Promise<T>,
): Promise<OrRefused<T>> {
  const diagnostics = new Diagnostics();
  const { stateDirectory, directory } = await loadProject(cwd, env, diagnostics);
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  const outcome = new KeptOutcome();
  const reading = { process: ownIdentity(), onEvent: outcome.add };
  try {
    const id = await findRun(stateDirectory, name);
    return await withRun(stateDirectory, id, reading, async (kept) => {
      const invocation = keptInvocation(kept, directory);
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
function keptInvocation({ header, invocation }: KeptRun, projectFolder: string): Invocation | string {
  const sealed = invocation();
  if (sealed === undefined) return `run ${header.id} has no recorded request`;
  if (!header.simulated && wasAtSites(sealed)) return atSitesText(header);
  const read = readInvocation(sealed);
  if (read === undefined) return `this version cannot read the request of run ${header.id}`;
  // A plan names its files by their absolute paths.
  if (read.command.type === 'apply' && !existsSync(read.cwd))
    return `run ${header.id} was started in ${read.cwd}, which no longer exists`;
  return movedRequest(read, projectFolder);
}

/**
 * A request whose folder is not on this machine, because the state folder came from another one: the folder of the
 * project takes its place. A resume compares all files with those of the run, a rollback the addresses of controllers.
 */
export function movedRequest<T extends Pick<Invocation, 'cwd' | 'config'> & Partial<Pick<Invocation, 'modulePath'>>>(
  request: T,
  projectFolder: string,
): T {
  const { cwd, config, modulePath } = request;
  if (existsSync(cwd)) return request;
  const moved = (file: string): string =>
    file.startsWith(cwd + path.sep) ? path.join(projectFolder, path.relative(cwd, file)) : file;
  return {
    ...request,
    cwd: projectFolder,
    ...(config !== undefined && { config: moved(config) }),
    ...(modulePath !== undefined && { modulePath: modulePath.map(moved) }),
  };
}
