import type { Condition } from '../../core/model/playbook/step.js';
import { jsonText } from '../../core/model/values/json.js';
import { evaluate, isTrue } from '../../language/condition.js';
import type { EvaluationScope } from '../../language/scope.js';

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
