import type { Block, Condition, Include, Loop, Task } from '../../core/model/playbook/step.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { SecretFinder } from '../../core/secrets/secret_finder.js';
import { evaluate, isTrue } from '../../language/condition.js';
import type { Variables } from '../../language/scope.js';
import { loopItems, loopLayer, loopVariables } from '../keywords/loop_items.js';
import { LaterVariables } from '../preflight/later_variables.js';
import { plainValue, type KnownValues } from './known_value.js';

/** One round of a loop, or the task itself. */
export interface Round {
  readonly scope: Variables;
  readonly variables?: Mapping | undefined;
  /** The item of the round, for display. Absent: there is no loop. */
  readonly item?: Value | undefined;
}

/** The conditions that are not known yet; `false` if one is certainly false. */
export type Conditions = readonly Condition[] | false;

/** Determines how often a step is carried out, as far as that is known before the run. */
export class RenderRounds {
  constructor(
    private readonly values: KnownValues,
    /** Receives all possible secrets before they are shown. */
    private readonly secrets: SecretFinder,
  ) {}

  conditions(when: readonly Condition[], scope: Variables): Conditions {
    const open: Condition[] = [];
    for (const condition of when) {
      const holds = (): boolean => isTrue(evaluate(condition.expression, scope, condition.source));
      const known = this.values.doubting(open.length > 0, () => this.values.attempt(holds, () => condition.source));
      if (known === false) return false;
      if (known !== true) open.push(condition);
    }
    return open;
  }

  /** The rounds of a loop whose items are known; else one whose item is not known. */
  of(step: Task | Include | Block, scope: Variables): readonly Round[] {
    const { loop } = step;
    this.secrets.learnLayers(step.layers, scope);
    if (loop === undefined) return [{ scope }];
    const [when, module] = step.type === 'block' ? [[], undefined] : [step.when, step.module];
    // The items do not matter if the condition is certainly false.
    const open = this.values.doubting(true, () => this.conditions(when, scope));
    if (open === false) return [];
    const found = (): readonly Value[] => loopItems(loop, scope, module);
    const items = this.values.doubting(open.length > 0, () => this.values.attempt(found, () => loop.over.source));
    if (typeof items === 'string') return [{ scope: scope.child(unknownItem(loop)), item: items }];
    return items.map((_, index) => {
      const variables = loopVariables(loop, items, index, scope);
      const own = scope.child(loopLayer(variables));
      this.secrets.learn(items[index] ?? null);
      this.secrets.learnLayers(step.layers, own);
      return { scope: own, variables, item: this.#label(loop, items[index] ?? null, own) };
    });
  }

  #label({ label }: Loop, item: Value, scope: Variables): Value {
    return label === undefined ? plainValue(item) : (this.values.of(label.value, scope, () => label.source) ?? null);
  }
}

function unknownItem({ variable, indexVariable }: Loop): readonly VariableLayer[] {
  const names = [variable, 'ansible_loop', ...(indexVariable === undefined ? [] : [indexVariable])];
  const [layer] = new LaterVariables(names).layers;
  return layer === undefined ? [] : [{ ...layer, level: 'magic', literal: true }];
}
