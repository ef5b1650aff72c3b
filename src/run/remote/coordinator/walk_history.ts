import type { EventBody } from '../../../model/run/event.js';
import type { JournalRecord, StepSettled, WriteIntended } from '../../../model/run/journal.js';
import { encode } from '../../../model/values/value_codec.js';
import { applyChange, keptBefore } from '../../controllers/kept_variables.js';
import type { InventoryChange } from '../../controllers/live_inventory.js';
import type { CountedTask } from '../../context/run_context.js';
import type { PlanNotice } from '../messages.js';
import type { WalkCoordinator, Walked } from './walk_coordinator.js';

/**
 * The steps of a walk so far: for the journal, the recap, other controllers, and the worker that continues the walk.
 */
export class WalkHistory {
  /** Records of an interrupted run. */
  readonly #before: readonly JournalRecord[];
  /** Records of this walk in this run. */
  readonly #records: JournalRecord[] = [];
  /** Steps of the plan that an attempt has decided. The next attempt decides them again. */
  readonly #planned = new Set<string>();
  /** For each change, whether it changed the inventory, one entry for each time that an attempt made it. */
  readonly #inventoryChanges = new Map<string, Promise<boolean>[]>();
  /** How often the current attempt has made each change. */
  readonly #made = new Map<string, number>();
  /** Number of tasks that the recap has counted. Later attempts report those again. */
  #counted = 0;
  #toSkip = 0;

  constructor(
    private readonly dispatcher: WalkCoordinator,
    private readonly walked: Walked,
  ) {
    const { context, state } = walked;
    const { past } = context.run.input.record;
    this.#before = past?.records(state.name) ?? [];
    // Other controllers see at once what it had set in this play when the run was interrupted. Variables that it set in
    // an earlier play may have changed since.
    for (const record of this.#before)
      if (record.type === 'step-settled' && record.place.startsWith(context.area)) {
        context.run.fleet.restore(state, record.left);
        this.#learn(record);
      }
  }

  get records(): readonly JournalRecord[] {
    return [...this.#before, ...this.#records];
  }

  /** Whether steps of the controller announced the write, in this run or before it was interrupted. */
  hasWrite(number: number): boolean {
    return [this.#before, this.#records].some((records) =>
      records.some((record) => record.type === 'write-intended' && record.write === number),
    );
  }

  /** Prepares for another worker, which replays the steps so far. */
  restart(): void {
    this.#toSkip = this.#counted;
    this.#made.clear();
  }

  emit(event: EventBody, time: string, worker: string): void {
    if (event.type === 'task-finished' && event.item === undefined) this.#counted += 1;
    const { site } = this.walked;
    const isTask = event.type === 'task-started' || event.type === 'task-finished';
    const timed = { ...event, time, ...(isTask && site !== undefined && { worker: `${site}/${worker}` }) };
    this.walked.context.run.emit(timed);
  }

  /** Counts each task once in the recap, although a second attempt replays those of the first. */
  count(task: CountedTask): void {
    if (task.item === undefined && this.#toSkip > 0) {
      this.#toSkip -= 1;
      return;
    }
    if (task.item === undefined) this.#counted += 1;
    this.walked.context.run.count(task);
  }

  /**
   * Whether the change had an effect. Later attempts get the answers of the first one, so that their tasks end in the
   * same way.
   */
  changeInventory(change: InventoryChange): Promise<boolean> {
    const key = encode(change);
    const nth = this.#made.get(key) ?? 0;
    this.#made.set(key, nth + 1);
    const known = this.#inventoryChanges.get(key) ?? [];
    this.#inventoryChanges.set(key, known);
    return (known[nth] ??= this.#changeNow(change));
  }

  async #changeNow(change: InventoryChange): Promise<boolean> {
    const { fleet, inventoryChanges } = this.walked.context.run;
    if (!('controller' in change)) return inventoryChanges.addHost(change.effect);
    const controller = fleet.find(change.controller)?.controller;
    return controller === undefined ? false : inventoryChanges.joinGroup(controller, change.effect);
  }

  plan(notice: Exclude<PlanNotice, { type: 'plan progress' }>): void {
    const { dispatcher, walked } = this;
    if (notice.type === 'planned') {
      const { place, item = '', written } = notice.step;
      const key = `${place} ${item} ${written}`;
      if (this.#planned.has(key)) return;
      this.#planned.add(key);
    }
    dispatcher.plan?.note(walked.state.name, notice);
  }

  /** Resolves to the number of the write once the journal has it. */
  async intend(intent: Omit<WriteIntended, 'write'>): Promise<number> {
    const { journal } = this.walked.context.run.input.record;
    const write = (await journal?.intend(intent)) ?? this.#records.length + 1;
    const record = { ...intent, write };
    this.#records.push(record);
    this.dispatcher.hidden.intended(record);
    return write;
  }

  record(record: Exclude<JournalRecord, WriteIntended>): void {
    this.#records.push(record);
    if (record.type === 'write-finished') this.dispatcher.hidden.finished(record);
    const { context, state } = this.walked;
    context.run.input.record.journal?.record(record);
    if (record.type !== 'step-settled' || record.left === undefined) return;
    applyChange(state, { type: 'given', kept: keptBefore(record.left) });
    this.#learn(record);
  }

  #learn({ left }: StepSettled): void {
    const { context, state } = this.walked;
    context.run.secrets.learnAll([...(left?.secrets ?? [])]);
    this.dispatcher.news.noteVariables(state.name);
  }
}
