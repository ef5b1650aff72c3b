import path from 'node:path';
import { allSteps, tasksIn, type Playbook } from '../../core/model/playbook/playbook.js';
import type { UnsettledWrite } from '../../core/model/run/past.js';
import type { PlanGuide, PlanMaker } from '../../core/model/run/plan.js';
import { type Diagnostics, placeText, type Source } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import { SecretFinder } from '../../core/secrets/secret_finder.js';
import type { LoadKinds } from '../../kinds/kind_table.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { Module } from '../../module/contract.js';
import { ProjectSources } from '../../project/document/project_sources.js';
import { loadPlaybooks } from '../../project/playbook/playbook.js';
import type { RequestedTarget, RunRequest } from '../request/run_request.js';
import { openProjectCatalogue } from '../user_code/project_modules.js';
import { type LoadedTarget, type LoadingWorkspace, loadTarget, requireInventory } from './target.js';

const NO_LAYERS = { groups: new Map(), controllers: new Map() };

/** Everything a run needs from files, read and checked. */
export interface LoadedRun {
  readonly target: LoadedTarget;
  readonly catalogue: Catalogue;
  /** The kinds of objects that references and simulated controllers know. */
  readonly kinds: LoadKinds;
  readonly playbooks: readonly Playbook[];
  /** The files and programs that it was read from. */
  readonly reads: ProjectSources;
  /** The plan that the run makes or follows. */
  readonly plan?: PlanMaker | PlanGuide | undefined;
  readonly rollback?: RollbackInputs | undefined;
}

/** What a rollback has besides its generated playbook. */
export interface RollbackInputs {
  /** The required addresses of controllers, by name. A controller with another address is not contacted. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Controllers that only the original run knew (`add_host`). */
  readonly added: readonly string[];
  /** The hosts whose writes are undone, as asked for: one host of each controller does it. Undefined: all. */
  readonly limit: ReadonlySet<string> | undefined;
  /** Whether controllers are left alone that the run wrote to. */
  readonly isPartial: boolean;
  /** The writes of the original run whose outcome is unknown. */
  readonly unsettled: readonly UnsettledWrite[];
  /** Rejects with a `JournalError` if the original run went on since it was read. */
  readonly requireAsRead: () => Promise<void>;
}

export interface LoadRunOptions extends RequestedTarget, Pick<RunRequest, 'modulePath'> {
  /** Modules that a program passes as objects. */
  readonly modules?: readonly Module[] | undefined;
}

/** Where the playbooks come from: files, or a task given on the command line. */
export type PlaybookSource =
  | { readonly type: 'files'; readonly files: readonly string[] }
  | {
      readonly type: 'made';
      readonly make: (target: LoadedTarget, catalogue: Catalogue) => Promise<Playbook | undefined>;
    };

/** Reads everything, to report all errors at once. Undefined if the errors prevent a run. */
export async function loadRun(
  source: PlaybookSource,
  options: LoadRunOptions,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  const { cwd } = workspace;
  const adjacent = source.type === 'files' ? source.files.map((file) => path.dirname(path.resolve(cwd, file))) : [cwd];
  const { sources: reads = new ProjectSources() } = workspace;
  const reading = { ...workspace, sources: reads, mayLackInventory: true } as const;
  const target = await loadTarget(options, reading, diagnostics, adjacent);
  const { project, library, vault } = target;
  const catalogue = openProjectCatalogue(options.modulePath, project, workspace, diagnostics, {
    adjacent,
    given: options.modules,
    onRead: reads.noteCode,
  });
  const { inventory, extraVars } = target;
  const playbooks =
    source.type === 'made'
      ? [await source.make(target, catalogue)].flatMap((playbook) => playbook ?? [])
      : await loadPlaybooks(source.files, {
          cwd,
          catalogue,
          // Without the whole inventory, patterns cannot be checked.
          inventory: inventory.partial === true || inventory.controllers.size === 0 ? undefined : inventory,
          names: inventory,
          extraVars,
          rolesPath: reads.recall('setting', 'roles_path', () => project.rolesPath),
          diagnostics,
          library: reads.lookups(library),
          vault,
          sources: reads,
        });
  requireInventory(options, target, playbooks, diagnostics);
  if (source.type === 'made' && playbooks.length === 0) return undefined;
  learnLater(target, playbooks);
  return { target, catalogue, kinds: catalogue.kinds, playbooks, reads };
}

/** Registers secrets in the plays' variables, because output can precede the run. */
function learnLater({ secrets, inventory, vault }: LoadedTarget, playbooks: readonly Playbook[]): void {
  secrets.learnLater(() => {
    const plays = playbooks.flatMap((playbook) => playbook.plays);
    const finder = new SecretFinder(secrets, inventory, hasTemplate);
    finder.learnFiles({ inventory: NO_LAYERS, extraVars: [], plays });
    finder.learnFound(vault.hidden, plays);
  });
}

/**
 * Finds the arguments of a task as written in the file. Unknown for files that are included during the run, and for
 * loops whose variable is not `item`. Searches the playbooks on first use.
 */
export function writtenArguments(playbooks: readonly Playbook[]): (source: Source) => Value | undefined {
  let found: Map<string, Value> | undefined;
  return (source) => (found ??= argumentsByPlace(playbooks)).get(placeText(source));
}

function argumentsByPlace(playbooks: readonly Playbook[]): Map<string, Value> {
  const found = new Map<string, Value>();
  for (const play of playbooks.flatMap(({ plays }) => plays)) {
    for (const task of tasksIn([...allSteps(play), ...play.handlers])) {
      if ((task.loop?.variable ?? 'item') === 'item') found.set(placeText(task.source), task.args);
    }
  }
  return found;
}
