import { JournalError } from '../../journal/disk/journal_error.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { RunFinished } from '../../model/run/event.js';
import type { RunPorts } from '../load/ports.js';
import type { PreparedRun } from '../load/prepared_run.js';
import type { RunRequest } from '../request/run_request.js';
import { execute, type Permission } from './execute.js';
import { obtainPermission, type NotPermitted } from './permission.js';
import { prepareRun, type Origin } from './prepare_run.js';

/** Unless it is finished, no controller was contacted. */
export type RunOutcome =
  | { readonly status: 'finished'; readonly finished: RunFinished }
  | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  | NotPermitted;

/** Starts a run: the one way in for commands, programs, resumes and reruns. */
export async function startRun(request: RunRequest, ports: RunPorts, origin?: Origin): Promise<RunOutcome> {
  const prepared = await prepareRun(request, ports, origin);
  return prepared.status === 'refused' ? prepared : startPrepared(prepared.run, ports);
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
      signals: { ...ports.signals, drain: AbortSignal.any([ports.signals.drain, quit.signal]) },
      emit: (event) => {
        reporter.handle(event);
      },
    });
    return { status: 'finished', finished };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { status: 'refused', diagnostics: [{ severity: 'error', message: error.message, hint: error.hint }] };
  } finally {
    // The owner of the streams reports lost output; the outcome is that of the run.
    await reporter.close().catch(() => undefined);
  }
}
