import type { RunFinished, Warning } from '../../core/model/run/event.js';
import type { PlanRollback } from '../../engine/input/run_input.js';
import { run as runPlays } from '../../engine/run.js';
import { openSecretDigests } from '../../record/journal/format/open_digests.js';
import { JournalError } from '../../record/journal/format/run_folders.js';
import type { RunPorts } from '../load/ports.js';
import { type PreparedRun, stateFolder, selectedControllers } from '../load/prepared_run.js';
import { checkMayWrite, somePlayMayWrite } from '../load/writes.js';
import { prepareRun, type RequestOrigin } from '../prepare/prepare_run.js';
import { refusal, type RunRequest } from '../request/run_request.js';
import type { Simulation } from '../simulation/simulation.js';
import type { RollingBack } from '../undo/plan_batch_rollback.js';
import { engineConnections } from './engine_connections.js';
import { sharedInput } from './loaded_input.js';
import { type Permission, obtainPermission, type NotPermitted, type ExecutePorts } from './permission.js';
import { openRecord, type RecordPorts, resumeLine, type RunRecord } from './run_record.js';
import type { Idempotence } from './verify_idempotent.js';

/** If the status is not `finished`, no controller was contacted. */
export type RunOutcome =
  | {
      readonly status: 'finished';
      readonly finished: RunFinished;
      /** Absent: not requested, or the run did not succeed. */
      readonly idempotence?: Idempotence | undefined;
    }
  | NotPermitted;

/** Starts a run. Commands, programs, resumes and reruns all start here. */
export async function startRun(request: RunRequest, ports: RunPorts, origin?: RequestOrigin): Promise<RunOutcome> {
  const idempotent = request.verifyIdempotent === true ? await import('./verify_idempotent.js') : undefined;
  const runPorts = idempotent === undefined ? ports : { ...ports, user: idempotent.askingOnce(ports.user) };
  const prepared = await prepareRun(request, runPorts, origin);
  if (prepared.status === 'refused') return prepared;
  const outcome = await startPrepared(prepared.run, runPorts);
  if (idempotent === undefined || outcome.status !== 'finished' || outcome.finished.status !== 'ok') return outcome;
  return { ...outcome, idempotence: await idempotent.verifyIdempotent(prepared.run, runPorts, startPrepared) };
}

/** Obtains what the run needs, runs it, and reports it. */
export async function startPrepared(run: PreparedRun, ports: RunPorts): Promise<RunOutcome> {
  const answer = await obtainPermission(run, ports);
  if (answer.status !== 'granted') return answer;
  try {
    return await runReported(run, answer.permission, ports);
  } finally {
    await answer.permission.lock.release();
  }
}

async function runReported(run: PreparedRun, permission: Permission, ports: RunPorts): Promise<RunOutcome> {
  const reporter = ports.report.open(run, permission.id, ports.cwd);
  const quit = new AbortController();
  const stop = (): void => quit.abort();
  const { ask, confirmTask } = ports.user.duringRun(stop);
  try {
    const finished = await runRecorded(run, permission, {
      ...ports,
      ask,
      confirmTask: run.request.step === true ? confirmTask : undefined,
      signals: { ...ports.signals, drain: AbortSignal.any([ports.signals.drain, quit.signal]) },
      emit: (event) => {
        if (event.type === 'task-finished' && event.unconfirmed === true) permission.lock.outlive();
        reporter.handle(event);
      },
    });
    return { status: 'finished', finished };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refusal(error);
  } finally {
    // The owner of the streams reports lost output. The outcome of the run does not change.
    await reporter.close().catch(() => undefined);
  }
}

/**
 * Connects what was loaded with the engine, the controllers (or simulated ones), the journal and the reporter.
 *
 * @throws JournalError if a run that may write cannot be kept: nothing was contacted
 */
export async function runRecorded(
  run: PreparedRun,
  permission: Permission,
  ports: Omit<ExecutePorts, 'emit'> & RecordPorts,
): Promise<RunFinished> {
  const simulation = run.request.simulate === true ? await openSimulation(run) : undefined;
  const record = await openRecord(run, permission.id, ports).catch(async (error: unknown) => {
    await simulation?.close();
    throw error;
  });
  try {
    return await runEngine(run, permission, { ...ports, emit: record.emit }, { ...record, simulation });
  } finally {
    await record.close();
  }
}

