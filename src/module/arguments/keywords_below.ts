import type { Mapping } from '../../core/model/values/value.js';
import type { Module } from '../contract.js';
import { property, type Schema } from '../schema.js';
import type { ArgumentProblem } from './violation.js';

/** Keywords of tasks that no field is called: an object would get a field "when", and the task would always run. */
const NEVER_A_FIELD =
  /^(?:when|register|loop|loop_control|with_\w+|until|notify|listen|backoff|delegate_(?:to|facts)|run_once|ignore_errors|ignore_unreachable|any_errors_fatal|(?:changed|failed|break)_when|check_mode|no_log|become|become_\w+|module_defaults)$/;

/** Keywords of tasks that a field may be called. */
const MAYBE_A_FIELD = /^(?:tags|vars|args|retries|delay|throttle|timeout|diff|environment|connection|collections)$/;

/** Keywords among the arguments of a module, such as those that are indented too far, unless the module knows them. */
export function keywordsBelow(
  { type, name: module, args }: Module,
  known: readonly Schema[],
  given: Mapping,
): readonly ArgumentProblem[] {
  const { additionalProperties }: Schema = args;
  if (type !== 'resource' && additionalProperties !== false) return [];
  return Object.keys(given)
    .filter((name) => NEVER_A_FIELD.test(name) && known.every((one) => property(one, name) === undefined))
    .map((name) => ({
      path: [name],
      message: `"${name}" is not an argument of ${module}`,
      hint: `it is a keyword of a task: write it beside "${module}", not among its arguments`,
    }));
}

/** The hint for a field that the module does not know. */
export function keywordHint(module: string, field: string): string | undefined {
  return MAYBE_A_FIELD.test(field) ? `if it is the keyword of the task, write it beside "${module}"` : undefined;
}
