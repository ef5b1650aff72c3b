import { orElse } from '../../core/model/error_message.js';
import type { Handler, Include, Located, Task, Condition } from '../../core/model/playbook/step.js';
import { jsonText } from '../../core/model/values/json.js';
import { entry, isMapping, type Value, parseFlag } from '../../core/model/values/value.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import { evaluate, isTrue } from '../../language/condition.js';
import { renderText, renderValue } from '../../language/render.js';
import { asText, describe } from '../../language/runtime/text.js';
import { OMIT } from '../../language/runtime/undefined.js';
import type { EvaluationScope, Variables } from '../../language/scope.js';
import { hasTemplate } from '../../language/syntax/template.js';
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

/** A flag; the texts that Ansible accepts are converted. */
export function renderFlag(keyword: string, located: Located, scope: EvaluationScope): boolean {
  const value = renderLocated(located, scope);
  const plain = typeof value === 'string' ? value.trim() : value;
  if (plain === '' || plain === null) return false;
  const known = parseFlag(plain);
  if (known !== undefined) return known;
  throw new TaskProblem(`${keyword} must be true or false, not ${describe(value)}`, located.source);
}

/**
 * What a task is called: its name with its templates filled in (as it was written if they cannot be), else its module; with its
 * role before it, `web : reload`.
 *
 * @param used absent: no task hides anything
 */
export function renderTitle(
  step: Task | Include | Handler,
  scope: () => Variables,
  used: UsedVariables | undefined,
): string {
  const { role, name } = step;
  const own = name === undefined ? stepKind(step) : rendered(name, scope, used);
  return role === undefined ? own : `${role} : ${own}`;
}

function stepKind(step: Task | Include | Handler): string {
  if (step.type === 'meta') return `meta: ${step.action}`;
  // An include_role says which role, as in Ansible.
  const role = step.module === 'include_role' && isMapping(step.args) ? entry(step.args, 'name') : undefined;
  return typeof role === 'string' ? `${step.module} : ${role}` : step.module;
}

function rendered(
  { value, source }: NonNullable<Task['name']>,
  scope: () => Variables,
  used: UsedVariables | undefined,
): string {
  if (!hasTemplate(value)) return value;
  return orElse(value, () => {
    const text = asText(renderText(value, used === undefined ? scope() : used.watch(scope()), source));
    return used === undefined ? text : used.text(text);
  });
}

/** Whether all conditions are true. Evaluates them in order, up to the first false one. */
export function allHold(conditions: readonly Condition[], scope: EvaluationScope): boolean {
  return firstBroken(conditions, scope) === undefined;
}

export function firstBroken(conditions: readonly Condition[], scope: EvaluationScope): Condition | undefined {
  return conditions.find((condition) => !isTrue(evaluate(condition.expression, scope, condition.source)));
}

/** As written in the playbook; several conditions joined with `and`. */
export function conditionText(conditions: readonly Condition[]): string {
  return conditions
    .map(({ expression }) => (typeof expression === 'string' ? expression : jsonText(expression)))
    .join(' and ');
}
