import type { Located } from '../../model/playbook/step.js';
import { GATE_ACTIONS, type Gate, type GateAction } from '../../model/playbook/playbook.js';
import type { GateSettings } from '../input/target.js';
import { didYouMean } from '../../model/source/suggestion.js';
import type { Variables } from '../../template/scope.js';
import { asText } from '../../template/runtime/text.js';
import { renderLocated, renderNumber } from '../keywords/rendered_keywords.js';
import { TaskProblem } from '../keywords/task_problem.js';

const SECONDS_BETWEEN_ROUNDS = 5;

/** Throws a `TaskProblem` or a `TemplateError` if one of them makes no sense. */
export function gateSettings({ interval, passes, failures, onFail }: Gate, variables: Variables): GateSettings {
  return {
    interval: interval === undefined ? SECONDS_BETWEEN_ROUNDS : seconds('interval', interval, variables),
    passes: rounds('passes', passes, variables),
    failures: rounds('failures', failures, variables),
    onFail: onFail === undefined ? 'stop' : action(onFail, variables),
  };
}

function seconds(keyword: string, located: Located, variables: Variables): number {
  const number = renderNumber(keyword, located, variables);
  if (number >= 0) return number;
  throw new TaskProblem(`${keyword} must be a number from 0, not ${number}`, located.source);
}

function rounds(keyword: string, located: Located | undefined, variables: Variables): number {
  if (located === undefined) return 1;
  const number = renderNumber(keyword, located, variables);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TaskProblem(`${keyword} must be a whole number from 1, not ${number}`, located.source);
}

function action(located: Located<string>, variables: Variables): GateAction {
  const name = asText(renderLocated(located, variables));
  const known = GATE_ACTIONS.find((one) => one === name);
  if (known !== undefined) return known;
  const hint = didYouMean(name, GATE_ACTIONS);
  throw new TaskProblem(`on_fail must be ${GATE_ACTIONS.join(', ')}, not "${name}"`, located.source, hint);
}
