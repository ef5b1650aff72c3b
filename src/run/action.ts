import type { Mapping, Value } from '../model/value.js';
import type { ActionContext, ActionModule, ActionResult } from '../module/contract.js';
import { isTrue } from '../template/condition.js';
import type { Scope } from '../template/scope.js';
import { evaluateArgument } from './expression_argument.js';
import { failed } from './failed_result.js';
import { sleep } from './sleep.js';
import type { Performed, TaskRun } from './task_run.js';
import { warn } from './task_events.js';

/** Carries out an action; in check mode only if it says that it may. */
export async function executeAction(
  run: TaskRun,
  module: ActionModule,
  args: Mapping,
  check: boolean,
  scope: Scope,
): Promise<Performed> {
  const allowed = typeof module.check === 'function' ? module.check({ ...args }) : module.check;
  if (check && !allowed) {
    return { result: { status: 'skipped', values: {}, message: `${module.name} is not carried out in check mode` } };
  }
  const result = await module.run({ ...args }, actionContext(run, check, scope));
  return { ...performed(result), ...(await brought(run, result, args)) };
}

/** What an include names is read as a part of its task: it fails with it. */
async function brought(
  { task }: TaskRun,
  result: ActionResult,
  args: Mapping,
): Promise<Pick<Performed, 'included'> | undefined> {
  if (task.type !== 'include' || !('effect' in result) || result.effect?.type !== 'include') return undefined;
  return { included: await task.read(args) };
}

function actionContext(run: TaskRun, checkMode: boolean, scope: Scope): ActionContext {
  const { task, state, session } = run;
  const { signal, verbosity } = run.context.run.input;
  return {
    controller: state.name,
    checkMode,
    verbosity,
    signal,
    evaluate: (expression: Value) => evaluateArgument(expression, task, scope),
    isTrue,
    sleep: (seconds) => sleep(seconds, signal),
    warn: (message) => {
      warn(run, message);
    },
    request: (request) => session.request(request),
  };
}

function performed(result: ActionResult): Performed {
  const { message, values = {} } = result;
  switch (result.status) {
    case 'ok':
      return {
        result: { status: 'ok', values, message, change: result.change },
        spoken: result.spoken,
        facts: result.facts,
      };
    case 'changed': {
      const change = result.change ?? { kind: 'none' };
      return { result: { status: 'changed', values, message, change }, spoken: result.spoken, facts: result.facts };
    }
    case 'skipped':
      return { result: { status: 'skipped', values, message: result.message } };
    case 'failed':
      return { result: { ...failed(result.message), values } };
    default:
      return result satisfies never;
  }
}
