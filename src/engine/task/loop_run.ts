import type { Loop } from '../../core/model/playbook/step.js';
import type { StepSettled } from '../../core/model/run/journal.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { asText } from '../../language/runtime/result.js';
import type { Variables } from '../../language/scope.js';
import { collectingEvents, countOutcome, emitFinished } from '../context/task_events.js';
import { isBlocked, stopSignal, type TaskRun } from '../context/task_run.js';
import { stopwatch } from '../control/clock.js';
import { maskedWordsIn } from '../controllers/controller_state.js';
import { findDelegate } from '../execution/delegation.js';
import { withFacts, withOwnResult, withRegistered } from '../execution/judgement.js';
import { makeOutcome, perform, type TaskOutcome } from '../execution/perform.js';
import type { StepJournal } from '../journal/step_journal.js';
import { isStale } from '../keywords/failed_result.js';
import { allHold, loopLayer, loopVariables, renderLocated, renderNumberOr } from '../keywords/rendered_keywords.js';
import { itemResult, type LoopItem } from './loop_result.js';
import { itemJournals } from './recorded_items.js';
import { recordItem, restoreStep } from './task_end.js';

/** The items of a loop, one after the other or `parallel` at once. A failed item does not stop the others. */
export class LoopRun {
  readonly #done: (LoopItem | undefined)[] = [];
  /** The result of the previous item, which the next one sees under the task's `register`, as in Ansible. */
  #last: Mapping | undefined;
  /** Whether items run one after the other, without `parallel`. */
  #isInTurn = true;
  /** Whether `break_when` became true, a plan is stale, or there is a problem. */
  #ended = false;
  /** Why the loop could not go on: `break_when` could not be evaluated, say. */
  problem: { readonly error: unknown } | undefined;
  /** The connections of items that could not be reached; undefined: that of all items. */
  readonly #unreached = new Set<string | undefined>();
  /** The number of items that do not run because of one before them. */
  leftOut = 0;
  readonly #journals: readonly StepJournal[];

  constructor(
    private readonly run: TaskRun,
    private readonly loop: Loop,
    private readonly items: readonly Value[],
  ) {
    this.#journals = itemJournals(run, items);
  }

  /** The items that ran, in order: all of them, unless the loop ended early or was interrupted. */
  async results(): Promise<readonly LoopItem[]> {
    const scope = this.run.scope();
    const { parallel, pause } = this.loop;
    const atOnce = renderNumberOr(1, 'parallel', parallel, scope);
    const seconds = renderNumberOr(0, 'pause', pause, scope);
    this.#isInTurn = Math.floor(atOnce) <= 1;
    // Never rejects: items that run at once must all have ended.
    await this.run.fork.forEach(this.items, Math.floor(atOnce), (_, index) =>
      this.#next(index, seconds).catch((error: unknown) => this.#giveUp(index, error)),
    );
    return this.#done.filter((item) => item !== undefined);
  }

  async #next(index: number, pause: number): Promise<void> {
    const { context, fork, stepJournal } = this.run;
    if (!this.#isOver(index) && (await this.#before(index))) return;
    if (index > 0 && pause > 0 && !this.#isOver(index)) await fork.sleep(pause, stopSignal(this.run));
    await context.run.control.loopYielder.yieldLoop();
    if (this.#isOver(index)) this.leftOut += 1;
    // Items from before the interrupt are repeated completely, even if the run is stopped meanwhile.
    else if (index === 0 || stepJournal?.statusBefore !== undefined || !isBlocked(this.run)) await this.#item(index);
  }

  #giveUp(index: number, error: unknown): void {
    this.problem ??= { error };
    this.#ended = true;
    if (this.#done[index] === undefined) this.leftOut += 1;
  }

  #isOver(index: number): boolean {
    if (this.#ended || this.#unreached.size === 0) return this.#ended;
    return this.#unreached.has(this.#connection(() => this.#itemVariables(index).scope));
  }

  #connection(scope: () => Variables): string | undefined {
    const { connection } = this.loop;
    return connection && asText(renderLocated(connection, scope()));
  }

  /** Whether the item finished before the run was cut off. */
  async #before(index: number): Promise<boolean> {
    const stepJournal = this.#journals[index];
    const settled = stepJournal?.finishedBefore();
    if (settled === undefined || stepJournal?.wasCleanedUp === true) return false;
    const { variables, scope } = this.#itemVariables(index);
    const outcome = await itemBefore(this.run, scope, settled);
    if (outcome === undefined) return false;
    this.#conclude(index, scope, { outcome, variables, label: this.#label(index, scope, outcome) });
    return true;
  }

