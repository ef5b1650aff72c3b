import type { Located } from '../../core/model/playbook/step.js';
import type { Value } from '../../core/model/values/value.js';
import { renderValue } from '../../language/render.js';
import { describe } from '../../language/runtime/text.js';
import { OMIT } from '../../language/runtime/undefined.js';
import type { EvaluationScope } from '../../language/scope.js';
import { TaskProblem } from './failed_result.js';

/** A keyword's value with its templates filled in. */
export function renderLocated(located: Located, scope: EvaluationScope): Value {
  return renderValue(located.value, scope, () => located.source);
}

/** As `renderLocated`. A keyword that evaluates to `omit` is treated as absent: the enclosing one applies, if any. */
export function renderUnlessOmitted(located: Located | undefined, scope: EvaluationScope): Located | undefined {
  if (located === undefined) return undefined;
  const value = renderLocated(located, scope);
  return value === OMIT ? renderUnlessOmitted(located.outer, scope) : { value, source: located.source };
}

/** A number with a default, such as `retries`. */
export function renderNumberOr<T>(
  fallback: T,
  keyword: string,
  given: Located | undefined,
  scope: EvaluationScope,
): number | T {
  const located = renderUnlessOmitted(given, scope);
  return located === undefined ? fallback : renderNumber(keyword, located, scope);
}

/** A flag with a default, such as `ignore_errors`. */
export function renderFlagOr(
  fallback: boolean,
  keyword: string,
  given: Located | undefined,
  scope: EvaluationScope,
): boolean {
  const located = renderUnlessOmitted(given, scope);
  return located === undefined ? fallback : renderFlag(keyword, located, scope);
}

/** A number; texts that are numbers are converted. */
export function renderNumber(keyword: string, located: Located, scope: EvaluationScope): number {
  const value = renderLocated(located, scope);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new TaskProblem(`${keyword} must be a number, not ${describe(value)}`, located.source);
}

const TRUE: readonly Value[] = [true, 1, 'true', 'yes', 'on', '1', 'y', 't'];
const FALSE: readonly Value[] = [false, 0, null, 'false', 'no', 'off', '0', 'n', 'f', ''];

/** A flag; the texts that Ansible accepts are converted. */
export function renderFlag(keyword: string, located: Located, scope: EvaluationScope): boolean {
  const value = renderLocated(located, scope);
  const known = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (TRUE.includes(known)) return true;
  if (FALSE.includes(known)) return false;
  throw new TaskProblem(`${keyword} must be true or false, not ${describe(value)}`, located.source);
}
