import type { Block, Condition, Include, Included, Loop, Meta, Step, Task } from '../../model/playbook/step.js';
import { isMapping, type Mapping, type Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Module } from '../../module/contract.js';
import { property, type Schema } from '../../module/schema.js';
import { secretArguments } from '../../module/secret_arguments.js';
import type { SecretFinder } from '../../secrets/secret_finder.js';
import { MASK } from '../../secrets/secrets.js';
import { evaluate, isTrue } from '../../template/condition.js';
import { TemplateError } from '../../template/runtime/errors.js';
import { asText } from '../../template/runtime/text.js';
import type { Variables } from '../../template/scope.js';
import { loopItems, loopVariables } from '../keywords/loop_items.js';
import { renderFlagOr } from '../keywords/rendered_keywords.js';
import { selectSteps } from '../keywords/selected_steps.js';
import { conditionText } from '../keywords/conditions.js';
import { LaterVariables, registeredBy, setBy } from '../preflight/later_variables.js';
import type { ControllerView, PlayPreview } from '../preflight/play_preview.js';
import { inRound, isExpected, loopLayer } from '../preflight/prospect.js';
import type { Surroundings } from '../preflight/outlook.js';
import { includedRun } from '../task/included_run.js';
import { AT_RUN_TIME, KnownValues, plainValue, type Unrenderable } from './known_value.js';

/** A file may include itself until a condition of the run ends that. */
const DEEPEST = 20;

/** One round of a loop, or the task itself. */
interface Round {
  readonly scope: Variables;
  readonly variables?: Mapping | undefined;
  /** What the round is about, for the reader. Absent: there is no loop. */
  readonly item?: Value | undefined;
}

/** The conditions that are not known yet; `false` if one is known not to hold. */
type Conditions = readonly Condition[] | false;

export interface RenderPorts {
  /** Called for templates that are certain to fail. */
  readonly report: (problem: Unrenderable) => void;
  /** Gets everything that may hold secrets, before it is shown. */
  readonly secrets: SecretFinder;
}

const TOP: Surroundings = { layers: [], rescuable: false, depth: 0 };
const ENDS: ReadonlySet<Meta['action']> = new Set(['end_host', 'end_batch', 'end_play']);

/** Writes down the steps of a play as one controller would carry them out, with every template filled in that is known before the run. */
export class ControllerRender {
  readonly #values: KnownValues;
  #published: readonly VariableLayer[] = [];
  #ended = false;
  /** How much around the current step may keep it from being carried out. */
  #doubts = 0;

