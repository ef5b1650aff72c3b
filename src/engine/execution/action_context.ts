import path from 'node:path';
import { ControllerError } from '../../controller/exchange/call.js';
import { settingUrl } from '../../controller/settings/url.js';
import { SettingValues } from '../../controller/settings/values.js';
import { parseHostAndPort } from '../../controller/transport/confinement.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import type { Include, Task } from '../../core/model/playbook/step.js';
import type { PastWrite } from '../../core/model/run/past.js';
import { isRead } from '../../core/model/run/session.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import { evaluate, evaluateData, isTrue } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import type { EvaluationScope, Variables } from '../../language/scope.js';
import type { ActionContext, RawAnswer, RawRequest, Unavailable } from '../../module/contract.js';
import { emitProgressed, emitRetried, warn } from '../context/task_events.js';
import type { TaskContext, TaskRun } from '../context/task_run.js';
import type { OpenWrites } from '../control/open_writes.js';
import type { TaskSession } from '../controllers/task_session.js';
import { recordingRequests } from '../journal/recorded_requests.js';
import { outcomeOfAnswer, wasRefused } from '../journal/write_recorder.js';
import { type RefusedByPlan, TaskProblem } from '../keywords/failed_result.js';
import { requireBody } from '../keywords/plain_data.js';
import { renderedArguments } from './task_arguments.js';
import { openWriteRecorder, requireSameConnection } from './task_journal.js';
import type { Attempt } from './time_limit.js';
import type { VariableReader } from './variable_reader.js';

/** The inputs of one attempt of an action. */
export interface ActionInputs {
  readonly run: TaskRun;
  readonly check: boolean;
  /** Whether the task's values are masked. */
  readonly masked: boolean;
  readonly scope: Variables;
  readonly session: TaskSession;
  readonly attempt: Attempt;
  readonly files: VariableReader;
  readonly writes: OpenWrites;
  /** Rejects if the followed plan has no request with the method there, or without one: allows no password to be tried there. */
  readonly requirePlanned: ((method?: string) => Promise<void>) | undefined;
  /** Gets why the last write was not sent, and what the plan refused. */
  readonly unsent: { problem?: Error | undefined; refusal?: RefusedByPlan };
  /** Called when a wait was cut short. */
  readonly onCutShort: () => void;
}

export function actionContext(inputs: ActionInputs): ActionContext {
  const { run, check, scope, session, attempt, files, requirePlanned, unsent, onCutShort } = inputs;
  const { task, state, context } = run;
  const { settings, user, identity } = context.run.input;
  const { signal } = attempt;
  const patiently = <T>(isLast: boolean, work: () => Promise<T>): Promise<T> =>
    isLast ? work() : session.withoutPatience(work);
  const request = requesting(inputs);
  return {
    controller: state.name,
    checkMode: check,
    simulated: identity.simulated,
    verbosity: settings.verbosity,
    signal,
    evaluate: (expression: Value) => evaluateArgument(expression, task, scope),
    isTrue,
    variable: (name) => scope.get(name),
    hide: (secret) => {
      context.run.secrets.learnAll(secret);
      run.stepJournal?.addSecrets([secret]);
    },
    sleep: async (seconds) => {
      await run.fork.sleep(seconds, signal);
      if (signal.aborted) onCutShort();
    },
    warn: (message) => warn(run, message),
    searchPath: () => searchPath(context, scope),
    readVariables: (file) => files.read(file),
    address: () => findHost(session.target, session.variables),
    connect: async (to) => (await import('./task_socket.js')).socketTo(to, context.run.input, session),
    ask: (question, { hidden }) => user.ask?.({ question, hidden }, signal) ?? Promise.resolve(undefined),
    ping: (isPatient) => patiently(isPatient, () => attempt.session.ping()),
    account: () => session.account(),
    aloneWithAccount: async (work) => {
      const to = await session.account();
      const place = `${controllerIdentity(to)} account ${to.username}`;
      return context.run.control.locks.take(place, 'exclusive', attempt.wait, work);
    },
    signIn: async (password, changed) => {
      // A password that the controller has refused, and that was not changed since, must not be refused again.
      if (changed !== undefined && unsent.problem !== undefined) throw unsent.problem;
      if (requirePlanned !== undefined) await requirePlanned();
      return attempt.session.signIn(password, changed);
    },
    request,
    attempt: (raw, isLast) => patiently(isLast, () => request(raw)).catch(unavailable),
    list: (at, options) => attempt.session.list(at, options),
    attemptList: (at, options, isLast) => patiently(isLast, () => attempt.session.list(at, options)).catch(unavailable),
    waiting: (count, counts, message) => emitRetried(run, count, counts, message),
    savesAs: (file) => {
      const owner = getOrAdd(context.run.control.savedFiles, file, () => state.name);
      return owner === state.name ? undefined : owner;
    },
    progress: (message) => emitProgressed(run, message),
  };
}

