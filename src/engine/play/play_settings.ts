import { type Gate, GATE_ACTIONS, type GateAction, type StrategyName } from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import { MOST_FORKS, PLAY_ORDERS, type PlayOrder } from '../../core/model/run/choices.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { asText } from '../../language/runtime/result.js';
import type { Variables } from '../../language/scope.js';
import { type BeforePlays, variablesBefore } from '../controllers/play_variables.js';
import type { GateSettings, ReadyPlay } from '../input/ready_play.js';
import type { RunInput } from '../input/run_input.js';
import { TaskProblem } from '../keywords/failed_result.js';
import {
  renderFlagOr,
  renderLocated,
  renderNumber,
  renderNumberOr,
  renderUnlessOmitted,
} from '../keywords/rendered_keywords.js';

const SECONDS_BETWEEN_ROUNDS = 5;

/** Throws a `TaskProblem` or a `TemplateError` if one of them is invalid. */
export function gateSettings({ interval, passes, failures, onFail }: Gate, variables: Variables): GateSettings {
  return {
    interval: interval === undefined ? SECONDS_BETWEEN_ROUNDS : gateSeconds('interval', interval, variables),
    passes: gateRounds('passes', passes, variables),
    failures: gateRounds('failures', failures, variables),
    onFail: onFail === undefined ? 'stop' : gateAction(onFail, variables),
  };
}

function gateSeconds(keyword: string, located: Located, variables: Variables): number {
  const number = renderNumber(keyword, located, variables);
  if (number >= 0) return number;
  throw new TaskProblem(`${keyword} must be a number from 0, not ${number}`, located.source);
}

function gateRounds(keyword: string, located: Located | undefined, variables: Variables): number {
  if (located === undefined) return 1;
  const number = renderNumber(keyword, located, variables);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TaskProblem(`${keyword} must be a whole number from 1, not ${number}`, located.source);
}

function gateAction(located: Located<string>, variables: Variables): GateAction {
  const name = asText(renderLocated(located, variables));
  const known = GATE_ACTIONS.find((one) => one === name);
  if (known !== undefined) return known;
  const hint = didYouMean(name, GATE_ACTIONS);
  throw new TaskProblem(`on_fail must be ${GATE_ACTIONS.join(', ')}, not "${name}"`, located.source, hint);
}

/** The keywords of a play that do not depend on a controller's variables, rendered. */
export interface PlaySettings {
  readonly strategy: StrategyName;
  readonly order: PlayOrder;
  /** Of the play; undefined: those of the run. */
  readonly forks: number | undefined;
  readonly forceHandlers: boolean;
  readonly maxFailPercentage: number | undefined;
}

/** Without a user, no task is confirmed. */
interface PlaySettingsInput extends Partial<Pick<RunInput, 'user'>> {
  readonly settings: Pick<RunInput['settings'], 'strategy' | 'forceHandlers'>;
  readonly sources: BeforePlays;
}

/** Throws a `TaskProblem` or a `TemplateError` if one of them is invalid. */
export function playSettings(input: PlaySettingsInput, { play }: Pick<ReadyPlay, 'play'>): PlaySettings {
  const variables = variablesBefore(play, input.sources);
  const { maxFailPercentage, forceHandlers, forks, order } = play;
  return {
    // One question per task makes sense only if all controllers reach it together.
    strategy:
      input.user?.confirmTask === undefined ? (play.strategy ?? input.settings.strategy ?? 'host_pinned') : 'linear',
    order: parseOrder(renderUnlessOmitted(order, variables)),
    forks: forks && Math.max(1, renderNumberOr(MOST_FORKS, 'forks', forks, variables)),
    forceHandlers:
      input.settings.forceHandlers === true || renderFlagOr(false, 'force_handlers', forceHandlers, variables),
    maxFailPercentage: percentage(renderUnlessOmitted(maxFailPercentage, variables), variables),
  };
}

function parseOrder(order: Located | undefined): PlayOrder {
  if (order === undefined) return 'inventory';
  const name = asText(order.value);
  const known = PLAY_ORDERS.find((one) => one === name);
  if (known !== undefined) return known;
  const hint = didYouMean(name, PLAY_ORDERS) ?? `use one of ${PLAY_ORDERS.join(', ')}`;
  throw new TaskProblem(`there is no order "${name}"`, order.source, hint);
}

/** `25`, `"25"` and `"25%"` are the same. */
function percentage(located: Located | undefined, variables: Variables): number | undefined {
  if (located === undefined) return undefined;
  const { value } = located;
  const text = typeof value === 'string' ? value.trim().replace(/%$/, '') : value;
  return renderNumber('max_fail_percentage', { ...located, value: text }, variables);
}
