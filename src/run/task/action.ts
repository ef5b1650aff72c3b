import type { Mapping } from '../../model/values/value.js';
import type { ActionModule, ActionResult } from '../../module/contract.js';
import type { Variables } from '../../template/scope.js';
import type { TaskSession } from '../fleet/task_session.js';
import { actionContext } from './action_context.js';
import { effectOf } from './effect.js';
import { failed } from './failed_result.js';
import { interrupted } from './interrupted_result.js';
import { asTheyAre, requireData } from './plain_data.js';
import { NOTHING } from './remembered.js';
import type { Performed, TaskRun } from './task_run.js';
import type { Attempt } from './time_limit.js';
import { VariableReader } from './variable_reader.js';

/** How an action is to be carried out. */
export interface Carrying {
  readonly args: Mapping;
  readonly check: boolean;
  readonly scope: Variables;
  readonly session: TaskSession;
}

/** Carries out an action; in check mode only if it says that it may. */
export async function executeAction(
  run: TaskRun,
  module: ActionModule,
  { args, check, scope, session }: Carrying,
  attempt: Attempt,
): Promise<Performed> {
  const allowed = typeof module.check === 'function' ? module.check({ ...args }) : module.check;
  if (check && !allowed) {
    return { result: { status: 'skipped', values: {}, message: `${module.name} is not carried out in check mode` } };
  }
  const files = new VariableReader(run);
  const waited = { cutShort: false };
  const onCutShort = (): void => {
    waited.cutShort = true;
  };
  const context = actionContext({ run, check, scope, session, attempt, files, onCutShort });
  const result = await module.run({ ...args }, context);
  requireData(givenBack(result), module.name);
  if (!isDone(result)) return notDone(run, result);
  const { changed, included, variables } = await effectOf(run, result, args, files);
  const { message, spoken, change } = result;
  const values = kept(run, result.values);
  const facts = asTheyAre(result.facts ?? {});
  const done =
    result.status === 'changed' || changed
      ? ({ status: 'changed', values, message, change: change ?? { kind: 'none' } } as const)
      : ({ status: 'ok', values, message, change } as const);
  const cached = result.cacheable === true ? facts : {};
  return {
    result: done,
    spoken,
    included,
    ...(result.effect !== undefined && { again: true }),
    ...(waited.cutShort && { unfinished: true }),
    remembered: { ...NOTHING, values: facts, facts: cached, included: variables },
  };
}

/** Nobody looks at them again if they are not registered. */
function kept({ task }: TaskRun, values: Mapping = {}): Mapping {
  return task.register === undefined ? values : asTheyAre(values);
}

function givenBack(result: ActionResult): Readonly<Record<string, unknown>> {
  return isDone(result)
    ? { values: result.values, facts: result.facts, change: result.change }
    : { values: result.values };
}

type Done = Extract<ActionResult, { effect?: unknown }>;

function isDone(result: ActionResult): result is Done {
  return result.status === 'ok' || result.status === 'changed';
}

function notDone({ context, sheltered }: TaskRun, result: Exclude<ActionResult, Done>): Performed {
  const { status, message, values = {} } = result;
  // A module that says so though nobody stops it has not done what it was to do.
  if (status === 'failed' || (status === 'interrupted' && !context.run.brake.stops(sheltered)))
    return { result: { ...failed(message), values } };
  return { result: status === 'interrupted' ? interrupted(message, { values }) : { status, values, message } };
}
