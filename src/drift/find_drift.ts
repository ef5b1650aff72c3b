import { builtinModules } from '../../modules/index.js';
import { EXIT } from '../core/model/exit_code.js';
import { allSteps, tasksIn, type Playbook } from '../core/model/playbook/playbook.js';
import type { RunFinished } from '../core/model/run/event.js';
import { errorMessage, placeText, type Source } from '../core/model/source/diagnostic.js';
import { maskText } from '../core/secrets/mask_text.js';
import { runDetail } from '../launch/history/run_detail.js';
import { identityInFiles } from '../launch/load/addresses_in_files.js';
import { writtenArguments } from '../launch/load/load_run.js';
import type { RunPorts } from '../launch/load/ports.js';
import { stateFolder } from '../launch/load/prepared_run.js';
import type { LoadedTarget } from '../launch/load/target.js';
import { prepareRun } from '../launch/prepare/prepare_run.js';
import type { RunRequest } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { startPrepared } from '../launch/start/start_run.js';
import type { Module } from '../module/contract.js';
import { readHeader } from '../record/journal/format/run_header.js';
import { withRun } from '../record/journal/read/read_run.js';
import { ownIdentity } from '../record/locks/process_identity.js';
import { watched } from '../reporting/reporter.js';
import type { FailureGroup } from '../reporting/run/failures/failure_group.js';
import type { HasChanged } from '../reporting/text/source_files.js';
import { compareNames } from '../reporting/text/words.js';
import { DriftCollector, type DriftedObject, type DriftedTask, type NotCompared } from './collector.js';
import { findOrigins, type Origins } from './origins.js';
import { withUnmanaged, type UnmanagedObject } from './unmanaged.js';

/** The differences between controllers and playbooks. */
export interface Drift {
  /** The id of the check. */
  readonly run: string;
  readonly finished: RunFinished;
  readonly exitCode: number;
  readonly controllers: ReadonlySet<string>;
  /** Controllers that differ. */
  readonly drifted: ReadonlySet<string>;
  /** Controllers with relevant objects that could not be read. */
  readonly unread: ReadonlySet<string>;
  readonly tasks: readonly DriftedTask[];
  readonly notCompared: readonly NotCompared[];
  readonly failures: readonly FailureGroup[];
  readonly judgeOrigin: Origins['judge'];
  /** Absent: not requested. */
  readonly unmanaged: readonly UnmanagedObject[] | undefined;
  readonly warnings: readonly string[];
  /** Absent: the journal does not say. */
  readonly hasChanged?: HasChanged;
}

type DriftOutcome = { readonly status: 'compared'; readonly drift: Drift } | NotPermitted;

interface DriftOptions {
  /** List the objects that no task manages. */
  readonly unmanaged: boolean;
  /** Keep every change, for raw diffs. */
  readonly raw: boolean;
}

/** Compares the controllers with the playbooks: a check that writes nothing, whatever its tasks say. */
export async function findDrift(
  request: RunRequest,
  ports: RunPorts,
  { unmanaged, raw }: DriftOptions,
): Promise<DriftOutcome> {
  const prepared = await prepareRun({ ...request, check: true, readOnly: true }, ports);
  if (prepared.status === 'refused') return prepared;
  const { playbooks } = prepared.run.loaded;
  const listing = unmanaged ? await withUnmanaged(prepared.run) : undefined;
  const run = listing?.run ?? prepared.run;
  const collector = new DriftCollector({ written: writtenArguments(playbooks), raw });
  const open: RunPorts['report']['open'] = (...opened) => watched(ports.report.open(...opened), collector.handle);
  const outcome = await startPrepared(run, { ...ports, report: { ...ports.report, open } });
  if (outcome.status !== 'finished') return outcome;
  const drift = await driftIn(collector, outcome.finished, {
    load: (name) => run.loaded.catalogue.load(name),
    playbooks: run.loaded.playbooks,
    state: stateFolder(run),
    target: run.loaded.target,
    simulated: run.request.simulate === true,
  });
  const { hasChanged } = run.loaded.reads;
  return { status: 'compared', drift: { ...drift, unmanaged: listing?.objects(), hasChanged } };
}

interface CheckedBy {
  readonly load: (module: string) => Promise<Pick<Module, 'type'> | undefined>;
  /** For the order of tasks. */
  readonly playbooks: readonly Playbook[];
  readonly state: string | undefined;
  /** Absent: of a run that has ended. */
  readonly target?: LoadedTarget;
  readonly simulated: boolean;
}

async function driftIn(
  collector: DriftCollector,
  finished: RunFinished,
  { load, playbooks, state, target, simulated }: CheckedBy,
): Promise<Omit<Drift, 'unmanaged'>> {
  const { run: id } = finished;
  const { failures } = collector;
  const isAction = await actionsAmong(collector.unclearModules, load);
  const inPlaybookOrder = playbookOrder(playbooks);
  const tasks = inPlaybookOrder(collector.tasks);
  const notCompared = inPlaybookOrder(collector.notCompared(isAction));
  const objects = tasks.flatMap(({ groups }) => groups.flatMap(({ members }) => members));
  const warnings: string[] = [];
  const names = new Set(objects.flatMap((one) => (one.address === undefined ? [one.target] : [])));
  const reached = await inventoryAddresses(names, target, () => reachedAddresses(state, id, warnings));
  const origins = await findOrigins(objects, state, { id, simulated, reached });
  const drifted = driftedControllers(tasks, objects);
  const unread = new Set([
    ...notCompared
      .filter((one) => one.unread)
      .flatMap(({ controllers }) => [...controllers.values()].map(({ controller }) => controller)),
    ...failures.controllers,
    ...finished.unstarted,
    ...(finished.cutOff ?? []),
  ]);
  return {
    run: id,
    finished,
    tasks,
    notCompared,
    drifted,
    unread,
    exitCode: driftExitCode(finished, unread, drifted),
    // Also those of plays that did not start.
    controllers: new Set([...collector.controllers, ...finished.unstarted]),
    failures: failures.groups,
    judgeOrigin: origins.judge,
    warnings: [...warnings, ...origins.warnings],
  };
}

