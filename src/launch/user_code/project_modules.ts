import { errorMessage, type Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { Module } from '../../module/contract.js';
import { loadProject, type Project } from '../../project/project/project.js';
import type { Workspace } from '../request/invocation.js';
import { openCatalogue, type FoundCatalogue, type ModuleSources } from './catalogue.js';
import type { UserCodeOptions } from './user_files.js';

/** The modules that `evenkeel task` would find in this folder. */
export async function projectCatalogue(
  modulePath: readonly string[] | undefined,
  workspace: Workspace,
  diagnostics: Diagnostics,
): Promise<FoundCatalogue> {
  const project = await loadProject(workspace.cwd, workspace.env, diagnostics);
  return openProjectCatalogue(modulePath, project, workspace, diagnostics);
}

/** The modules of a loaded project. @param adjacent the folders of the playbooks */
export function openProjectCatalogue(
  modulePath: readonly string[] | undefined,
  { modulePaths, directory, collections, trust }: Project,
  { cwd, env }: Workspace,
  diagnostics: Diagnostics,
  { adjacent = [cwd], given, onRead }: Partial<ModuleSources> & Pick<UserCodeOptions, 'onRead'> = {},
): FoundCatalogue {
  const sources = { named: modulePath ?? modulePaths, adjacent: [...adjacent, directory], collections, given };
  return openCatalogue(sources, { cwd, env, trust, diagnostics, onRead });
}

/** Loads the modules of these names, and reports those that cannot be loaded. */
export async function loadModules(
  catalogue: Catalogue,
  names: readonly string[],
  diagnostics: Diagnostics,
): Promise<readonly Module[]> {
  const loaded = await Promise.allSettled(names.map((name) => catalogue.load(name)));
  return loaded.flatMap((one, index) => {
    if (one.status === 'fulfilled') return one.value === undefined ? [] : [one.value];
    diagnostics.error(`module ${names[index] ?? ''} cannot be loaded: ${errorMessage(one.reason)}`);
    return [];
  });
}
