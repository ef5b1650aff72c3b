import type { Block, Condition, Include, Loop, Task } from '../../core/model/playbook/step.js';
import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { taskVars, type VariableLayer } from '../../core/model/values/variables.js';
import type { SecretFinder } from '../../core/secrets/secret_finder.js';
import { MASK } from '../../core/secrets/secrets.js';
import { forEachSecret } from '../../core/secrets/values.js';
import { evaluate, isTrue } from '../../language/render.js';
import { asText } from '../../language/runtime/result.js';
import type { Variables } from '../../language/scope.js';
import { secretArguments } from '../../module/arguments/validation.js';
import type { Module } from '../../module/contract.js';
import { property, type Schema } from '../../module/schema.js';
import { conditionText, loopItems, loopLayer, loopVariables, renderFlagOr } from '../keywords/rendered_keywords.js';
import { LaterVariables } from '../preflight/later_variables.js';
import type { PlayPreview } from '../preflight/play_preview.js';
import { AT_RUN_TIME, filledIn, type KnownValues, plainValue } from './known_value.js';

/** One round of a loop, or the task itself. */
export interface Round {
  readonly scope: Variables;
  readonly variables?: Mapping | undefined;
  /** The item of the round, for display. Absent: there is no loop. */
  readonly item?: Value | undefined;
}

/** The conditions that are not known yet; `false` if one is certainly false. */
export type Conditions = readonly Condition[] | false;

/** Renders the parts of single steps, and how often each is carried out, as far as that is known before the run. */
export class StepParts {
  constructor(
    private readonly play: Pick<PlayPreview, 'isOnce'>,
    private readonly values: KnownValues,
    /** Receives all possible secrets before they are shown. */
    private readonly secrets: SecretFinder,
  ) {}

  /** The arguments as users see them; their secrets are learned. */
  args(task: Task | Include, module: Module, scope: Variables): Value {
    const isHidden = this.#isHidden(task, scope);
    // What is wrong with hidden arguments may quote them.
    const args = this.values.doubting(isHidden, () => this.knownArgs(task, module, scope));
    if (isHidden) {
      const written = new Set<string>();
      const own = taskVars(task.layers);
      forEachSecret([task.args, ...own], true, (text) => written.add(text));
      const known = this.values.doubting(true, () => this.values.known(own, scope, () => task.source)) ?? null;
      this.secrets.learnMasked(filledIn([args, known], written));
      return MASK;
    }
    this.secrets.learnAll(secretArguments(module, args).filter((text) => text !== AT_RUN_TIME));
    return args;
  }

  /** Expressions that the module evaluates itself stay as they are written. */
  knownArgs(task: Task | Include, module: Module, scope: Variables): Value {
    const { args } = task;
    const locate: Task['locate'] = (path) => task.locate([...task.argsPath, ...path]);
    if (!isMapping(args)) return this.values.known(args, scope, locate) ?? null;
    const schema: Schema = module.args;
    const entries = Object.entries(args).flatMap(([name, value]) => {
      if (property(schema, name)?.expression === true) return [[name, value] as const];
      const known = this.values.known({ [name]: value }, scope, locate);
      return isMapping(known) ? Object.entries(known) : [];
    });
    return Object.fromEntries(entries);
  }

  /** Unless `no_log` is certainly false. */
  #isHidden({ noLog }: Task | Include | Block, scope: Variables): boolean {
    if (noLog === undefined) return false;
    const hides = (): boolean => renderFlagOr(false, 'no_log', noLog, scope);
    return this.values.attempt(hides, () => noLog.source) !== false;
  }

  /** Its title, and the item of its loop. */
  head(step: Task | Include | Block, role: string | undefined, { scope, item }: Round): Mapping {
    const { name } = step;
    const isHidden = this.#isHidden(step, scope);
    const own = name && (isHidden ? name.value : this.values.text(name.value, scope, () => name.source));
    const title = own === undefined || role === undefined ? own : `${role} : ${asText(own)}`;
    return { ...(title !== undefined && { name: title }), ...(item !== undefined && { item: isHidden ? MASK : item }) };
  }

  /** Keywords whose values matter to users. */
  keywords(task: Task | Include, open: readonly Condition[], { scope }: Round): Mapping {
    const { delegateTo, register, notify, checkMode, until, ignoreErrors } = task;
    const text = (located: { readonly value: Value; readonly source: Task['source'] }): Value =>
      this.values.known(located.value, scope, () => located.source) ?? null;
    return {
      ...(open.length > 0 && { when: open.map((one) => conditionText([one])) }),
      ...(delegateTo && { delegate_to: text(delegateTo) }),
      ...(this.play.isOnce(task) && { run_once: true }),
      ...(checkMode && { check_mode: text(checkMode) }),
      ...(ignoreErrors && { ignore_errors: text(ignoreErrors) }),
      ...(until?.until && { until: until.until.map((one) => conditionText([one])) }),
      ...(register !== undefined && { register }),
      ...(notify.length > 0 && { notify: notify.map(text) }),
    };
  }

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
  rounds(step: Task | Include | Block, scope: Variables): readonly Round[] {
    const { loop, when } = step;
    this.secrets.learnLayers(step.layers, scope);
    if (loop === undefined) return [{ scope }];
    // The items do not matter if the condition is certainly false.
    const open = this.values.doubting(true, () => this.conditions(when, scope));
    if (open === false) return [];
    const found = (): readonly Value[] => loopItems(loop, scope, step.type === 'block' ? undefined : step.module);
    const isDoubtful = open.length > 0 || this.#isHidden(step, scope);
    const items = this.values.doubting(isDoubtful, () => this.values.attempt(found, () => loop.over.source));
    if (typeof items === 'string') return [{ scope: scope.child(unknownItem(loop)), item: items }];
    return items.map((_, index) => {
      const variables = loopVariables(loop, items, index, scope);
      const own = scope.child(loopLayer(variables));
      this.secrets.learn(items[index] ?? null);
      if (this.#isHidden(step, own)) this.secrets.learnMasked(plainValue(items[index] ?? null));
      this.secrets.learnLayers(step.layers, own);
      return { scope: own, variables, item: this.#label(loop, items[index] ?? null, own) };
    });
  }

  #label({ label }: Loop, item: Value, scope: Variables): Value {
    return label === undefined ? plainValue(item) : (this.values.known(label.value, scope, () => label.source) ?? null);
  }
}

function unknownItem({ variable, indexVariable }: Loop): readonly VariableLayer[] {
  const names = [variable, 'ansible_loop', ...(indexVariable === undefined ? [] : [indexVariable])];
  const [layer] = new LaterVariables(names).layers;
  return layer === undefined ? [] : [{ ...layer, level: 'magic', literal: true }];
}