/** Where the inventory leads hosts, as journals show it. Of those whose address is not known before the check, where it first reached them. */
async function inventoryAddresses(
  names: ReadonlySet<string>,
  target: LoadedTarget | undefined,
  readReached: () => Promise<ReadonlyMap<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  if (target === undefined) return readReached();
  const addresses = new Map<string, string>();
  for (const name of names) {
    const controller = target.inventory.controllers.get(name);
    const address = controller && identityInFiles(controller, controller.layers, '', target);
    if (address !== undefined) addresses.set(name, maskText(address, target.secrets));
  }
  return addresses.size === names.size ? addresses : new Map([...(await readReached()), ...addresses]);
}

/** From the journal of the check. */
async function reachedAddresses(
  state: string | undefined,
  id: string,
  warnings: string[],
): Promise<ReadonlyMap<string, string>> {
  if (state === undefined) return new Map();
  const reading = { process: ownIdentity(), withoutTasks: true };
  try {
    return await withRun(
      state,
      id,
      reading,
      ({ reached }) => new Map([...reached()].map(([name, { shown }]) => [name, shown])),
    );
  } catch (error) {
    warnings.push(
      `cannot look up where this check reached hosts, so their objects count as never applied: ${errorMessage(error)}`,
    );
    return new Map();
  }
}

/**
 * Sorts by the order of tasks in the playbooks, because controllers reach tasks in any order. Tasks of included files
 * come last.
 */
function playbookOrder(playbooks: readonly Playbook[]): <T extends { source: Source }>(items: readonly T[]) => T[] {
  const tasks = playbooks.flatMap(({ plays }) => plays.flatMap((play) => [...tasksIn(allSteps(play))]));
  const places = new Map(tasks.map(({ source }, index) => [placeText(source), index]));
  const sourceIndex = (source: Source): number => places.get(placeText(source)) ?? tasks.length;
  return (items) =>
    [...items].sort(
      (a, b) => sourceIndex(a.source) - sourceIndex(b.source) || compareNames(placeText(a.source), placeText(b.source)),
    );
}

function driftedControllers(tasks: readonly DriftedTask[], objects: readonly DriftedObject[]): ReadonlySet<string> {
  const unnamed = tasks.flatMap(({ masked, others, invoked }) => [
    ...others,
    ...[masked, ...invoked.values()].flatMap((found) => [...found.values()].map(({ controller }) => controller)),
  ]);
  return new Set([...objects.map(({ controller }) => controller), ...unnamed]);
}

/** Unread objects may have drifted, so the exit code is not 0. */
function driftExitCode({ exitCode }: RunFinished, unread: ReadonlySet<string>, drifted: ReadonlySet<string>): number {
  if (exitCode !== EXIT.ok) return exitCode;
  if (unread.size > 0) return EXIT.unreachable;
  return drifted.size > 0 ? EXIT.changes : EXIT.ok;
}

const INCLUDES = new Set(['include_tasks', 'include_role']);

/** Without includes: if one fails, what it would include is not read. */
async function actionsAmong(modules: ReadonlySet<string>, load: CheckedBy['load']): Promise<(name: string) => boolean> {
  const loadedModules = await Promise.all([...modules].map(load));
  const actions = new Set([...modules].filter((_, index) => loadedModules[index]?.type === 'action'));
  return (name) => actions.has(name) && !INCLUDES.has(name);
}

/**
 * Reads the drift that a kept run of `drift` found from the journal. The journal has no playbook, so values are not replaced by the variables that
 * they come from, and unmanaged objects are not listed.
 *
 * @returns undefined unless it is a finished run of `drift`
 * @throws JournalError if there is no such run
 */
export async function keptDrift(stateDirectory: string, id: string) {
  const { header } = await readHeader(stateDirectory, id);
  const { command, playbooks, cwd, simulated } = header;
  if (command !== 'drift') return undefined;
  const collector = new DriftCollector({ written: () => undefined, raw: false });
  await runDetail(stateDirectory, id, collector.handle);
  const { finished } = collector;
  if (finished === undefined) return undefined;
  const by = { load: loadModule, playbooks: [], state: stateDirectory, simulated };
  return { drift: { ...(await driftIn(collector, finished, by)), unmanaged: undefined }, playbooks, cwd };
}

/** Counts project modules as resources: their failures must not look like agreement. */
async function loadModule(name: string): Promise<Pick<Module, 'type'>> {
  const builtIn = Object.hasOwn(builtinModules, name) ? builtinModules[name] : undefined;
  return builtIn === undefined ? { type: 'resource' } : (await builtIn()).default;
}
