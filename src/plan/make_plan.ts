import path from 'node:path';
import type { Inventory } from '../core/model/inventory/inventory.js';
import type { RunFinished } from '../core/model/run/event.js';
import type { PlanMaker, PlannedConnection } from '../core/model/run/plan.js';
import type { VariableLayer } from '../core/model/values/variables.js';
import type { ReadVariablesFile } from '../engine/input/run_input.js';
import type { RunPorts } from '../launch/load/ports.js';
import { stateFolder, type PreparedRun } from '../launch/load/prepared_run.js';
import { selectedControllers } from '../launch/load/selection.js';
import { writesInCheck } from '../launch/load/writes.js';
import { prepareRun } from '../launch/prepare/prepare_run.js';
import { refusal } from '../launch/request/refusal.js';
import type { RunRequest } from '../launch/request/run_request.js';
import { startPrepared, type RunOutcome } from '../launch/start/start_run.js';
import { JournalError } from '../record/journal/disk/journal_error.js';
import { openKey } from '../record/journal/disk/key_file.js';
import { newRunId } from '../record/journal/disk/run_folders.js';
import { ArgumentPositions } from '../record/plan/argument_positions.js';
import { PlanError } from '../record/plan/plan_format.js';
import { PlanWriter } from '../record/plan/plan_writer.js';
import { encodeSnapshot, IncludeRecord, type PlanSnapshot } from '../record/plan/snapshot.js';

export interface PlanRequest {
  /** The file for the plan. Absent: the plan is only shown. */
  readonly out?: string | undefined;
}

export interface MadePlan {
  readonly outcome: RunOutcome;
  /** The file of the saved plan. Absent: no plan was saved. */
  readonly saved?: { readonly file: string; readonly unplanned: readonly string[] } | undefined;
}

/** Reads every controller, reports what would change, and keeps it in a file. Writes to no controller. */
export async function makePlan(request: RunRequest, { out }: PlanRequest, ports: RunPorts): Promise<MadePlan> {
  // Read-only, because what an included file does is known only during the run.
  const prepared = await prepareRun({ ...request, check: true, readOnly: true }, ports);
  if (prepared.status === 'refused') return { outcome: prepared };
  const { run } = prepared;
  const writes = await writesInCheck(run.loaded.playbooks);
  if (writes.type === 'task') return { outcome: refusal({ message: WRITES, hint: CHECK_MODE }) };
  if (out === undefined) return { outcome: await startPrepared(run, ports) };
  const state = stateFolder(run);
  if (state === undefined) return { outcome: refusal({ message: NO_KEY }) };
  try {
    return await makeAndKeep(run, { file: path.resolve(ports.cwd, out), state }, ports);
  } catch (error) {
    if (error instanceof PlanError || error instanceof JournalError) return { outcome: refusal(error) };
    throw error;
  }
}

const NO_KEY = 'a plan is sealed with the key in the state folder, and this run has none';
const WRITES = 'a task with "check_mode: false" would write while the plan is made';
const CHECK_MODE = 'leave it out of the plan (--skip-tags), or remove check_mode';

async function makeAndKeep(
  run: PreparedRun,
  { file, state }: { readonly file: string; readonly state: string },
  ports: RunPorts,
): Promise<MadePlan> {
  const created = new Date();
  const id = newRunId(created);
  const about = { id, created: created.toISOString(), version: ports.version };
  const writer = await PlanWriter.create(file, await openKey(state), about);
  let isKept = false;
  try {
    const includes = new IncludeRecord(writer.digest);
    const positions = new ArgumentPositions();
    const connections = new Map<string, Map<string, PlannedConnection>>();
    const reading = new RecordedReads();
    const maker: PlanMaker = {
      type: 'make',
      digest: writer.digest,
      keep: (controller, step) => {
        writer.keep(controller, step);
      },
      reached: (controller, connection) => {
        const known = connections.get(controller) ?? new Map<string, PlannedConnection>();
        connections.set(controller, known.set(connection.id, connection));
      },
      included: (include, args, included) => {
        includes.add(include, args, included);
      },
      keepPositions: (task) => {
        positions.add(task);
      },
    };
    const loaded = {
      ...run.loaded,
      target: reading.recording(run.loaded.target),
      plan: { role: maker, readVariables: reading.recorded },
    };
    const outcome = await startPrepared({ ...run, loaded }, ports);
    if (outcome.status !== 'finished' || outcome.finished.status === 'interrupted') return { outcome };
    const unplanned = unplannedIn(outcome.finished);
    // Includes controllers that were added during the run.
    const all = new Set([...selectedControllers(run.selected), ...Object.keys(outcome.finished.stats)]);
    const controllers = [...all].filter((name) => !Object.hasOwn(unplanned, name));
    // A shard without controllers has an empty plan, so that the job that applies it finds one.
    if (controllers.length === 0 && all.size > 0) return { outcome };
    const folders = run.loaded.playbooks.map(({ directory }) => directory);
    await writer.finish(encodeSnapshot(takeSnapshot(run, reading), [includes, positions]), {
      controllers,
      unplanned,
      connections: Object.fromEntries([...connections].map(([name, all]) => [name, [...all.values()]])),
      folders,
    });
    isKept = true;
    return { outcome, saved: { file, unplanned: Object.keys(unplanned) } };
  } finally {
    if (!isKept) await writer.discard();
  }
}

/** Controllers that failed or were unreachable: their changes are unknown. */
function unplannedIn({ stats, unstarted }: RunFinished): Readonly<Record<string, string>> {
  const lost = Object.entries(stats).flatMap(
    ([name, { failed, unreachable }]): readonly (readonly [string, string])[] =>
      unreachable > 0 ? [[name, 'unreachable']] : failed > 0 ? [[name, 'failed']] : [],
  );
  const notStarted = unstarted.map((name) => [name, 'not started'] as const);
  return Object.fromEntries([...lost, ...notStarted]);
}

function takeSnapshot({ loaded, journalOptions }: PreparedRun, reading: RecordedReads): PlanSnapshot {
  const { target, playbooks, code } = loaded;
  const { inventory, inventorySources, extraVars, secrets } = target;
  return {
    invocation: { ...journalOptions.invocation },
    playbooks,
    inventory,
    inventorySources,
    extraVars,
    variableFiles: reading.variableFiles,
    beside: reading.beside,
    secrets: secrets.all,
    code: Object.fromEntries(code?.files ?? []),
  };
}

/** What a run reads after it is loaded. */
class RecordedReads {
  readonly variableFiles = new Map<string, VariableLayer | null>();
  readonly beside = new Map<string, readonly VariableLayer[]>();

  readonly recorded =
    (read: ReadVariablesFile): ReadVariablesFile =>
    async (file) => {
      const layer = await read(file);
      this.variableFiles.set(path.normalize(file), layer ?? null);
      return layer;
    };

  /** The same target, with an inventory that records what it reads. */
  recording<T extends { readonly inventory: Inventory }>(target: T): T {
    const { readBeside } = target.inventory;
    if (readBeside === undefined) return target;
    const readAndRecord: Inventory['readBeside'] = async (folder, name) => {
      const layers = await readBeside(folder, name);
      this.beside.set(`${folder}/${name}`, layers);
      return layers;
    };
    return { ...target, inventory: { ...target.inventory, readBeside: readAndRecord } };
  }
}
