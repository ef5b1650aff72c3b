import { ControllerError } from '../../controller/exchange/call.js';
import type { Change, Failure, RunTaskResult } from '../../core/model/run/result.js';
import { isRead } from '../../core/model/run/session.js';
import { errorMessage, LoadError, LocatedError } from '../../core/model/source/diagnostic.js';
import { joined } from '../../core/model/values/stored.js';
import type { Mapping } from '../../core/model/values/value.js';
import { Interrupted, TemplateError } from '../../language/runtime/errors.js';
import type { StopSignals } from '../control/start_conditions.js';

export type FailedResult = Extract<RunTaskResult, { status: 'failed' | 'unreachable' }>;

export function failed(
  message: string,
  details: Omit<Failure, 'message'> & { readonly change?: Change } = {},
): FailedResult {
  const { change, ...rest } = details;
  return { status: 'failed', values: {}, failure: { message, ...rest }, ...(change !== undefined && { change }) };
}

export function isFailedResult(result: RunTaskResult): result is FailedResult {
  return result.status === 'failed' || result.status === 'unreachable';
}

/** Whether an object has changed since the plan was made. */
export function isStale(result: RunTaskResult): boolean {
  return result.status === 'failed' && result.failure.stale === true;
}

/** The only place where an exception of a task becomes its result. Unexpected exceptions are attributed to `module`. */
export function failedBecause(error: unknown, module: string): FailedResult {
  if (error instanceof ControllerError) return fromController(error);
  if (error instanceof RefusedByPlan) return error.result;
  if (error instanceof TemplateError || error instanceof TaskProblem || error instanceof LoadError)
    return failed(error.message, { hint: error.hint, source: error.source });
  const failure = describeCrash(error, module, '; -vv shows the whole stack');
  return { status: 'failed', values: trace(error), failure };
}

/** For the author of the module. @param more follows the place of the crash */
export function describeCrash(
  error: unknown,
  module: string,
  more = '',
): { readonly message: string; readonly hint: string | undefined } {
  const stack = error instanceof Error ? error.stack : undefined;
  const place = /^ +at (?:.*\()?(?:file:\/\/)?(\/.+:\d+:\d+)\)?$/m.exec(stack ?? '')?.[1];
  const message = `the module ${module} crashed: ${errorMessage(error)}`;
  return { message, hint: place === undefined ? undefined : `it crashed at ${place}${more}` };
}

function fromController(error: ControllerError): FailedResult {
  const { outcome, message, hint, passing, route } = error;
  const isAway = outcome === 'unreachable' && passing;
  const failure = { message, hint, ...(isAway && { passing }), ...(route !== undefined && { route }) };
  return { status: outcome, values: {}, failure };
}

/** The stack trace, under Ansible's name; shown with `-vv` for the author of the module. */
function trace(error: unknown): Mapping {
  return error instanceof Error && error.stack !== undefined ? { exception: error.stack } : {};
}

export type InterruptedResult = Extract<RunTaskResult, { status: 'interrupted' }>;

/** The result of an interrupted task. It is not a failure: a resume starts the task again. */
export function interrupted(message: string, details: Partial<InterruptedResult> = {}): InterruptedResult {
  return { values: {}, ...details, status: 'interrupted', message };
}

/**
 * The result if Ctrl-C ended the command of a template, or if the run stopped before the controller answered a read.
 * Undefined for any other error; a write may have been applied and is reported.
 */
export function interruptedBecause(error: unknown, stopSignals: StopSignals): InterruptedResult | undefined {
  if (error instanceof Interrupted) return interrupted(error.message);
  return stopSignals.isStopping && isReadGivenUp(error)
    ? interrupted(`interrupted before there was an answer: ${error.message}`)
    : undefined;
}

/** Whether a read has no answer because the run stopped, if it did. */
export function isReadGivenUp(error: unknown): error is ControllerError {
  return error instanceof ControllerError && isRead(error.method) && (error.temporary || error.givenUp);
}

/** A task cannot continue because of its playbook: the message, its place, and what to do. Fails the task. */
export class TaskProblem extends LocatedError {
  override readonly name = 'TaskProblem';
}

/** The followed plan does not have what an action is about to do. */
export class RefusedByPlan extends TaskProblem {
  constructor(readonly result: FailedResult) {
    super(result.failure.message, undefined, result.failure.hint);
  }
}

/** The time limit of a task was reached. */
export class TimeOver extends TaskProblem {}

/**
 * A result as `register` stores it, in Ansible's shape: `changed`, `failed`, `skipped` (only if skipped), `unreachable` (only if
 * unreachable), `msg` (if there is one), and the values of the module.
 */
export function registered(result: RunTaskResult): Mapping {
  const { values } = result;
  if (result.status === 'skipped')
    return joined({ changed: false, failed: false, skipped: true, skip_reason: result.message }, values);
  const said = messageValue('failure' in result ? result.failure.message : result.message);
  if (result.status === 'ok' || result.status === 'changed')
    return joined({ changed: result.status === 'changed', failed: false, ...said }, values);
  const flag = { unreachable: 'unreachable', failed: 'failed', interrupted: 'failed' }[result.status];
  return joined(joined({ changed: false, ...said }, values), { [flag]: true });
}

/** A message under Ansible's name. */
export function messageValue(message: string | undefined): Mapping {
  return message === undefined ? {} : { msg: message };
}
