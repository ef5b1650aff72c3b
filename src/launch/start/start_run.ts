import type { RunFinished } from '../../core/model/run/event.js';
import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import { JournalError } from '../../record/journal/disk/journal_error.js';
import type { RunPorts, User } from '../load/ports.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { prepareRun, type RequestOrigin } from '../prepare/prepare_run.js';
import type { RunRequest } from '../request/run_request.js';
import { execute } from './execute.js';
import { type Permission, obtainPermission, type NotPermitted } from './permission.js';
import type { Idempotence } from './verify_idempotent.js';

/** If the status is not `finished`, no controller was contacted. */
export type RunOutcome =
  | {
      readonly status: 'finished';
      readonly finished: RunFinished;
      /** Absent: not requested, or the run did not succeed. */
      readonly idempotence?: Idempotence | undefined;
    }
  | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  | NotPermitted;

/** Starts a run. Commands, programs, resumes and reruns all start here. */
export async function startRun(request: RunRequest, ports: RunPorts, origin?: RequestOrigin): Promise<RunOutcome> {
  const runPorts = request.verifyIdempotent === true ? { ...ports, user: askingOnce(ports.user) } : ports;
  const prepared = await prepareRun(request, runPorts, origin);
  if (prepared.status === 'refused') return prepared;
  const outcome = await startPrepared(prepared.run, runPorts);
  if (request.verifyIdempotent !== true || outcome.status !== 'finished' || outcome.finished.status !== 'ok')
    return outcome;
  const { verifyIdempotent } = await import('./verify_idempotent.js');
  return { ...outcome, idempotence: await verifyIdempotent(prepared.run, runPorts, startPrepared) };
}

/** A second run needs the same password. */
function askingOnce(user: User): User {
  const known = new Map<string, ReturnType<User['askSecret']>>();
  return {
    ...user,
    askSecret: (question) => {
      const answer = known.get(question) ?? user.askSecret(question);
      known.set(question, answer);
      return answer;
    },
  };
}

/** Obtains what the run needs, runs it, and reports it. */
export async function startPrepared(run: PreparedRun, ports: RunPorts): Promise<RunOutcome> {
  const answer = await obtainPermission(run, ports);
  if (answer.status !== 'granted') return answer;
  try {
    return await carryOut(run, answer.permission, ports);
  } finally {
    await answer.permission.lock.release();
  }
}

async function carryOut(run: PreparedRun, permission: Permission, ports: RunPorts): Promise<RunOutcome> {
  const reporter = ports.report.open(run, permission.id, ports.cwd);
  const quit = new AbortController();
  const stop = (): void => {
    quit.abort();
  };
  const { ask, confirmTask } = ports.user.duringRun(stop);
  try {
    const finished = await execute(run, permission, {
      ...ports,
      ask,
      confirmTask: run.request.step === true ? confirmTask : undefined,
      signals: {
        ...ports.signals,
        drain: AbortSignal.any([ports.signals.drain, quit.signal]),
      },
      emit: (event) => {
        if (event.type === 'task-finished' && event.unconfirmed === true) permission.lock.outlive();
        reporter.handle(event);
      },
    });
    return { status: 'finished', finished };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const { message, hint } = error;
    return { status: 'refused', diagnostics: [{ severity: 'error', message, hint }] };
  } finally {
    // The owner of the streams reports lost output. The outcome of the run does not change.
    await reporter.close().catch(() => undefined);
  }
}
