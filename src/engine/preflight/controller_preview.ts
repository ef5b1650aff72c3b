import { ENDING_ACTIONS } from '../../core/model/playbook/playbook.js';
import type { Block, Include, Included, Loop, Meta, RoleRun, Step, Task } from '../../core/model/playbook/step.js';
import type { Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Variables } from '../../language/scope.js';
import { delegateName } from '../execution/delegation.js';
import {
  allHold,
  laterItem,
  loopItems,
  loopLayer,
  loopVariables,
  requireKeywords,
} from '../keywords/rendered_keywords.js';
import { gateSelection, selectSteps } from '../keywords/selected_steps.js';
import { refuseFleetNeeds } from '../keywords/whole_fleet.js';
import { withPublished } from '../task/task_end.js';
import {
  endsInFailure,
  aroundIncluded,
  inRound,
  isCertainlySkipped,
  isExpectedToFail,
  knownArguments,
  MOST_KNOWN_INCLUDES,
  taskConnectionFindings,
  TOP,
  toStepFinding,
  withoutItems,
  type Expectation,
  type Item,
  type PreviewContext,
} from './expectation.js';
import { isExpected, type RunFinding } from './findings.js';
import { allSetBy, LaterVariables, registeredBy } from './later_variables.js';
import type { PlayPreview } from './play_preview.js';

/** In most loops, further items give the same findings, and a loop over thousands would take too long. */
const MOST_ITEMS = 50;

/**
 * Previews a play for one controller before the run. Evaluates, as the run will, everything that the run certainly evaluates. Skips
 * everything that depends on a result, a fact, a command or a file, and everything after a step that may end the play.
 */
export class ControllerPreview {
  readonly findings: RunFinding[] = [];
  #published: readonly VariableLayer[] = [];
  /** What the controller may have left. */
  #left: 'role' | 'play' | undefined;
  /** Whether the controller will have failed, or began the play before this run. */
  #failed: boolean;
  readonly #passed = new Set<Meta>();

  constructor(
    private readonly play: PlayPreview,
    private readonly controller: string,
    private readonly base: Variables,
    private readonly later: LaterVariables,
    hasBegun: boolean,
  ) {
    this.#failed = hasBegun;
  }

  /** Whether it certainly fails in the play for a reason in the playbook itself: `fail`, `assert`. */
  async through(steps: readonly Step[], checks: readonly Step[]): Promise<boolean> {
    await this.#steps(steps, TOP);
    await this.#steps(checks, { ...TOP, selection: gateSelection(this.play.run.input.selection) });
    return this.#failed;
  }

