import type { Condition } from '../model/playbook.js';
import type { Mapping } from '../model/value.js';
import type { Variables } from '../template/scope.js';
import { executeAction } from './action.js';
import { conditionText, firstBroken } from './conditions.js';
import { failedBecause } from './failed_result.js';
import { executeResource } from './resource.js';
import { withRetries } from './retries.js';
import { taskArguments } from './task_arguments.js';
import { warn } from './task_events.js';
import { ignoresErrors, isCensored, isCheck, ranInCheck, wantsDiff } from './task_flags.js';
import type { Performed, TaskRun } from './task_run.js';

/** What a task, or one item of its loop, came to, and how it is to be told. */
export interface Outcome {
  readonly performed: Performed;
  readonly ignored: boolean;
  readonly censored: boolean;
  /** Whether it ran in check mode. */
  readonly check: boolean;
  readonly diff: boolean;
}

/** A task without a loop, or one item of it: `when` → arguments → the module, as often as `until` says. Never throws. */
export async function perform(run: TaskRun, scope: Variables): Promise<Outcome> {
  const censored = isCensored(run, scope);
  const performed = await attempted(run, () => carryOut(run, scope, censored));
  return outcomeOf(run, scope, performed, censored);
}

export function outcomeOf(run: TaskRun, scope: Variables, performed: Performed, censored: boolean): Outcome {
  const ignored = performed.result.status === 'failed' && ignoresErrors(run, scope);
  return { performed, ignored, censored, check: ranInCheck(run, scope), diff: wantsDiff(run, scope) };
}

export function skippedBy(broken: Condition): Performed {
  const message = 'Conditional result was False';
  return { result: { status: 'skipped', values: { false_condition: conditionText([broken]) }, message } };
}

async function carryOut(run: TaskRun, scope: Variables, censored: boolean): Promise<Performed> {
  const broken = firstBroken(run.task.when, scope);
  if (broken !== undefined) return skippedBy(broken);
  const check = isCheck(run, scope);
  const args = taskArguments(run, scope);
  if (censored) run.context.run.secrets.hide(args);
  return withRetries(run, scope, () => attempted(run, () => execute(run, scope, args, check)));
}

async function execute(run: TaskRun, scope: Variables, args: Mapping, check: boolean): Promise<Performed> {
  const { module, session, context } = run;
  switch (module.type) {
    case 'action':
      return executeAction(run, module, args, check, scope);
    case 'resource': {
      const told = (message: string): void => {
        warn(run, message);
      };
      const { signal } = context.run.input;
      return { result: await executeResource({ module, args: { ...args }, session, check, signal, warn: told }) };
    }
    default:
      return module satisfies never;
  }
}

async function attempted(run: TaskRun, work: () => Promise<Performed>): Promise<Performed> {
  try {
    return await work();
  } catch (error) {
    return { result: failedBecause(error, run.module.name) };
  }
}
