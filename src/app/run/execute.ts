import type { startWorkers, Workers } from '../sites/worker_processes.js';
import { count } from '../../report/text/words.js';
import { countOfSites, SITE } from '../sites/controller_site.js';
import { engineConnections } from './engine_connections.js';
import { type ExecutePorts, type Permission, WorkersError } from '../prepare/execute_ports.js';
import { errorMessage } from '../../model/error_message.js';
import type { RunFinished, Warning } from '../../model/run/event.js';
import { openSecretDigests } from '../../journal/disk/secret_digests.js';
import { run as runPlays } from '../../run/run.js';
import { batchRollback } from '../rollback/batch_rollback.js';
import { sharedInput } from './run_input.js';
import { openRecord, type RecordPorts, type RunRecord } from './run_record.js';
import { stateFolderOf, type PreparedRun } from '../load/prepared_run.js';
import type { Simulation } from '../simulation/simulation.js';

/**
 * Connects what was loaded with the engine, the controllers (or simulated ones), the journal and the reporter.
 *
 * @throws JournalError if a run that may write cannot be kept, WorkersError if it cannot get workers: nothing was
 * contacted
 */
export async function execute(
  run: PreparedRun,
  permission: Permission,
  ports: Omit<ExecutePorts, 'emit'> & RecordPorts,
): Promise<RunFinished> {
  const record = await openRecord(run, permission.id, ports);
  let hasBegun = true;
  try {
    return await runEngine(run, permission, { ...ports, emit: record.emit }, record);
  } catch (error) {
    hasBegun = !(error instanceof WorkersError);
    throw error;
  } finally {
    await (hasBegun ? record.close() : record.discard());
  }
}

async function runEngine(
  run: PreparedRun,
  { id, lock, credentials }: Permission,
  ports: ExecutePorts,
  { journal }: RunRecord,
): Promise<RunFinished> {
  const { loaded, request, journalOptions } = run;
  const { cwd, emit, signals } = ports;
  const { project } = loaded.target;
  const state = stateFolderOf(run);
  const refused = new AbortController();
  const simulation = request.simulate === true ? await simulationOf(run) : undefined;
  const refuseCredentials = (): void => {
    refused.abort();
  };
  const engine = engineConnections(run, id, ports, {
    confine: simulation?.confine,
    credentials: { ...simulation?.credentials, ...credentials },
    onCredentialsRefused: refuseCredentials,
    guard: (direct) => simulation?.wrap(direct) ?? lock.guard(direct),
    onReached: (record) => {
      journal?.record(record);
    },
  });
  const workers = await workersOf(run, { id, lock, credentials }, ports, { journal, refuseCredentials }).catch(
    (error: unknown) => {
      throw new WorkersError(error);
    },
  );
  const explained = explainInterrupts(run, id, ports, lock.lost);
  try {
    const shared = sharedInput(run, ports);
    return await runPlays(
      {
        ...shared,
        identity: { ...shared.identity, id, simulated: request.simulate === true },
        sources: { ...shared.sources, library: engine.library },
        connections: { ...shared.connections, ...engine.connections },
        record: {
          journal,
          writtenSecrets: state === undefined ? undefined : openSecretDigests(state, request.simulate === true),
          planRollback: journal && batchRollback({ stateDirectory: project.stateDirectory, cwd, journal }),
          onResult: run.onResult,
          past: journalOptions.kept?.past,
          plan: loaded.plan?.role,
        },
        user: { ask: ports.ask, confirmTask: ports.confirmTask },
        stops: { signal: signals.drain, abort: signals.abort, credentialsRefused: refused.signal },
      },
      emit,
      workers?.dispatch,
    );
  } finally {
    explained();
    await engine.close();
    await workers?.close();
    await simulation?.close();
  }
}

/** Why the run must stay in this process; undefined: it may use workers. */
function whyNoWorkers({ request: { simulate } }: PreparedRun): string | undefined {
  return simulate === true ? 'simulated controllers are in this process' : undefined;
}

/** Says that sites are not used: a user who sets the variable expects that workers contact these controllers. */
function noticeSites(run: PreparedRun, { notice }: ExecutePorts): void {
  const { nats, noNats, simulate } = run.request;
  if (notice === undefined || nats !== undefined || noNats === true || simulate === true) return;
  const sites = countOfSites(run);
  if (sites > 0)
    notice(
      `${SITE} of ${count(sites, 'controller')} is not used: without --nats URL, this machine contacts them`,
      'always',
    );
}

/** Loaded only if there are workers. */
async function workersOf(...args: Parameters<typeof startWorkers>): Promise<Workers | undefined> {
  const [run, , ports] = args;
  const { workers = 1, nats } = run.request;
  noticeSites(run, ports);
  if (workers <= 1 && nats === undefined) return undefined;
  const why = whyNoWorkers(run);
  if (why === undefined && nats !== undefined) return (await import('../sites/site_workers.js')).openSites(...args);
  if (why === undefined) return (await import('../sites/worker_processes.js')).startWorkers(...args);
  ports.notice?.(`${nats === undefined ? '--workers' : '--nats'} is not used: ${why}`, 'always');
  return undefined;
}

/** Loaded for simulations only: the simulator brings a server and a certificate maker. */
async function simulationOf(run: PreparedRun): Promise<Simulation> {
  const { startSimulation } = await import('../simulation/simulation.js');
  const { apiVersion: apiVersions } = run.request;
  const { target, kinds } = run.loaded;
  return startSimulation({ stateDirectory: stateFolderOf(run), apiVersions, target, kinds });
}

/** Warns at each Ctrl-C what it does and what the next one would do. Returns a function that stops the warnings. */
function explainInterrupts(
  { request }: PreparedRun,
  run: string,
  { signals: { drain, abort }, emit }: ExecutePorts,
  lost: AbortSignal | undefined,
): () => void {
  const warn = (message: string, more: Pick<Warning, 'givesUp'> = {}): void => {
    emit({ type: 'warning', time: new Date().toISOString(), run, message, ...more });
  };
  const first = (): void => {
    warn(
      lost?.aborted === true
        ? `${errorMessage(lost.reason)}: finishing running writes, starting nothing new; wait until that run is done, then continue with: evenkeel resume ${run}`
        : 'interrupted: finishing running writes, starting nothing new (Ctrl-C again to abort them)',
    );
  };
  // A third Ctrl-C ends the process, without a message.
  const isCheck = request.check === true;
  const hint = isCheck ? '' : `; then continue with: evenkeel resume ${run}`;
  const writes = isCheck ? '' : '; a resume finds out whether their writes took effect';
  const second = (): void => {
    warn(`interrupted again: aborting running requests${writes} (Ctrl-C again to exit at once${hint})`, {
      givesUp: true,
    });
  };
  drain.addEventListener('abort', first);
  abort.addEventListener('abort', second);
  return () => {
    drain.removeEventListener('abort', first);
    abort.removeEventListener('abort', second);
  };
}
