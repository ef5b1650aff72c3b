import type { Located, StrategyName } from '../../model/playbook.js';
import { didYouMean } from '../../model/suggestion.js';
import { Variables } from '../../template/scope.js';
import { asText } from '../../template/text.js';
import type { RunInput } from '../input.js';
import { renderFlag, renderLocated, renderNumber } from '../task/rendered_settings.js';
import { TaskProblem } from '../task/task_problem.js';
import type { Target } from '../targets.js';

const ORDERS = ['inventory', 'reverse_inventory', 'sorted', 'reverse_sorted', 'shuffle'] as const;

export type Order = (typeof ORDERS)[number];

/** The keywords of a play that no controller's variables take part in, rendered. */
export interface PlaySettings {
  readonly strategy: StrategyName;
  readonly order: Order;
  readonly forks: number;
  readonly forceHandlers: boolean;
  readonly maxFailPercentage: number | undefined;
}

type Given = Pick<
  RunInput,
  'extraVars' | 'answers' | 'library' | 'strategy' | 'forks' | 'forceHandlers' | 'confirmTask'
>;

/** Throws a `TaskProblem` or a `TemplateError` if one of them makes no sense. */
export function playSettings(input: Given, { play }: Pick<Target, 'play'>): PlaySettings {
  const answers = input.answers?.get(play);
  const layers = [...play.layers, ...(answers === undefined ? [] : [answers]), ...input.extraVars];
  const variables = new Variables(layers, undefined, undefined, input.library);
  const { maxFailPercentage, forceHandlers, forks, order } = play;
  return {
    // One question a task makes sense only if all come to it together.
    strategy: input.confirmTask === undefined ? (play.strategy ?? input.strategy ?? 'host_pinned') : 'linear',
    order: order === undefined ? 'inventory' : orderOf(order, variables),
    forks:
      forks === undefined ? input.forks : Math.max(1, Math.min(input.forks, renderNumber('forks', forks, variables))),
    forceHandlers:
      input.forceHandlers === true ||
      (forceHandlers !== undefined && renderFlag('force_handlers', forceHandlers, variables)),
    maxFailPercentage: maxFailPercentage && percentage(maxFailPercentage, variables),
  };
}

function orderOf(order: Located<string>, variables: Variables): Order {
  const name = asText(renderLocated(order, variables));
  const known = ORDERS.find((one) => one === name);
  if (known !== undefined) return known;
  throw new TaskProblem(
    `there is no order "${name}"`,
    order.source,
    didYouMean(name, ORDERS) ?? `it is one of ${ORDERS.join(', ')}`,
  );
}

/** `25`, `"25"` and `"25%"` are the same. */
function percentage(located: Located, variables: Variables): number {
  const value = renderLocated(located, variables);
  const text = typeof value === 'string' ? value.trim().replace(/%$/, '') : value;
  return renderNumber('max_fail_percentage', { ...located, value: text }, variables);
}
