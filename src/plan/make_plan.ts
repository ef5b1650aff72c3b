import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { whyFailed } from '../core/files/paths.js';
import type { Event, RunFinished } from '../core/model/run/event.js';
import {
  isCarriedOut,
  plannedWrite,
  type PlanMaker,
  type PlannedConnection,
  type PlannedStep,
} from '../core/model/run/plan.js';
import { placeText, type Source } from '../core/model/source/diagnostic.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { mapLeaves, Vaulted } from '../core/model/values/value.js';
import type { Masked } from '../core/secrets/mask_text.js';
import { configOption } from '../launch/history/listed_run.js';
import { writtenArguments } from '../launch/load/load_run.js';
import type { RunPorts } from '../launch/load/ports.js';
import { effectiveOptions, stateFolder, type PreparedRun, selectedControllers } from '../launch/load/prepared_run.js';
import { writesInCheck } from '../launch/load/writes.js';
import { prepareRun } from '../launch/prepare/prepare_run.js';
import { refusal, type RunRequest } from '../launch/request/run_request.js';
import { startPrepared, type RunOutcome } from '../launch/start/start_run.js';
import { ProjectSources } from '../project/document/project_sources.js';
import { openKey } from '../record/journal/format/project_key.js';
import { JournalError, newRunId } from '../record/journal/format/run_folders.js';
import { PlanWriter } from '../record/plan/plan_writer.js';
import { PlanError, planSealer, type PlanInputs } from '../record/plan/sealed_parts.js';
import { watched } from '../reporting/reporter.js';

export interface MadePlan {
  readonly outcome: RunOutcome;
  /** The hosts for which there is something to carry out. Absent: the check did not finish. */
  readonly changing?: ReadonlySet<string> | undefined;
  /** Controllers that could not be planned, and why. Absent: the check did not finish. */
  readonly unplanned?: Readonly<Record<string, string>>;
  /** The file of the saved plan. Absent: no plan was saved. */
  readonly saved?: SavedPlan | undefined;
}

interface SavedPlan {
  readonly file: string;
  /** From `configOption`. */
  readonly config: readonly string[];
  /** How many tasks cannot be planned: what they do is known when the plan is applied. */
  readonly inPlace: number;
}

/**
 * Reads every controller, reports what would change, and keeps it in a file. Writes to no controller.
 *
 * @param out the file for the plan; undefined: the plan is only shown
 */
export async function makePlan(request: RunRequest, out: string | undefined, ports: RunPorts): Promise<MadePlan> {
  // Read-only, because what an included file does is known only during the run.
  const sources = new ProjectSources({ keep: out !== undefined });
  const prepared = await prepareRun({ ...request, check: true, readOnly: true }, ports, { sources });
  if (prepared.status === 'refused') return { outcome: prepared };
  const { run } = prepared;
  const writes = await writesInCheck(run.selected, run.loaded.catalogue);
  if (writes.type === 'task') return { outcome: refusal({ message: WRITES, hint: CHECK_MODE }) };
  if (out === undefined) {
    const sealer = planSealer(randomBytes(32), '');
    return new Decisions({ digest: (value) => sealer.digest(value), keep: () => undefined }).startRun(run, ports);
  }
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
  const about = { id: newRunId(created), created: created.toISOString(), version: ports.version };
  const key = await openKey(state).catch((error: unknown) => {
    if (error instanceof JournalError) throw error;
    const hint = 'state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder';
    throw new JournalError(`cannot read or create the key in ${state}: ${whyFailed(error)}`, hint);
  });
  const writer = await PlanWriter.create(file, key, about);
  const unregister = ports.signals.atExit?.(() => {
    writer.discardAtOnce();
  });
  let isKept = false;
  try {
    const decisions = new Decisions(writer);
    const made = await decisions.startRun(run, ports);
    const { outcome, unplanned = {} } = made;
    if (outcome.status !== 'finished' || outcome.finished.status === 'interrupted') return made;
    // Includes controllers that were added during the run.
    const all = new Set([...selectedControllers(run.selected), ...Object.keys(outcome.finished.stats)]);
    const controllers = [...all].filter((name) => !Object.hasOwn(unplanned, name));
    // A shard without controllers has an empty plan, so that the job that applies it finds one.
    if (controllers.length === 0 && all.size > 0) return made;
    const { changed, inPlace, connections, changingAt } = decisions;
    await writer.finish(
      { ...takeInputs(run, changed), argv: ports.caller.argv(run.loaded.target.secrets) },
      {
        controllers,
        unplanned,
        connections: Object.fromEntries([...connections].map(([name, all]) => [name, [...all.values()]])),
        changing: Object.fromEntries([...changingAt].map(([address, hosts]) => [address, [...hosts]])),
      },
    );
    isKept = true;
    return { ...made, saved: { file, config: configOption(run.loaded.target.project), inPlace: inPlace.size } };
  } finally {
    unregister?.();
    if (!isKept) await writer.discard();
  }
}