  async #steps(steps: readonly Step[], around: PreviewContext): Promise<void> {
    for (const step of steps) await this.#step(step, around);
  }

  async #step(step: Step, around: PreviewContext): Promise<void> {
    if (step.type === 'task') this.#task(step, around);
    else if (step.type === 'include') await this.#include(step, around);
    else if (step.type === 'meta') this.#meta(step, around);
    else if (step.type === 'block') for (const inner of this.#rounds(step, around)) await this.#round(step, inner);
    else await this.#role(step, around);
  }

  async #role({ steps }: RoleRun, around: PreviewContext): Promise<void> {
    const before = this.#left;
    await this.#steps(steps, around);
    if (this.#left === 'role') this.#left = before;
  }

  get #isOpen(): boolean {
    return this.#left !== undefined || this.#failed;
  }

  #scope(layers: readonly VariableLayer[]): Variables {
    return this.base.child([...this.#published, ...layers, ...this.later.layers]);
  }

  #task(task: Task, around: PreviewContext): void {
    const items = this.#items(task, around);
    const mayRun = items.some(({ expectation }) => expectation !== 'skipped');
    for (const item of items) {
      // Report a broken connection together with broken arguments, so that users can fix both at once.
      if (item.expectation === 'carried out' || item.expectation === 'broken')
        this.#checkConnection(task, item, around);
      if (item.expectation === 'carried out' && endsInFailure(task, item.scope)) this.#failed = true;
    }
    this.later.addSetBy(task, this.play.module(task.module), mayRun || this.play.isOnce(task));
  }

  /** The task's items, or the task itself; a single open one if they are unknown. */
  #items(task: Task | Include, around: PreviewContext): readonly Item[] {
    const scope = this.#scope([...around.layers, ...task.layers]);
    const open: Item = { scope, expectation: 'open' };
    if (this.#isOpen || isExpectedToFail(task, around)) return [open];
    const { loop } = task;
    if (loop === undefined) return [{ scope, expectation: this.#expectation(task, scope) }];
    const found = this.#loopItems(task, loop, scope);
    if (typeof found === 'string') return [{ scope, expectation: found }];
    const earlier = new LaterVariables();
    const looked = found.slice(0, loop.breakWhen === undefined ? MOST_ITEMS : 1).map((_, index): Item => {
      const variables = loopVariables(loop, found, index, scope);
      const own = scope.child([...loopLayer(variables), ...earlier.layers]);
      const expectation = this.#expectation(task, own);
      if (task.type === 'task') earlier.addSetBy(task, this.play.module(task.module), expectation !== 'skipped');
      return { scope: own, variables, expectation };
    });
    return looked.length === found.length ? looked : [...looked, open];
  }

  #loopItems(task: Task | Include, loop: Loop, scope: Variables): readonly Value[] | Expectation {
    try {
      return loopItems(loop, scope, task.module);
    } catch (error) {
      // As in the run: the items do not matter if the condition is certainly false.
      const expectation = withoutItems(task, scope);
      if (expectation === 'carried out') this.#report(error, task, scope);
      return expectation === 'carried out' ? 'open' : expectation;
    }
  }

  #expectation(task: Task | Include, scope: Variables): Expectation {
    try {
      if (!allHold(task.when, scope)) return 'skipped';
      if (task.delegateTo !== undefined) delegateName(task.delegateTo, scope);
    } catch (error) {
      this.#report(error, task, scope);
      return 'open';
    }
    try {
      knownArguments(this.play, task, scope);
      requireKeywords(task, scope);
      return 'carried out';
    } catch (error) {
      return this.#report(error, task, scope) ? 'broken' : 'open';
    }
  }

  /** Reports an error as a finding. Returns false if the value is known only during the run. */
  #report(error: unknown, step: Task | Include | Block, scope: Variables): boolean {
    const finding = toStepFinding(error, this.controller, step, scope);
    if (finding === undefined) return false;
    const [after, leftOut] = [new Set(this.#passed), this.play.run.leftOut.reasonFor(error)];
    this.findings.push({ ...finding, once: step.type !== 'block' && this.play.isOnce(step), after, leftOut });
    return true;
  }

  #checkConnection(task: Task, item: Item, around: PreviewContext): void {
    for (const finding of taskConnectionFindings(this.play, this.controller, task, item, around))
      this.findings.push({ ...finding, after: new Set(this.#passed) });
  }

  async #include(include: Include, around: PreviewContext): Promise<void> {
    const items = this.#items(include, around);
    this.later.add(registeredBy(include));
    for (const item of items) await this.#includeItem(include, item, around);
  }

  async #includeItem(include: Include, { scope, variables, expectation }: Item, around: PreviewContext): Promise<void> {
    if (expectation === 'skipped') return;
    const included = around.depth < MOST_KNOWN_INCLUDES ? await this.#read(include, scope, expectation) : undefined;
    if (included !== undefined) await this.play.take(included);
    if (included === undefined) this.later.add('anything');
    else if (expectation === 'open') this.later.add(allSetBy(included.steps, (name) => this.play.module(name)));
    else {
      this.#published = withPublished(this.#published, included);
      const { selection = this.play.run.input.selection } = around;
      await this.#steps(selectSteps(included.steps, selection), aroundIncluded(include, included, variables, around));
    }
  }

  /** Undefined if the included file or its effect is unknown. */
  async #read(include: Include, scope: Variables, expectation: Expectation): Promise<Included | undefined> {
    try {
      const included = await include.read(knownArguments(this.play, include, scope));
      refuseFleetNeeds(included, this.play.run.input);
      // An included role may set variables for everything that follows.
      return expectation === 'open' && included.layers.length > 0 ? undefined : included;
    } catch (error) {
      if (expectation === 'carried out') this.#report(error, include, scope);
      else if (!isExpected(error)) throw error;
      return undefined;
    }
  }

  /** What surrounds each round of a block's loop. */
  #rounds(block: Block, around: PreviewContext): readonly PreviewContext[] {
    const { loop, layers } = block;
    if (loop === undefined) return [around];
    const scope = this.#scope([...around.layers, ...layers]);
    try {
      const items = loopItems(loop, scope);
      const certain = loop.breakWhen === undefined ? MOST_ITEMS : 1;
      if (items.length > certain) this.later.add('anything');
      return items.slice(0, certain).map((_, index) => inRound(around, loopVariables(loop, items, index, scope)));
    } catch (error) {
      const expectation = withoutItems(block, scope.child(laterItem(loop, error)));
      if (expectation === 'skipped') return [];
      const isOpen = expectation === 'open' || this.#isOpen || isExpectedToFail(block, around);
      if (!isOpen) this.#report(error, block, scope);
      else if (!isExpected(error)) throw error;
      this.later.add('anything');
      return [];
    }
  }

  async #round({ steps, rescue, always }: Block, around: PreviewContext): Promise<void> {
    const before = this.#failed;
    const hasRescue = rescue.length > 0;
    await this.#steps(steps, { ...around, rescuable: hasRescue || around.rescuable });
    if (hasRescue) {
      this.#failed = true;
      await this.#steps(rescue, around);
      this.#failed = before;
    }
    await this.#steps(always, around);
  }

  #meta(meta: Meta, around: PreviewContext): void {
    const { action } = meta;
    if (action === 'flush_handlers' || action === 'finish_handlers')
      this.#left = this.play.handlersMayEnd ? 'play' : this.#left;
    if (!ENDING_ACTIONS.has(action)) return;
    const isEndingAll = action === 'end_batch' || action === 'end_play';
    const isSkipped = !this.#isOpen && isCertainlySkipped(meta, this.#scope([...around.layers, ...meta.layers]));
    if (isEndingAll) (isSkipped ? this.#passed : this.play.endings).add(meta);
    if (!isSkipped && this.#left !== 'play') this.#left = action === 'end_role' ? 'role' : 'play';
  }
}