  constructor(
    private readonly play: PlayPreview,
    private readonly view: ControllerView,
    private readonly ports: RenderPorts,
  ) {
    this.#values = new KnownValues((problem) => {
      if (this.#doubts === 0) ports.report(problem);
    });
  }

  async steps(steps: readonly Step[], around: Surroundings = TOP): Promise<readonly Mapping[]> {
    const rendered: Mapping[] = [];
    for (const step of steps) if (!this.#ended) rendered.push(...(await this.#step(step, around)));
    return rendered;
  }

  /** As `steps`, for those that may not run: handlers, checks of a gate. */
  async possibleSteps(steps: readonly Step[]): Promise<readonly Mapping[]> {
    this.#ended = false;
    return this.#doubting(true, () => this.steps(steps));
  }

  async #doubting<T>(isDoubtful: boolean, work: () => Promise<T> | T): Promise<T> {
    if (isDoubtful) this.#doubts++;
    try {
      return await work();
    } finally {
      if (isDoubtful) this.#doubts--;
    }
  }

  async #step(step: Step, around: Surroundings): Promise<readonly Mapping[]> {
    switch (step.type) {
      case 'task':
        return this.#task(step, around);
      case 'include':
        return this.#include(step, around);
      case 'block':
        return this.#block(step, around);
      case 'role':
        return this.steps(step.steps, around);
      case 'meta':
        return this.#meta(step, around);
      default:
        return step satisfies never;
    }
  }

  #scope(layers: readonly VariableLayer[]): Variables {
    return this.view.scope.child([...this.#published, ...layers, ...this.view.later.layers]);
  }

  async #task(task: Task, around: Surroundings): Promise<readonly Mapping[]> {
    const module = this.play.module(task.module);
    const shown: Mapping[] = [];
    for (const round of await this.#rounds(task, around)) {
      const open = this.#conditions(task.when, round.scope);
      if (open === false) continue;
      const rendered = await this.#doubting(open.length + (task.ignoreErrors ? 1 : 0) > 0, () => ({
        ...this.#head(task, task.role, round),
        [task.module]: this.#args(task, module, round.scope),
        ...this.#keywords(task, open, round),
      }));
      shown.push(rendered);
    }
    this.view.later.add(registeredBy(task));
    if (shown.length > 0) this.view.later.add(setBy(task, module));
    return shown;
  }

  #args(task: Task | Include, module: Module, scope: Variables): Value {
    if (this.#isHidden(task, scope)) return MASK;
    const args = this.#knownArgs(task, module, scope);
    this.ports.secrets.learnAll(secretArguments(module, args).filter((text) => text !== AT_RUN_TIME));
    return args;
  }

  /** Expressions that the module evaluates itself stay as they are written. */
  #knownArgs(task: Task | Include, module: Module, scope: Variables): Value {
    const { args } = task;
    const locate: Task['locate'] = (path) => task.locate([...task.argsPath, ...path]);
    if (!isMapping(args)) return this.#values.of(args, scope, locate) ?? null;
    const schema: Schema = module.args;
    const entries = Object.entries(args).flatMap(([name, value]) => {
      if (property(schema, name)?.expression === true) return [[name, value] as const];
      const known = this.#values.of({ [name]: value }, scope, locate);
      return isMapping(known) ? Object.entries(known) : [];
    });
    return Object.fromEntries(entries);
  }

  /** Unless it is certain that `no_log` does not hold. */
  #isHidden({ noLog }: Task | Include, scope: Variables): boolean {
    if (noLog === undefined) return false;
    const known = this.#values.attempt(
      () => renderFlagOr(false, 'no_log', noLog, scope),
      () => noLog.source,
    );
    return known !== false;
  }

  #head(step: Task | Include | Block, role: string | undefined, { scope, item }: Round): Mapping {
    const { name } = step;
    const own = name && this.#values.text(name.value, scope, () => name.source);
    const title = own === undefined || role === undefined ? own : `${role} : ${asText(own)}`;
    const isHidden = step.type !== 'block' && this.#isHidden(step, scope);
    return { ...(title !== undefined && { name: title }), ...(item !== undefined && { item: isHidden ? MASK : item }) };
  }

  #keywords(task: Task | Include, open: readonly Condition[], { scope }: Round): Mapping {
    const { delegateTo, register, notify, checkMode, until, ignoreErrors } = task;
    const text = (located: { readonly value: Value; readonly source: Task['source'] }): Value =>
      this.#values.of(located.value, scope, () => located.source) ?? null;
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

  #conditions(when: readonly Condition[], scope: Variables): Conditions {
    const open: Condition[] = [];
    for (const condition of when) {
      const known = this.#values.attempt(
        () => isTrue(evaluate(condition.expression, scope, condition.source)),
        () => condition.source,
      );
      if (known === false) return false;
      if (known !== true) open.push(condition);
    }
    return open;
  }

  /** The rounds of a loop whose items are known; else one whose item is not known. */
  async #rounds(step: Task | Include | Block, around: Surroundings): Promise<readonly Round[]> {
    const scope = this.#scope([...around.layers, ...step.layers]);
    const { loop } = step;
    this.ports.secrets.learnLayers(step.layers, scope);
    if (loop === undefined) return [{ scope }];
    const when = step.type === 'block' ? [] : step.when;
    // What there is to loop over does not matter if the condition does not hold anyway.
    const known = await this.#doubting(true, () => this.#conditions(when, scope));
    if (known === false) return [];
    const module = step.type === 'block' ? undefined : step.module;
    const items = await this.#doubting(known.length > 0, () =>
      this.#values.attempt(
        () => loopItems(loop, scope, module),
        () => loop.over.source,
      ),
    );
    if (typeof items === 'string') return [{ scope: scope.child(unknownItem(loop)), item: items }];
    return items.map((_, index) => this.#roundOf({ loop, layers: step.layers }, items, index, scope));
  }

  #roundOf(
    { loop, layers }: { readonly loop: Loop; readonly layers: readonly VariableLayer[] },
    items: readonly Value[],
    index: number,
    around: Variables,
  ): Round {
    const variables = loopVariables(loop, items, index);
    const scope = around.child(loopLayer(variables));
    this.ports.secrets.learn(items[index] ?? null);
    this.ports.secrets.learnLayers(layers, scope);
    const { label } = loop;
    const item =
      label === undefined ? plainValue(items[index] ?? null) : this.#values.of(label.value, scope, () => label.source);
    return { scope, variables, item: item ?? null };
  }

  async #include(include: Include, around: Surroundings): Promise<readonly Mapping[]> {
    const rendered: Mapping[] = [];
    for (const round of await this.#rounds(include, around)) {
      const open = this.#conditions(include.when, round.scope);
      if (open === false) continue;
      rendered.push(await this.#doubting(open.length > 0, () => this.#included(include, round, open, around)));
    }
    this.view.later.add(registeredBy(include));
    return rendered;
  }

  async #included(include: Include, round: Round, open: readonly Condition[], around: Surroundings): Promise<Mapping> {
    const args = this.#args(include, this.play.module(include.module), round.scope);
    const shown = {
      ...this.#head(include, include.role, round),
      [include.module]: args,
      ...this.#keywords(include, open, round),
    };
    const included = around.depth < DEEPEST ? await this.#read(include, args) : undefined;
    if (included !== undefined) return { ...shown, tasks: await this.#tasksOf(include, included, round, around) };
    this.view.later.add('anything');
    return shown;
  }

  /** Undefined if it is not known what is included, or if it cannot be read. */
  async #read(include: Include, args: Value): Promise<Included | undefined> {
    if (!isMapping(args) || JSON.stringify(args).includes(AT_RUN_TIME)) return undefined;
    try {
      return await include.read(args);
    } catch (error) {
      if (!isExpected(error)) throw error;
      this.#values.attempt(
        () => {
          throw error instanceof TemplateError ? error : new TemplateError(error instanceof Error ? error.message : '');
        },
        () => include.source,
      );
      return undefined;
    }
  }

  async #tasksOf(
    include: Include,
    included: Included,
    { variables }: Round,
    { layers, depth, rescuable }: Surroundings,
  ): Promise<readonly Mapping[]> {
    this.play.take(included);
    await this.play.load([...included.steps, ...included.handlers]);
    this.#published = [...this.#published.filter((layer) => !included.layers.includes(layer)), ...included.layers];
    this.ports.secrets.learnLayers(included.layers, this.#scope(layers));
    const inner = [...layers, ...includedRun(include, included, variables).layers];
    return this.steps(selectSteps(included.steps, this.play.tags), { layers: inner, rescuable, depth: depth + 1 });
  }

  async #block(block: Block, around: Surroundings): Promise<readonly Mapping[]> {
    const rendered: Mapping[] = [];
    for (const round of await this.#rounds(block, around)) {
      const inner = round.variables === undefined ? around : inRound(around, round.variables);
      rendered.push(...(await this.#round(block, round, inner)));
    }
    return rendered;
  }

  /** A block that only groups steps is shown as its steps. */
  async #round(block: Block, round: Round, around: Surroundings): Promise<readonly Mapping[]> {
    const steps = await this.#doubting(block.rescue.length > 0, () => this.steps(block.steps, around));
    if (block.loop === undefined && block.rescue.length + block.always.length === 0) return steps;
    const rescue = await this.#doubting(true, () => this.steps(block.rescue, around));
    const always = await this.steps(block.always, around);
    if (steps.length + rescue.length + always.length === 0) return [];
    const parts = { ...(rescue.length > 0 && { rescue }), ...(always.length > 0 && { always }) };
    return [{ ...this.#head(block, undefined, round), block: steps, ...parts }];
  }

  #meta(meta: Meta, around: Surroundings): readonly Mapping[] {
    const { action, when } = meta;
    const open = this.#conditions(when, this.#scope([...around.layers, ...meta.layers]));
    if (open === false) return [];
    // Inside of a block, `always` still runs.
    if (ENDS.has(action) && open.length === 0 && around === TOP) this.#ended = true;
    else if (ENDS.has(action)) this.#doubts++;
    return [{ meta: action, ...(open.length > 0 && { when: open.map((one) => conditionText([one])) }) }];
  }
}

function unknownItem({ variable, indexVariable }: Loop): readonly VariableLayer[] {
  const names = [variable, 'ansible_loop', ...(indexVariable === undefined ? [] : [indexVariable])];
  const [layer] = new LaterVariables(names).layers;
  return layer === undefined ? [] : [{ ...layer, level: 'magic', literal: true }];
}
