import { ENDING_ACTIONS } from '../../core/model/playbook/playbook.js';
import type { Block, Condition, Include, Included, Meta, RoleRun, Step, Task } from '../../core/model/playbook/step.js';
import { jsonText, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { SecretFinder } from '../../core/secrets/secret_finder.js';
import type { Variables } from '../../language/scope.js';
import { conditionText } from '../keywords/rendered_keywords.js';
import { selectSteps, type TagSelection } from '../keywords/selected_steps.js';
import { aroundIncluded, inRound, MOST_KNOWN_INCLUDES, TOP, type PreviewContext } from '../preflight/expectation.js';
import { registeredBy } from '../preflight/later_variables.js';
import type { PlayPreview } from '../preflight/play_preview.js';
import type { ControllerView } from '../preflight/play_views.js';
import { withPublished } from '../task/task_end.js';
import { AT_RUN_TIME, KnownValues, type Unrenderable } from './known_value.js';
import { StepParts, type Round } from './step_parts.js';

export interface RenderPorts {
  /** Called for templates that are certain to fail. */
  readonly report: (problem: Unrenderable) => void;
  /** Receives all possible secrets before they are shown. */
  readonly secrets: SecretFinder;
}

/**
 * Renders the steps of a play as one controller would carry them out, with every template filled in that is known before the run.
 */
export class ControllerRender {
  readonly #values: KnownValues;
  #published: readonly VariableLayer[] = [];
  #ended: 'role' | 'play' | undefined;
  readonly #roles = new Set<string>();
  readonly #parts: StepParts;
  /** The tags that select what is included. Undefined: all of it. */
  #selection: TagSelection | undefined;

  constructor(
    private readonly play: PlayPreview,
    private readonly view: ControllerView,
    private readonly ports: RenderPorts,
  ) {
    this.#values = new KnownValues(ports.report);
    this.#parts = new StepParts(play, this.#values, ports.secrets);
    this.#selection = play.run.input.selection;
  }

  async steps(steps: readonly Step[], around: PreviewContext = TOP): Promise<readonly Mapping[]> {
    const rendered: Mapping[] = [];
    for (const step of steps) if (this.#ended === undefined) rendered.push(...(await this.#step(step, around)));
    return rendered;
  }

  /** As `steps`, for steps that possibly do not run: handlers, checks of a gate. */
  async possibleSteps(steps: readonly Step[], selection?: TagSelection): Promise<readonly Mapping[]> {
    this.#ended = undefined;
    this.#selection = selection;
    return this.#possibly(true, () => this.steps(steps));
  }

  async #possibly<T>(isDoubtful: boolean, work: () => Promise<T>): Promise<T> {
    if (!isDoubtful) return work();
    this.#values.doubt();
    const result = await work();
    this.#values.trust();
    return result;
  }

  async #step(step: Step, around: PreviewContext): Promise<readonly Mapping[]> {
    if (step.type === 'task') return this.#task(step, around);
    if (step.type === 'include') return this.#include(step, around);
    if (step.type === 'block') return this.#block(step, around);
    return step.type === 'role' ? this.#role(step, around) : this.#meta(step, around);
  }

  /** A role runs once, unless it allows duplicates, or a loop includes it. */
  async #role({ key, repeatable, steps }: RoleRun, around: PreviewContext): Promise<readonly Mapping[]> {
    const isLooped = key === around.looped;
    if (!repeatable && !isLooped && this.#roles.has(key)) return [];
    const rendered = await this.steps(steps, around);
    if (this.#ended === 'role') this.#ended = undefined;
    // If all its tasks are skipped, it has not run.
    if (!isLooped && rendered.some((one) => !Object.hasOwn(one, 'when'))) this.#roles.add(key);
    return rendered;
  }

  #scope(layers: readonly VariableLayer[]): Variables {
    return this.view.scope.child([...this.#published, ...layers, ...this.view.later.layers]);
  }

  #renderRounds(step: Task | Include | Block, around: PreviewContext): readonly Round[] {
    return this.#parts.rounds(step, this.#scope([...around.layers, ...step.layers]));
  }

  #task(task: Task, around: PreviewContext): readonly Mapping[] {
    const shown: Mapping[] = [];
    for (const [round, open] of this.#calls(task, around)) {
      const isDoubtful = open.length > 0 || task.ignoreErrors !== undefined;
      shown.push(this.#values.doubting(isDoubtful, () => this.#call(task, round, open)));
    }
    this.view.later.addSetBy(task, this.play.module(task.module), shown.length > 0);
    return shown;
  }

  /** The rounds that may be carried out, with the conditions that are open. */
  *#calls(task: Task | Include, around: PreviewContext): Generator<readonly [Round, readonly Condition[]]> {
    for (const round of this.#renderRounds(task, around)) {
      const open = this.#parts.conditions(task.when, round.scope);
      if (open !== false) yield [round, open];
    }
  }

  #call(task: Task | Include, round: Round, open: readonly Condition[]): Mapping {
    return {
      ...this.#parts.head(task, task.role, round),
      [task.module]: this.#parts.args(task, this.play.module(task.module), round.scope),
      ...this.#parts.keywords(task, open, round),
    };
  }

  async #include(include: Include, around: PreviewContext): Promise<readonly Mapping[]> {
    const rendered: Mapping[] = [];
    for (const [round, open] of this.#calls(include, around))
      rendered.push(await this.#possibly(open.length > 0, () => this.#included(include, round, open, around)));
    this.view.later.add(registeredBy(include));
    return rendered;
  }

  async #included(
    include: Include,
    round: Round,
    open: readonly Condition[],
    around: PreviewContext,
  ): Promise<Mapping> {
    const args = this.#parts.knownArgs(include, this.play.module(include.module), round.scope);
    const shown = this.#call(include, round, open);
    const included = around.depth < MOST_KNOWN_INCLUDES ? await this.#read(include, args) : undefined;
    if (included !== undefined) return { ...shown, tasks: await this.#renderTasks(include, included, round, around) };
    this.view.later.add('anything');
    return shown;
  }

  /** Undefined if the included file is unknown, or cannot be read. */
  async #read(include: Include, args: Value): Promise<Included | undefined> {
    if (!isMapping(args) || jsonText(args).includes(AT_RUN_TIME)) return undefined;
    try {
      return await include.read(args);
    } catch (error) {
      this.#values.because(error, () => include.source);
      return undefined;
    }
  }

  async #renderTasks(
    include: Include,
    included: Included,
    { variables }: Round,
    around: PreviewContext,
  ): Promise<readonly Mapping[]> {
    await this.play.take(included);
    this.#published = withPublished(this.#published, included);
    this.ports.secrets.learnLayers(included.layers, this.#scope(around.layers));
    const { steps } = included;
    const last = include.loop && steps.at(-1);
    const looped = last?.type === 'role' ? last.key : undefined;
    const inner = { ...aroundIncluded(include, included, variables, around), looped };
    return this.steps(this.#selection === undefined ? steps : selectSteps(steps, this.#selection), inner);
  }

  async #block(block: Block, around: PreviewContext): Promise<readonly Mapping[]> {
    const rendered: Mapping[] = [];
    for (const round of this.#renderRounds(block, around)) {
      const inner = round.variables === undefined ? around : inRound(around, round.variables);
      rendered.push(...(await this.#round(block, round, inner)));
    }
    return rendered;
  }

  /** A block that only groups steps is shown as its steps. */
  async #round(block: Block, round: Round, around: PreviewContext): Promise<readonly Mapping[]> {
    const steps = await this.#possibly(block.rescue.length > 0, () => this.steps(block.steps, around));
    if (block.loop === undefined && block.rescue.length + block.always.length === 0) return steps;
    const rescue = await this.#possibly(true, () => this.steps(block.rescue, around));
    const always = await this.steps(block.always, around);
    if (steps.length + rescue.length + always.length === 0) return [];
    const parts = { ...(rescue.length > 0 && { rescue }), ...(always.length > 0 && { always }) };
    return [{ ...this.#parts.head(block, undefined, round), block: steps, ...parts }];
  }

  #meta(meta: Meta, around: PreviewContext): readonly Mapping[] {
    const { action, when } = meta;
    const open = this.#parts.conditions(when, this.#scope([...around.layers, ...meta.layers]));
    if (open === false) return [];
    // An include around it may be left out.
    if (ENDING_ACTIONS.has(action) && open.length === 0 && around === TOP)
      this.#ended = action === 'end_role' ? 'role' : 'play';
    else if (ENDING_ACTIONS.has(action)) this.#values.doubt();
    return [{ meta: action, ...(open.length > 0 && { when: open.map((one) => conditionText([one])) }) }];
  }
}
