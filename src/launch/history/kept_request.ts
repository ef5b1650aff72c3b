import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside, fileTypeAt, resolveName, whyAbsent } from '../../core/files/paths.js';
import { renameFiles } from '../../core/model/inventory/pattern_terms.js';
import type { Event } from '../../core/model/run/event.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { InventorySource } from '../../project/inventory/load.js';
import { loadProject, type Project } from '../../project/project/project.js';
import { findRun, JournalError } from '../../record/journal/format/run_folders.js';
import { withRun, type KeptRun } from '../../record/journal/read/read_run.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { type Invocation, readInvocation, type Workspace } from '../request/invocation.js';
import { type OrRefused, refusal, refusedBy, type RunOptions } from '../request/run_request.js';
import { KeptOutcome } from './outcome.js';
import { findRollback } from './run_life.js';

/** An earlier run and its request. */
export interface KeptRequest {
  readonly project: Project;
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
  if (diagnostics.failed()) return refusedBy(diagnostics);
  const outcome = new KeptOutcome();
  const onEvent = (event: Event): void => outcome.handle(event);
  try {
    const id = await findRun(stateDirectory, name);
    return await withRun(stateDirectory, id, { process: ownIdentity(), onEvent }, async (kept) => {
      const invocation = await keptInvocation(kept, project, workspace);
      if (typeof invocation === 'string') return refusal({ message: invocation });
      const undoneBy = await findRollback(stateDirectory, kept.header);
      return { status: 'ok', value: await use({ project, kept, invocation, outcome, undoneBy }) };
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
  const read = readInvocation(sealed);
  if (read === undefined) return `this version cannot read the request of run ${header.id}`;
  if (read.command.type !== 'apply') return movedRequest(read, project, now);
  // A plan names its files by their absolute paths.
  const started = `run ${header.id} was started in ${read.cwd}`;
  const absent = whyAbsent(read.cwd);
  if (absent !== undefined) return `${started}, ${absent}`;
  const { sharesState } = await formerProject(read, project, now);
  return sharesState ? read : `${started}, which has another state folder: continue it there`;
}

type StartedIn = Pick<Invocation, 'cwd' | 'config'>;

/**
 * A request whose folder is not on this machine, or has another state folder, because this one came from elsewhere: the
 * current project takes the place of the run's. A resume compares all files with those of the run, a rollback the
 * addresses of controllers.
 */
export async function movedRequest<T extends StartedIn & Partial<Pick<Invocation, 'modulePath'>>>(
  request: T,
  project: Project,
  now: Workspace,
): Promise<T> {
  const { cwd, config, modulePath } = request;
  const { directory, sharesState } = await formerProject(request, project, now);
  if (sharesState) return request;
  // A project file that was named can be anywhere.
  const [from, to] = isInside(directory, cwd) ? [directory, project.directory] : [cwd, now.cwd];
  // Others are names of packages.
  const moved = (file: string): string =>
    path.isAbsolute(file) && isInside(from, file) ? path.join(to, path.relative(from, file)) : file;
  return {
    ...request,
    cwd: moved(cwd),
    ...(config !== undefined && { config: moved(config) }),
    ...(modulePath !== undefined && { modulePath: modulePath.map(moved) }),
  };
}

/** The folder of a run's project, or the run's own if that is gone, and whether the project has this state folder. */
async function formerProject(
  { cwd, config }: StartedIn,
  { directory, stateDirectory }: Project,
  { env }: Workspace,
): Promise<{ readonly directory: string; readonly sharesState: boolean }> {
  if (!existsSync(cwd)) return { directory: cwd, sharesState: false };
  const { EVENKEEL_STATE_DIR: named = '' } = env;
  if (isInside(directory, cwd) || (named !== '' && !isInside(directory, stateDirectory)))
    return { directory, sharesState: true };
  const ofRun = { ...env, EVENKEEL_CONFIG: config, EVENKEEL_STATE_DIR: undefined };
  const former = await loadProject(cwd, ofRun, new Diagnostics());
  const real = async (folder: string): Promise<string> => realpath(folder).catch(() => folder);
  const sharesState = (await real(former.stateDirectory)) === (await real(stateDirectory));
  return { directory: former.directory, sharesState };
}

/** Makes file names in options absolute, because the earlier run may have started in another folder. */
export function typedOptions<T extends RunOptions>(options: T, typedIn: string, startedIn: string): T {
  if (typedIn === startedIn) return options;
  const absolute = (file: string): string => resolveName(typedIn, file);
  // A list of names (`lb1,`) is not a file.
  const source = (one: InventorySource): InventorySource =>
    typeof one !== 'string' || one.includes(',') ? one : absolute(one);
  const afterAt = (text: string): string => (/^\s*@/.test(text) ? `@${absolute(text.trim().slice(1))}` : text);
  // `label@file`, `file`, or either with `prompt` as the file.
  const afterLabel = (id: string): string => {
    const at = id.indexOf('@') + 1;
    return id.slice(at) === 'prompt' ? id : id.slice(0, at) + absolute(id.slice(at));
  };
  // Others are names of packages.
  const folder = (one: string): string => (fileTypeAt(absolute(one)) === 'folder' ? absolute(one) : one);
  const { inventory, extraVars, vaultId, vaultPasswordFile, limit, modulePath } = options;
  return {
    ...options,
    ...(inventory !== undefined && { inventory: inventory.map(source) }),
    ...(extraVars !== undefined && { extraVars: extraVars.map(afterAt) }),
    ...(vaultId !== undefined && { vaultId: vaultId.map(afterLabel) }),
    ...(vaultPasswordFile !== undefined && { vaultPasswordFile: vaultPasswordFile.map(absolute) }),
    ...(limit !== undefined && { limit: renameFiles(limit, absolute) }),
    ...(modulePath !== undefined && { modulePath: modulePath.map(folder) }),
  };
}