/** What the check decides. */
class Decisions {
  /** Places of tasks that change something. */
  readonly changed = new Map<string, Source>();
  /** Places of tasks that only apply can decide. */
  readonly inPlace = new Set<string>();
  readonly connections = new Map<string, Map<string, PlannedConnection>>();
  /** The hosts whose tasks change something, by the address where they do. */
  readonly changingAt = new Map<string, Set<string>>();
  readonly #addresses = new Map<string, string>();
  readonly #changing = new Set<string>();
  /** The modules of tasks for which a controller was unreachable, by controller; such a failure may be ignored. */
  readonly #unreachable = new Map<string, Set<string>>();

  constructor(private readonly writer: Pick<PlanMaker, 'digest' | 'keep'>) {}

  async startRun(run: PreparedRun, ports: RunPorts): Promise<MadePlan> {
    const { writer } = this;
    const maker: PlanMaker = {
      type: 'make',
      digest: (value) => writer.digest(value),
      keep: (controller, step) => {
        writer.keep(controller, step);
        this.#note(controller, step);
      },
      reached: (controller, connection) => {
        this.#addresses.set(connection.id, connection.address);
        getOrAdd(this.connections, controller, () => new Map<string, PlannedConnection>()).set(
          connection.id,
          connection,
        );
      },
    };
    const see = (event: Masked<Event>): void => {
      if (event.type === 'task-finished' && event.status === 'unreachable')
        getOrAdd(this.#unreachable, event.controller, () => new Set<string>()).add(event.module);
    };
    const open: RunPorts['report']['open'] = (...opened) => watched(ports.report.open(...opened), see);
    const report = { ...ports.report, open };
    const outcome = await startPrepared({ ...run, loaded: { ...run.loaded, plan: maker } }, { ...ports, report });
    if (outcome.status !== 'finished') return { outcome };
    const unplanned = unplannedIn(outcome.finished, await this.#unread(run));
    return { outcome, changing: this.#changing, unplanned };
  }

  /** Controllers with a resource that could not be read. An action that is ignored, such as a `ping` before it, has nothing to plan. */
  async #unread({ loaded: { catalogue } }: PreparedRun): Promise<readonly string[]> {
    const names = new Set([...this.#unreachable.values()].flatMap((modules) => [...modules]));
    const modules = await Promise.all([...names].map((name) => catalogue.load(name)));
    const resources = new Set([...names].filter((_, index) => modules[index]?.type === 'resource'));
    return [...this.#unreachable].flatMap(([name, of]) =>
      [...of].some((module) => resources.has(module)) ? [name] : [],
    );
  }

  #note(controller: string, step: PlannedStep): void {
    const { decided, source } = step;
    if (decided.type === 'in place') this.inPlace.add(placeText(source));
    if (isCarriedOut(step)) this.#changing.add(controller);
    if (decided.type !== 'resource' || plannedWrite(step) === undefined) return;
    this.changed.set(placeText(source), source);
    const address = this.#addresses.get(decided.connection);
    if (address !== undefined) getOrAdd(this.changingAt, address, () => new Set<string>()).add(controller);
  }
}

/** Controllers that did not come to the end of the check, and why: not all of their changes are known. */
function unplannedIn(
  { stats, unstarted, cutOff = [] }: RunFinished,
  unread: readonly string[],
): Readonly<Record<string, string>> {
  const ended = Object.entries(stats).flatMap(
    ([name, { failed, unreachable }]): readonly (readonly [string, string])[] =>
      unreachable > 0 ? [[name, 'unreachable']] : failed > 0 ? [[name, 'failed']] : [],
  );
  const notStarted = unstarted.map((name) => [name, 'not started'] as const);
  const halted = cutOff.map((name) => [name, 'cut off'] as const);
  const passedOver = unread.map((name) => [name, 'unreachable'] as const);
  return Object.fromEntries([...passedOver, ...ended, ...notStarted, ...halted]);
}

function takeInputs(
  { loaded, request, journalOptions }: PreparedRun,
  changed: ReadonlyMap<string, Source>,
): PlanInputs {
  const { target, playbooks, reads } = loaded;
  const argumentsAt = writtenArguments(playbooks);
  const written = [...changed].flatMap(([place, source]) => {
    const args = argumentsAt(source);
    // What is shown of a plan needs no encrypted values, and must not need their passwords.
    const shown = args && mapLeaves(args, (leaf) => (leaf instanceof Vaulted ? null : leaf));
    return shown === undefined ? [] : [[place, shown] as const];
  });
  // The apply writes, so it has the forks of a run that writes.
  const { forks } = effectiveOptions({ ...request, check: false, readOnly: false }, target);
  return {
    invocation: { ...journalOptions.invocation, forks },
    playbooks: playbooks.map(({ file }) => file),
    answers: reads.answers,
    written: Object.fromEntries(written),
    secrets: target.secrets.all,
    code: Object.fromEntries(reads.code),
  };
}