  async #item(index: number): Promise<void> {
    const seconds = stopwatch();
    const run = { ...this.run, stepJournal: this.#journals[index] };
    const { variables, scope } = this.#itemVariables(index);
    const outcome = await perform(run, scope);
    const { performed } = outcome;
    recordItem(run, outcome);
    const item = this.#label(index, scope, outcome);
    const closing = { ...outcome, item, seconds: seconds() };
    emitFinished(run, performed, closing, countOutcome(run, performed, closing));
    this.#conclude(index, scope, { outcome, variables, label: item });
  }

  #itemVariables(index: number): { readonly variables: Mapping; readonly scope: Variables } {
    const around = this.run.scope();
    const variables = loopVariables(this.loop, this.items, index, around);
    this.run.context.run.secrets.learn(this.items[index] ?? null);
    const scope = this.#last === undefined ? around : withRegistered(this.run, around, this.#last);
    return { variables, scope: scope.child(loopLayer(variables)) };
  }

  #conclude(index: number, scope: Variables, item: LoopItem): void {
    const { outcome } = item;
    const { performed, masked } = outcome;
    const hidden = masked ? this.run.context.run.secrets.learnMasked(this.items[index] ?? null) : [];
    this.run.stepJournal?.addSecrets(hidden);
    this.#done[index] = item;
    if (this.#isInTurn) this.#keepLast(item);
    if (performed.result.status === 'unreachable' && !outcome.ignored)
      this.#unreached.add(this.#connection(() => scope));
    this.#ended ||= isStale(performed.result) || this.#breaks(scope, outcome);
  }

  #keepLast(item: LoopItem): void {
    const { task, state, used } = this.run;
    if (task.register === undefined) return;
    this.#last = itemResult(item);
    const { maskedWords } = maskedWordsIn(used, this.#last, item.outcome.masked);
    if (state.maskedWords.isPossible) state.maskedWords.set(state.name, [task.register], maskedWords);
  }

  #breaks(scope: Variables, { performed }: TaskOutcome): boolean {
    const { breakWhen } = this.loop;
    return (
      breakWhen !== undefined &&
      performed.result.status !== 'interrupted' &&
      allHold(breakWhen, withOwnResult(this.run, withFacts(scope, performed), performed.result))
    );
  }

  /** `label`, else the item itself; only the number of a masked item. */
  #label(index: number, scope: Variables, outcome: TaskOutcome): string {
    const item = this.items[index] ?? null;
    if (outcome.masked) return `#${index + 1}`;
    const [{ label }, { used }, { performed }] = [this.loop, this.run, outcome];
    const own = withOwnResult(this.run, withFacts(scope, performed), performed.result);
    const seen = used?.watch(own) ?? own;
    return orElse(`#${index + 1}`, () => {
      const text = asText(label === undefined ? item : renderLocated(label, seen));
      return used?.text(text) ?? text;
    });
  }
}

/** The recorded outcome of an item; undefined if the item has changed, or if repeating its effect on the run had another result. */
async function itemBefore(run: TaskRun, scope: Variables, settled: StepSettled): Promise<TaskOutcome | undefined> {
  const { left, counted } = settled;
  if (left?.again === true) {
    const silent = collectingEvents({ ...run, stepJournal: run.stepJournal?.repeating(counted.status) }, []);
    const outcome = await perform(silent, scope);
    return outcome.performed.result.status === counted.status ? outcome : undefined;
  }
  const { keptVariables, result, masked } = restoreStep(run, scope, settled);
  run.stepJournal?.addSecrets(left?.secrets ?? []);
  const outcome = makeOutcome(run, scope, { result, keptVariables }, masked);
  return { ...outcome, keptVariables, delegatedTo: orElse(undefined, () => findDelegate(run, scope)?.name) };
}
