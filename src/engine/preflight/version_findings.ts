import type { Task } from '../../core/model/playbook/step.js';
import { isMapping } from '../../core/model/values/value.js';
import { NotKnownYet, TemplateError } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import { versionAdvice } from '../../module/arguments/versions.js';
import type { Module } from '../../module/contract.js';
import { lookupIn } from '../controllers/controller_connections.js';
import type { RunFinding } from './findings.js';

/** Warnings about fields that the `controller_api_version` of a task does not have. */
export function versionFindings(
  module: Module,
  controller: string,
  task: Task,
  scope: Variables,
): readonly RunFinding[] {
  const { args } = task;
  if (module.type !== 'resource' || (module.hints ?? module.hintsFor) === undefined || !isMapping(args)) return [];
  const version = readVersion(scope);
  if (version === undefined) return [];
  return versionAdvice(module, args, version).map(({ path, message, hint }) => ({
    ...{ controller, message, hint, isWarning: true },
    source: task.locate([...task.argsPath, ...path]),
  }));
}

/** Undefined if it is not set, or known only during the run; a wrong one is reported elsewhere. */
function readVersion(scope: Variables): string | undefined {
  try {
    const version = lookupIn(scope)('controller_api_version');
    return typeof version === 'string' && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined;
  } catch (error) {
    if (error instanceof NotKnownYet || error instanceof TemplateError) return undefined;
    throw error;
  }
}
