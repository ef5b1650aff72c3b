import { JournalError } from '../../journal/disk/journal_error.js';
import { brokerIn, brokerOf } from '../../load/project/broker.js';
import { loadProject } from '../../load/project/project.js';
import { type Diagnostic, Diagnostics } from '../../model/source/diagnostic.js';
import type { RunFinished } from '../../model/run/event.js';
import type { RunPorts, User } from '../load/ports.js';
import type { PreparedRun } from '../load/prepared_run.js';
import type { Idempotence } from './verify_idempotent.js';
import type { RunRequest } from '../request/run_request.js';
import type { Workspace } from '../request/workspace.js';
import { execute } from './execute.js';
import { WorkersError, type Permission } from '../prepare/execute_ports.js';
import { obtainPermission, type NotPermitted } from './permission.js';
import { prepareRun, type Origin } from '../prepare/prepare_run.js';

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
export async function startRun(asked: RunRequest, ports: RunPorts, origin?: Origin): Promise<RunOutcome> {
  const isNew = origin?.resumed === undefined && (asked.command.type === 'run' || asked.command.type === 'task');
  const request = isNew ? await withBroker(asked, ports) : asked;
  const runPorts = rememberingAnswers(request, ports);
  const prepared = await prepareRun(request, runPorts, origin);
  if (prepared.status === 'refused') return prepared;
  const outcome = await startPrepared(prepared.run, runPorts);
  if (request.verifyIdempotent !== true || outcome.status !== 'finished' || outcome.finished.status !== 'ok')
    return outcome;
  const { verifyIdempotent } = await import('./verify_idempotent.js');
  return { ...outcome, idempotence: await verifyIdempotent(prepared.run, runPorts, startPrepared) };
}

/**
 * The request of a new run with the broker of the project or of its environment. A simulation needs none. Without a
 * broker, the project's credentials are not used, and those of options are an error.
 */
export async function withBroker(request: RunRequest, { cwd, env }: Workspace): Promise<RunRequest> {
  if (request.simulate === true) return request;
  const project = await loadProject(cwd, env, new Diagnostics());
  const broker = brokerOf(brokerIn(project, project.environments.get(request.env ?? '')), request);
  return broker.nats === undefined ? request : { ...request, ...broker };
}

/** Remembers passwords that are needed twice: for a second run, or for workers that load the run again. */
export function rememberingAnswers(request: RunRequest, ports: RunPorts): RunPorts {
  const { verifyIdempotent, workers = 1, nats } = request;
  const isNeededAgain = verifyIdempotent === true || workers > 1 || nats !== undefined;
  return isNeededAgain ? { ...ports, user: askingOnce(ports.user) } : ports;
}

function askingOnce(user: User): User {
  const known = new Map<string, ReturnType<User['askSecret']>>();
  return {
    ...user,
    asked: known,
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
      asked: ports.user.asked,
      notice: ports.report.notice,
      confirmTask: run.request.step === true ? confirmTask : undefined,
      signals: {
        ...ports.signals,
        drain: AbortSignal.any([
          ports.signals.drain,
          quit.signal,
          ...(permission.lock.lost === undefined ? [] : [permission.lock.lost]),
        ]),
      },
      emit: (event) => {
        reporter.handle(event);
      },
    });
    return { status: 'finished', finished };
  } catch (error) {
    if (error instanceof WorkersError) return { status: 'refused', diagnostics: error.diagnostics };
    if (!(error instanceof JournalError)) throw error;
    const { message, hint } = error;
    return { status: 'refused', diagnostics: [{ severity: 'error', message, hint }] };
  } finally {
    // The owner of the streams reports lost output. The outcome of the run does not change.
    await reporter.close().catch(() => undefined);
  }
}