/** Whether waiting may help: other failures do not pass. */
function unavailable(error: unknown): Unavailable {
  if (error instanceof ControllerError && error.passing) return { unavailable: error.message };
  throw error;
}

/** The access of an action to its controller, which it has for itself while it writes. */
function requesting(inputs: ActionInputs): (request: RawRequest) => Promise<RawAnswer> {
  const request = recording(inputs);
  const { session, run, writes, requirePlanned, unsent } = inputs;
  const { followed, input } = run.context.run;
  const write = async (raw: RawRequest): Promise<RawAnswer> => {
    requireBody(raw.body);
    if (requirePlanned !== undefined) await requirePlanned(raw.method);
    const connection = (followed ?? input.connections.beforeWrite) && (await session.connection());
    if (connection !== undefined) await input.connections.beforeWrite?.(connection.settings, connection.declaredBy);
    unsent.problem = undefined;
    const takeBack = followed?.willWrite({ controller: run.state.name, connection }, raw);
    try {
      const answer = await request(raw);
      if (outcomeOfAnswer(answer) === 'refused') takeBack?.();
      return answer;
    } catch (error) {
      if (wasRefused(error)) takeBack?.();
      throw error;
    }
  };
  const noted = (error: unknown): never => {
    if (error instanceof TaskProblem) unsent.problem = error;
    throw error;
  };
  return (raw) =>
    isRead(raw.method) ? writes.follow(() => request(raw), 'read') : writes.follow(() => write(raw).catch(noted));
}

/** Records what may write. */
function recording(inputs: ActionInputs): (request: RawRequest) => Promise<RawAnswer> {
  const { run, check, masked, scope, session, attempt } = inputs;
  const send = (request: RawRequest): Promise<RawAnswer> => {
    // The report of a request may show what was sent.
    const hidden = masked ? run.context.run.secrets.learnAllButNames(renderedArguments(run, scope)) : [];
    run.stepJournal?.addSecrets(hidden);
    return attempt.session.request(request);
  };
  if (check || run.stepJournal?.statusBefore !== undefined) {
    // What was done before the interrupt repeats its effects on the run, but must not repeat its writes.
    const why = check ? 'in check mode (context.checkMode)' : 'again by what was done before the run was cut off';
    return async (request) => {
      if (isRead(request.method)) return send(request);
      throw new TaskProblem(`${request.method} ${request.path} is not sent ${why}`, run.task.source);
    };
  }
  if (run.stepJournal === undefined) return send;
  const checks = {
    openRecorder: () => openWriteRecorder(run, session, masked),
    requireSame: (write: PastWrite) => requireSameConnection([write], session),
    onUnknownOutcome: () => (session.outcomeUnknown = true),
  };
  return recordingRequests(run.stepJournal, checks, send);
}

/** Host name or address of a controller: that of its URL, else as Ansible knows it, else its name. */
function findHost(name: string, variables: EvaluationScope): string {
  const values = new SettingValues((variable) => variables.get(variable), name);
  if (!values.isSet('controller_url') && !values.isSet('ansible_host')) return name;
  const url = settingUrl(values, true);
  if (url !== undefined) return parseHostAndPort(url).host;
  const [problem] = values.problems;
  throw new TaskProblem(problem?.message ?? `${name} has no address`, undefined, problem?.hint);
}

/**
 * The folders to search for relative file names, nearest first: of the role and the file of the task, then of the
 * playbook.
 */
function searchPath({ play: { definition, playbook } }: TaskContext, scope: EvaluationScope): readonly string[] {
  const own = scope.get('ansible_search_path');
  const folders = isList(own) ? own.filter((folder) => typeof folder === 'string') : [];
  return [...new Set([...folders, definition.directory, path.resolve(playbook.directory)])];
}

/** The value of an expression in a task's arguments (`that`, `var`); errors have its position. */
function evaluateArgument(expression: Value, task: Task | Include, scope: EvaluationScope): Value {
  try {
    const isEmpty = expression === null || expression === '';
    return isMapping(task.args) || isEmpty ? evaluate(expression, scope) : evaluateData(expression, scope);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw error.locate(() => task.locate([...task.argsPath, ...pathTo(expression, task.args)]));
  }
}

/** The path of the expression in the arguments: an argument, or an item of its list. */
function pathTo(expression: Value, args: Value): readonly (string | number)[] {
  if (!isMapping(args)) return [];
  for (const [name, value] of Object.entries(args)) {
    if (value === expression) return [name];
    const index = isList(value) ? value.indexOf(expression) : -1;
    if (index >= 0) return [name, index];
  }
  return [];
}
