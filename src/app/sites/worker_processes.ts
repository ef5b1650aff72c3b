import { randomBytes } from 'node:crypto';
import type { RunJournal } from '../../journal/write/run_journal.js';
import { startOwnProcess } from '../../programs/programs.js';
import type { run as runPlays } from '../../run/run.js';
import { RemoteDispatcher } from '../../run/remote/coordinator/remote_dispatcher.js';
import type { RunWorkers } from '../../run/remote/coordinator/walk_coordinator.js';
import { LocalWorkers } from '../../workers/local/local_workers.js';
import { fingerprintOf } from '../load/fingerprint.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { readInvocation, type Invocation } from '../request/invocation.js';
import type { LoadedRun } from '../load/load_run.js';
import type { RunDescription } from '../request/run_description.js';
import { keptRequest, type RunRequest } from '../request/run_request.js';
import type { ExecutePorts, Permission } from '../prepare/execute_ports.js';

/** The workers of a run. */
export interface Workers {
  readonly dispatch: NonNullable<Parameters<typeof runPlays>[2]>;
  close(): Promise<void>;
}

/** What workers share with the process that coordinates them. */
export interface Coordinator {
  readonly journal: RunJournal | undefined;
  readonly refuseCredentials: () => void;
}

/**
 * Starts local processes that carry out the walks of a run.
 * @throws Error if one of them cannot load the run; no controller was contacted
 */
export async function startWorkers(
  run: PreparedRun,
  permission: Permission,
  ports: ExecutePorts,
  { journal, refuseCredentials }: Coordinator,
): Promise<Workers> {
  const { lock } = permission;
  const description = await describeRun(run, permission, ports, journal);
  const transport = await LocalWorkers.start({
    count: run.request.workers ?? 1,
    description: JSON.stringify(description),
    start: () => startOwnProcess('local-worker'),
  });
  const workers = {
    transport,
    refuseCredentials,
    onRequest: requestsOf(ports),
    lockController: async (url: string) => (await lock.lockLate(url)) ?? null,
  };
  return {
    dispatch: (context) => new RemoteDispatcher(context, workers),
    close: () => transport.close(),
  };
}

/** Reports the requests of workers to the profile. */
export function requestsOf({ meter }: ExecutePorts): RunWorkers['onRequest'] {
  return (
    meter &&
    ((request) => {
      meter.requestOfWorker(request);
    })
  );
}

export async function describeRun(
  run: PreparedRun,
  { id, credentials }: Permission,
  { version, cwd, asked: questions, meter }: ExecutePorts,
  journal: RunJournal | undefined,
): Promise<RunDescription> {
  const invocation = invocationOf(run);
  const asked = [...(questions ?? [])].map(async ([question, answer]) => [question, await answer] as const);
  const answered = (await Promise.all(asked)).flatMap(([question, answer]) =>
    answer === undefined ? [] : [[question, answer] as const],
  );
  return {
    version,
    id,
    invocation: withoutBroker(currentInvocation(run.request, invocation)),
    verbosity: run.request.verbosity ?? 0,
    // The run as it was loaded, without files that were read since.
    fingerprint:
      run.journalOptions.fingerprint ?? fingerprintOf(run.loaded, { version, cwd, key: invocation.fingerprintKey }),
    asked: Object.fromEntries(answered),
    credentials,
    plan: planOf(run.loaded),
    rollback: run.loaded.rollback?.describe?.(),
    listsUnmanaged: run.listsUnmanaged,
    isMeasured: meter !== undefined,
    digestKey: (journal?.digestKey ?? randomBytes(32)).toString('base64'),
  };
}

/** A resume may have other options than its run, and the check after a run (`--verify-idempotent`) must not write. */
function currentInvocation(request: RunRequest, invocation: Invocation): Invocation {
  const { check = false, readOnly = false, step = false } = request;
  return { ...invocation, ...keptRequest({ ...request, limit: undefined }), check, readOnly, step };
}

/** The check after an apply is loaded from the plan, but does not follow it. */
function planOf({ plan }: LoadedRun): RunDescription['plan'] {
  const described = plan?.describe?.();
  return described && plan?.role === undefined ? { ...described, isFinished: true } : described;
}

function invocationOf({ journalOptions: { invocation, kept } }: PreparedRun): Invocation {
  const earlier = kept?.invocation();
  const found = invocation ?? (earlier && readInvocation(earlier));
  if (found === undefined) throw new Error('the run does not know how it was started');
  return found;
}

/** A worker must not learn the credentials for the broker, and refuses options of a broker without one. */
function withoutBroker(invocation: Invocation): Invocation {
  const rest: Record<string, unknown> = { ...invocation };
  for (const name of ['nats', 'natsCreds', 'natsCa', 'siteTimeout']) Reflect.deleteProperty(rest, name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these fields are optional
  return rest as Invocation;
}
