import type { StrategyName } from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import { MOST_FORKS } from '../../core/model/run/choices.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { asText } from '../../language/runtime/text.js';
import { Variables } from '../../language/scope.js';
import type { RunInput } from '../input/run_input.js';
import type { PlayTarget } from '../input/target.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { renderFlagOr, renderNumber, renderNumberOr, renderUnlessOmitted } from '../keywords/rendered_keywords.js';
import { ORDERS, type PlayOrder } from './batches.js';

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
type PlaySettingsInput = Pick<RunInput, 'settings' | 'sources'> & Partial<Pick<RunInput, 'user'>>;

/** Throws a `TaskProblem` or a `TemplateError` if one of them is invalid. */
export function playSettings(input: PlaySettingsInput, { play }: Pick<PlayTarget, 'play'>): PlaySettings {
  const answers = input.sources.answers?.get(play);
  const layers = [...play.layers, ...(answers === undefined ? [] : [answers]), ...input.sources.extraVars];
  const variables = new Variables(layers, undefined, undefined, input.sources.library);
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
  const known = ORDERS.find((one) => one === name);
  if (known !== undefined) return known;
  throw new TaskProblem(
    `there is no order "${name}"`,
    order.source,
    didYouMean(name, ORDERS) ?? `it is one of ${ORDERS.join(', ')}`,
  );
}

/** `25`, `"25"` and `"25%"` are the same. */
function percentage(located: Located | undefined, variables: Variables): number | undefined {
  if (located === undefined) return undefined;
  const { value } = located;
  const text = typeof value === 'string' ? value.trim().replace(/%$/, '') : value;
  return renderNumber('max_fail_percentage', { ...located, value: text }, variables);
}
