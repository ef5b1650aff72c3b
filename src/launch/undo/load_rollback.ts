import { findController, LOCALHOST_NAMES, type Inventory } from '../../core/model/inventory/inventory.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { groupBy } from '../../core/model/values/groups.js';
import { valueAt, type Mapping } from '../../core/model/values/value.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import { unknownController } from '../../engine/controllers/controller_connections.js';
import { textsIn } from '../../module/arguments/validation.js';
import { ProjectSources } from '../../project/document/project_sources.js';
import { loadProject } from '../../project/project/project.js';
import { findRun, JournalError, listRuns, runsFolder } from '../../record/journal/format/run_folders.js';
import { readHeader, type RunHeader } from '../../record/journal/format/run_header.js';
import { openRun } from '../../record/journal/read/read_run.js';
import { requireAsRead } from '../../record/journal/write/continue_run.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { commandLine, nameControllers } from '../../reporting/text/words.js';
import { findEffects } from '../../undo/effects.js';
import type { Restorer, Undo } from '../../undo/undo.js';
import { whyNotEnded } from '../history/run_life.js';
import type { LoadedRun, RollbackInputs } from '../load/load_run.js';
import { type LoadingWorkspace, loadTarget } from '../load/target.js';
import type { RequestedTarget } from '../request/run_request.js';
import { openProjectCatalogue } from '../user_code/project_modules.js';
import { playbookFolders, readAdjacent } from './adjacent_variables.js';
import { rollbackHosts, warnRenamed, type WrittenControllers } from './rollback_hosts.js';
import { groupUndos, type GroupedUndos, rollbackPlaybook } from './rollback_playbook.js';

const MOST_NAMES = 10;

export interface LoadedRollback {
  /** A generated playbook, limited to the controllers with something to restore. */
  readonly loaded: LoadedRun;
  readonly plan: GroupedUndos;
}

