import type { Socket } from 'node:net';
import { NetworkRefusal, openSocket, type Address } from '../../controller/network.js';
import { isRead } from '../../model/run/http_method.js';
import type { PastWrite } from '../../model/run/journal.js';
import type { Value } from '../../model/values/value.js';
import type { ActionContext } from '../../module/contract.js';
import { isTrue } from '../../template/condition.js';
import type { Variables } from '../../template/scope.js';
import type { RawAnswer, RawRequest } from '../../module/contract.js';
import { keepingRequests } from '../journal/kept_requests.js';
import type { TaskSession } from '../fleet/task_session.js';
import type { RunInput } from '../input.js';
import { addressOf } from './address.js';
import { evaluateArgument } from './expression_argument.js';
import { searchPath } from './search_path.js';
import { sleep } from '../sleep.js';
import { warn } from './task_events.js';
import { writtenArguments } from './task_arguments.js';
import { isMasked } from './task_flags.js';
import type { TaskRun } from './task_run.js';
import type { Attempt } from './time_limit.js';
import { TaskProblem } from './task_problem.js';
import type { VariableReader } from './variable_reader.js';
import { keeperOf, requireSameConnection } from './write_keeper_of.js';

/** What one attempt of an action has around it. */
export interface Surroundings {
  readonly run: TaskRun;
  readonly check: boolean;
  readonly scope: Variables;
  readonly session: TaskSession;
  readonly attempt: Attempt;
  readonly files: VariableReader;
  /** Told when waiting was cut short. */
  readonly onCutShort: () => void;
}

export function actionContext({ run, check, scope, session, attempt, files, onCutShort }: Surroundings): ActionContext {
  const { task, state, context } = run;
  const { verbosity, ask } = context.run.input;
  const { signal } = attempt;
  return {
    controller: state.name,
    checkMode: check,
    verbosity,
    signal,
    evaluate: (expression: Value) => evaluateArgument(expression, task, scope),
    isTrue,
    variable: (name) => scope.get(name),
    hide: (secret) => {
      context.run.secrets.learnAll(secret);
      run.visit?.hide(secret);
    },
    sleep: async (seconds) => {
      await sleep(seconds, signal);
      if (signal.aborted) onCutShort();
    },
    warn: (message) => {
      warn(run, message);
    },
    searchPath: () => searchPath(context, scope),
    readVariables: (file) => files.read(file),
    address: () => addressOf(session.target, session.variables),
    connect: (to) => socketTo(to, context.run.input, session),
    ask: (question, { hidden }) => ask?.({ question, hidden }, signal) ?? Promise.resolve(undefined),
    request: requesting({ run, check, scope, session, attempt }),
  };
}

/** The stand-in of the controller must be there before its address can lead to it. */
async function socketTo(
  to: Address,
  { simulated, route }: Pick<RunInput, 'simulated' | 'route'>,
  session: TaskSession,
): Promise<Socket> {
  if (simulated) await session.prepare();
  try {
    return openSocket(to, route);
  } catch (error) {
    throw error instanceof NetworkRefusal ? new TaskProblem(error.message, undefined, error.hint) : error;
  }
}

type Requesting = Pick<Surroundings, 'run' | 'check' | 'scope' | 'session' | 'attempt'>;

/** How an action speaks to its controller: what it may write is kept. */
function requesting({ run, check, scope, session, attempt }: Requesting): (request: RawRequest) => Promise<RawAnswer> {
  const send = (request: RawRequest): Promise<RawAnswer> => {
    // What is sent may be shown with its request.
    if (isMasked(run, scope)) run.context.run.secrets.learnAllButNames(writtenArguments(run, scope));
    return attempt.session.request(request);
  };
  if (run.again === true)
    return (request) => (isRead(request.method) ? send(request) : Promise.reject(writesAgain(run)));
  if (run.visit === undefined || check) return send;
  const keeping = {
    keeperOf: () => keeperOf(run, scope, session),
    requireSame: (write: PastWrite) => requireSameConnection([write], session),
  };
  return keepingRequests(run.visit, keeping, send);
}

/** It was done before the run was cut off: what it does to the run is done again, what it does to the controller must not be. */
function writesAgain({ module, task }: TaskRun): TaskProblem {
  return new TaskProblem(
    `${module.name} would write again, and it has done so before the run was cut off`,
    task.source,
  );
}