async function runEngine(
  run: PreparedRun,
  { id, lock, unsettled, credentials, owners }: Permission,
  ports: ExecutePorts,
  { journal, simulation }: Pick<RunRecord, 'journal'> & { readonly simulation: Simulation | undefined },
): Promise<RunFinished> {
  const { loaded, request, journalOptions } = run;
  const { cwd, emit, signals } = ports;
  const { project } = loaded.target;
  const state = stateFolder(run);
  const refused = new AbortController();
  const engine = engineConnections(run, id, ports, {
    confine: simulation?.confine,
    credentials: { ...simulation?.credentials, ...credentials },
    owners,
    onCredentialsRefused: (reason) => refused.abort(reason),
    guard: (direct) => simulation?.wrap(direct) ?? lock.guard(direct),
    beforeWrite: (to, declaredBy) => simulation?.beforeWrite(to, declaredBy) ?? lock.beforeWrite(to),
    onReached: (record) => journal?.record(record),
  });
  const explained = explainInterrupts(run, id, ports);
  try {
    const shared = sharedInput(run, ports);
    return await runPlays(
      {
        ...shared,
        identity: { ...shared.identity, id, simulated: request.simulate === true },
        sources: { ...shared.sources, library: engine.library },
        connections: { ...shared.connections, ...engine.connections, unsettled },
        record: {
          journal,
          writtenSecrets: state === undefined ? undefined : openSecretDigests(state, request.simulate === true),
          planRollback: journal && rollBackWith({ stateDirectory: project.stateDirectory, cwd, journal, unsettled }),
          onResult: run.onResult,
          past: journalOptions.kept?.past,
          plan: loaded.plan,
        },
        user: { ask: ports.ask, confirmTask: ports.confirmTask },
        stops: { drain: signals.drain, abort: signals.abort, credentialsRefused: refused.signal },
      },
      simulation?.emitter(emit) ?? emit,
    );
  } finally {
    explained();
    await engine.close();
    await simulation?.close();
  }
}

/** Loaded for simulations only: the simulator brings a server and a certificate maker. */
async function openSimulation(run: PreparedRun): Promise<Simulation> {
  const { startSimulation } = await import('../simulation/simulation.js');
  const { apiVersion: apiVersions, check, readOnly } = run.request;
  const { target, kinds } = run.loaded;
  const mayWrite = check === true ? checkMayWrite : somePlayMayWrite;
  const writes = readOnly !== true && (await mayWrite(run));
  const controllers = writes ? selectedControllers(run.selected) : undefined;
  return startSimulation({ stateDirectory: stateFolder(run), apiVersions, target, kinds, controllers });
}

/** Warns at each Ctrl-C what it does and what the next one would do. Returns a function that stops the warnings. */
function explainInterrupts(
  prepared: PreparedRun,
  run: string,
  { signals: { drain, abort, takeOver }, emit }: ExecutePorts,
): () => void {
  const warn = (message: string, more: Pick<Warning, 'givesUp'> = {}): void =>
    emit({ type: 'warning', time: new Date().toISOString(), run, message, ...more });
  // A program has no second interrupt.
  const again = takeOver === undefined ? '' : ' (Ctrl-C again to abort them)';
  const first = (): void => warn(`interrupted: finishing running writes, starting nothing new${again}`);
  // A third Ctrl-C ends the process, without a message.
  const resume = resumeLine(prepared, run);
  const hint = resume === undefined ? '' : `; then continue with: ${resume}`;
  const writes = resume === undefined ? '' : '; a resume finds out whether their writes took effect';
  const second = (): void =>
    warn(`interrupted again: aborting running requests${writes} (Ctrl-C again to exit at once${hint})`, {
      givesUp: true,
    });
  drain.addEventListener('abort', first);
  abort.addEventListener('abort', second);
  return () => {
    drain.removeEventListener('abort', first);
    abort.removeEventListener('abort', second);
  };
}

/** Few gates roll back. */
function rollBackWith(own: RollingBack): PlanRollback {
  return async (part) => (await import('../undo/plan_batch_rollback.js')).planBatchRollback(own, part);
}