/** Prepares the rollback of a run, without contacting a controller. The same run and options give the same playbook. */
export async function loadRollback(
  undone: UndoneRun,
  options: RequestedTarget & { readonly allowLockout?: boolean | undefined },
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<LoadedRollback> {
  const { header, playbooks, writes } = undone;
  const { cwd } = workspace;
  const folders = playbookFolders(playbooks, cwd);
  const place = {
    ...workspace,
    // A run of localhost had no inventory, and needs none.
    mayLackInventory: writes.every(({ intent }) => LOCALHOST_NAMES.includes(intent.controller)),
    // Its tasks can have been delegated to controllers outside the limit of its environment.
    isUnlimited: options.env === undone.invocation?.['env'],
  };
  const { target, adjacent, reads, kinds } = await loadSurroundings(
    { folders, written: writes.map(({ intent }) => intent.controller) },
    options,
    place,
    diagnostics,
  );
  const { skipReason, relocate } = rollbackHosts(undone, target, adjacent, cwd);
  // The new name of a renamed host may belong to another shard.
  const { limitOfAllShards: within } = target;
  const isWithin = (name: string): boolean => within?.has(name) !== false;
  const isFree = (one: Restorer): boolean => skipReason(relocate(one)) === undefined;
  const effects = findEffects(writes, undefined, [(one) => isWithin(relocate(one).target), isFree], relocate);
  warnRenamed(writes, (one) => relocate(one).target, isWithin, diagnostics);
  for (const { masked } of writes) for (const text of masked) target.secrets.add(text);
  for (const effect of effects) if (effect.type === 'undo') learnHidden(effect.undo, target.secrets);
  const selected = effects.filter(({ controller }) => isWithin(controller));
  const plan = inOrder(groupUndos(selected, skipReason), target.inventory);
  const names = new Set([...plan.undos.values()].flat().map(({ restorer }) => restorer.target));
  const added = [...names].filter((name) => findController(target.inventory, name) === undefined);
  const { playbook, catalogue } = rollbackPlaybook({
    undos: plan.undos,
    title: `rollback of ${header.id}`,
    cwd,
    adjacent,
    allowLockout: options.allowLockout === true,
  });
  const limit = new Set(plan.undos.keys());
  return {
    plan,
    loaded: {
      target: { ...target, inventory: withAdded(target.inventory, added), limit },
      catalogue,
      kinds,
      playbooks: [playbook],
      reads,
      rollback: {
        ...{ addresses: inventoryAddresses(writes, relocate), added, limit: within },
        ...{ isPartial: plan.skipped.size > 0, unsettled: undone.unsettled, requireAsRead: undone.requireAsRead },
      },
    },
  };
}

/** What a rollback reads from the project. */
async function loadSurroundings(
  { folders, written }: { readonly folders: readonly string[]; readonly written: readonly string[] },
  options: RequestedTarget,
  workspace: Parameters<typeof loadTarget>[1],
  diagnostics: Diagnostics,
) {
  const reads = new ProjectSources();
  const target = await loadTarget(options, { ...workspace, sources: reads }, diagnostics, folders);
  const adjacent = await readAdjacent(folders, workspace.cwd, diagnostics, target, written);
  const places = { adjacent: [...folders, workspace.cwd] };
  return {
    target,
    reads,
    adjacent,
    kinds: () => openProjectCatalogue(undefined, target.project, workspace, new Diagnostics(), places).kinds(),
  };
}

/** In the order of the inventory. Unknown controllers come last. */
function inOrder({ final, skipped, undos }: GroupedUndos, { controllers }: Inventory): GroupedUndos {
  const places = new Map([...controllers.keys()].map((name, at) => [name, at]));
  const place = (name: string): number => places.get(name) ?? places.size;
  return {
    final: final.toSorted((a, b) => place(a.controller) - place(b.controller)),
    skipped: new Map([...skipped].toSorted(([a], [b]) => place(a) - place(b))),
    undos: new Map([...undos].toSorted(([a], [b]) => place(a) - place(b))),
  };
}

/** Where each host was at its address in the inventory. */
function inventoryAddresses(
  writes: UndoneRun['writes'],
  relocate: (restorer: Restorer) => Restorer,
): ReadonlyMap<string, string> {
  const own = writes.filter(({ intent }) => intent.connection === undefined);
  return new Map(own.map(({ intent }) => [relocate(intent).target, intent.reached.url]));
}

/** With the controllers that `add_host` had added, which the recorded connections lead to. */
function withAdded(inventory: Inventory, added: readonly string[]): Inventory {
  if (added.length === 0) return inventory;
  const all = added.map((name) => [name, unknownController(name)] as const);
  return { ...inventory, controllers: new Map([...inventory.controllers, ...all]) };
}

/** A value written under `no_log` is not shown, even if its name is harmless. */
function learnHidden(undo: Undo, secrets: Secrets): void {
  if (!undo.masked) return;
  const { fields, before, left } = undo;
  if (undo.isDeleted === true) for (const text of textsIn(before)) secrets.add(text);
  for (const object of [before, ...left.map((one) => one.object)]) {
    for (const path of fields) for (const text of textsIn(valueAt(object, path) ?? null)) secrets.add(text);
  }
}

/** Prepares the same rollback again, for a resume. Undefined with a diagnostic if the original run no longer exists. */
export async function loadRollbackAgain(
  { run, allowLockout }: { readonly run: string; readonly allowLockout: boolean },
  options: RequestedTarget,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  const project = await loadProject(workspace.cwd, workspace.env, new Diagnostics());
  // When the rollback began, the run had ended.
  const undone = await readUndoneRun(project.stateDirectory, { run, force: true }, diagnostics);
  if (undone === undefined) return undefined;
  const { loaded, plan } = await loadRollback(undone, { ...options, allowLockout }, workspace, diagnostics);
  for (const [reason, names] of groupBy(plan.skipped.keys(), (name) => plan.skipped.get(name) ?? ''))
    diagnostics.warn(`left alone: ${nameControllers(names, MOST_NAMES)}: the controller ${reason}`);
  return loaded;
}

/** The run that is rolled back. */
export interface UndoneRun extends WrittenControllers, Pick<RollbackInputs, 'unsettled' | 'requireAsRead'> {
  readonly header: RunHeader;
  readonly invocation: Mapping | undefined;
  /** As given; none for a single task. */
  readonly playbooks: readonly string[];
  /** Allows the run to be pruned again. The end of the process does so, too. */
  readonly release: () => Promise<void>;
}

/** A run to roll back: an id, the beginning of one, or `last`; and whether the user says that it has ended. */
export interface NamedUndo {
  readonly run: string;
  readonly force?: boolean | undefined;
}

/**
 * Reads a run that has ended. Undefined with a diagnostic if it cannot be read.
 *
 * @param config from `configOption`
 */
export async function readUndoneRun(
  stateDirectory: string,
  { run: name, force }: NamedUndo,
  diagnostics: Diagnostics,
  config: readonly string[] = [],
): Promise<UndoneRun | undefined> {
  try {
    const id =
      name === 'last' ? await lastToUndo(stateDirectory, diagnostics, config) : await findRun(stateDirectory, name);
    const { run, release } = await openRun(stateDirectory, id, { process: ownIdentity() });
    const { file } = run.tail;
    const { header } = file;
    const running = header.end === undefined ? whyNotEnded(header, force) : undefined;
    if (running !== undefined) diagnostics.add([running]);
    const invocation = run.invocation();
    const { playbooks, fingerprint } = run.inputs();
    return {
      ...{ header, invocation, fingerprint, writes: run.writes(), unsettled: run.unsettled(), release },
      requireAsRead: () => requireAsRead(stateDirectory, file),
      digest: (value) => run.tail.sealer().digest(value),
      playbooks: header.command === 'task' ? [] : playbooks,
    };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    diagnostics.error(error.message, undefined, error.hint);
    return undefined;
  }
}

/**
 * Ignores checks and rollbacks: after `rollback last`, `last` still means the same run, so that the command can be
 * repeated for what it did not restore.
 */
async function lastToUndo(
  stateDirectory: string,
  diagnostics: Diagnostics,
  config: readonly string[],
): Promise<string> {
  let rollback: string | undefined;
  for (const id of await listRuns(stateDirectory)) {
    const { check, undoes } = (await readHeader(stateDirectory, id)).header;
    if (!check && undoes === undefined) {
      if (rollback !== undefined) {
        const hint = `to undo the rollback, name it: ${commandLine(['evenkeel', 'rollback', rollback, ...config])}`;
        diagnostics.warn(`"last" means run ${id}, because run ${rollback} is a rollback`, undefined, hint);
      }
      return id;
    }
    if (!check) rollback ??= id;
  }
  const but = rollback === undefined ? '' : ` but ${rollback}, a rollback,`;
  throw new JournalError(`no run in ${runsFolder(stateDirectory)}${but} may have changed anything`);
}
