import {
  areaName,
  isArea,
  isBelow,
  isCleanupPlace,
  isFurther,
  isRollback,
  usualPlace,
} from '../../../core/model/playbook/step_place.js';
import type { Event } from '../../../core/model/run/event.js';
import type { BatchEnded, StepRef, StepSettled } from '../../../core/model/run/journal.js';
import { findWritten, type Past, type PastWrite, type WrittenBefore } from '../../../core/model/run/past.js';
import { isForUser } from '../../../core/model/run/reference.js';
import { getOrAdd, lazily } from '../../../core/model/values/groups.js';
import { isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import { BegunSteps } from './begun_steps.js';
import { recordText, type KeptRecord } from './entry.js';
import { PassedGates } from './passed_gates.js';
import { PastWrites, reachedIn, type KeptWrite } from './past_writes.js';
import { StartedBatches } from './started_batches.js';
import type { WholeRecords } from './whole_record.js';

/** The finished steps of one controller. */
class Steps {
  /** Keyed by step key, otherwise by place, or by place and item. */
  readonly finished = new Map<string, KeptRecord>();
  /** By step key. */
  readonly declined = new Map<string, KeptRecord>();
  readonly reached = new Map<string, string>();
}

/** The past of a run: a fold over its records. Opens sealed values on demand. */
export class PastSteps implements Past {
  readonly #steps = new Map<string, Steps>();
  #ended: readonly KeptRecord[] = [];
  readonly #batches = new StartedBatches();
  readonly #passed = new PassedGates();
  readonly #begun = new BegunSteps();
  /** The number of the current play. */
  #play = -1;
  /** The batch of the latest gate that has ended. */
  #batch = 0;
  /** The last write before that end. */
  #gateEnd = 0;

  constructor(
    private readonly whole: WholeRecords,
    private readonly pastWrites: PastWrites,
  ) {}

  event(event: Event): void {
    if (event.type === 'run-started') this.#play = -1;
    // The rollback of a batch is not one of the run's plays.
    if (event.type === 'play-started' && event.rollback !== true) this.#play += 1;
    if (event.type === 'gate-finished') [this.#batch, this.#gateEnd] = [event.batch, this.pastWrites.last];
    this.#batches.event(event, this.#play);
    this.#passed.event(event, this.#play);
  }

  record(record: KeptRecord): void {
    this.#passed.record(record);
    this.#add(record);
  }

  #add(record: KeptRecord): void {
    const key = recordText(record, 'key');
    const controller = recordText(record, 'controller');
    this.#begun.add(record);
    if (record.type === 'step-settled') this.#addFinished(controller, key, record);
    if (record.type === 'steps-forgotten') this.#forget(record);
    if (record.type === 'step-declined') this.#controllerSteps(controller).declined.set(key, record);
    if (record.type === 'batch-ended') this.#ended = [...this.#ended, record];
  }

  finishedStep(ref: StepRef): StepSettled | undefined {
    const record = this.#record(ref);
    return record && this.whole.finishedStep(record);
  }

  isCleanedUp(ref: StepRef): boolean {
    if (!this.pastWrites.hasCleanups) return false;
    const writes = this.pastWrites.within(ref);
    // Any host may have cleaned up on the controller.
    const cleanups = new Set(writes.flatMap(({ intent }) => this.pastWrites.cleanups(reachedIn(intent, 'controller'))));
    if (cleanups.size === 0) return false;
    const own = writes.map((write) => ({ names: this.#writtenNames(write), at: writeNumber(write) }));
    return [...cleanups].some((write) => {
      const names = new Set(this.#writtenNames(write));
      const last = own.findLast((one) => one.names.some((name) => names.has(name)));
      return last !== undefined && writeNumber(write) > last.at;
    });
  }

  hasCleanedUp({ controller, key }: StepRef): boolean {
    return this.pastWrites.by(controller).some(({ intent, outcome }) => {
      const isOwn = isCleanupPlace(recordText(intent, 'place')) && usualPlace(recordText(intent, 'key')) === key;
      return isOwn && outcome === 'applied';
    });
  }

  known(ref: StepRef): Pick<StepRef, 'alike' | 'list'> | undefined {
    const record = this.#begun.find(ref);
    if (record === undefined) return undefined;
    const { alike, list } = record.shown;
    return { ...(typeof alike === 'number' && { alike }), ...(typeof list === 'string' && { list }) };
  }

  begunAlike(ref: StepRef, controllers: readonly string[]): readonly StepRef[] {
    return this.#begun.alike(ref, controllers);
  }

  membersBefore(play: number, batch: number): readonly string[] {
    return this.#batches.members(play, batch);
  }

  isDeclined({ controller, key }: StepRef): boolean {
    return key !== undefined && this.#steps.get(controller)?.declined.has(key) === true;
  }

  digest(value: Value): string {
    return this.whole.digest(value);
  }

  reached(controller: string, area: string): string | undefined {
    return this.#steps.get(controller)?.reached.get(area);
  }

  ended(play: number, batch: number): readonly BatchEnded[] {
    return this.#ended.filter(isInBatch(play, batch)).map((record) => this.whole.ended(record));
  }

  writes(ref: StepRef): readonly PastWrite[] {
    if (this.#record(ref) !== undefined) return [];
    return this.pastWrites.atStep(ref).map((write) => this.#pastWrite(write));
  }

  readonly ofInterruptedGate = lazily((): Past => {
    const writes = new PastWrites();
    const past = new PastSteps(this.whole, writes);
    for (const write of this.pastWrites.all)
      if (write.outcome === 'unknown' && writeNumber(write) > this.#gateEnd && this.#isRaw(write)) {
        writes.record(write.intent);
        past.record(write.intent);
      }
    return past;
  });

  written({ path, tenant, reached: { controller, account } }: Parameters<Past['written']>[0]): Mapping | undefined {
    const isSame = (intent: KeptRecord): boolean => !isForUser({ path }) || reachedIn(intent, 'account') === account;
    const last = this.pastWrites
      .uncomparable(controller)
      .filter(({ outcome, intent }) => outcome === 'applied' && recordText(intent, 'path') === path && isSame(intent))
      .map(({ intent }) => this.whole.intended(intent))
      .findLast((intent) => intent.tenant === tenant);
    return isMapping(last?.body) ? last.body : undefined;
  }

  writtenTo(controller: string, digest: (seen: Mapping) => string): readonly WrittenBefore[] {
    return this.pastWrites.to(controller).map(({ intent, outcome, verified }) => {
      const whole = this.whole.intended(intent);
      const { change, tenant, controller } = whole;
      const { account } = whole.reached;
      const object = verified && this.whole.verified(verified).seen;
      const seen = change.kind === 'delete' ? null : object && digest(object);
      // No step finds out what became of it, so any state of the object may be the run's own.
      const end = outcome === 'unknown' && isRollback(whole.place) ? 'applied' : outcome;
      const isDeclared = end === 'unknown' && (change.kind === 'create' || change.kind === 'update');
      const intended = isDeclared && { intended: change.after };
      return { ...findWritten(whole, object), controller, tenant, account, outcome: end, seen, ...intended };
    });
  }

  startedBatches(...[play, isAlive]: Parameters<Past['startedBatches']>): ReturnType<Past['startedBatches']> {
    return this.#batches.in(play, (batch) => this.ended(play, batch).length > 0, isAlive);
  }

  hasPassed(play: number, controllers: readonly string[]): boolean {
    return this.#passed.has(play, controllers);
  }

  #record({ controller, place, item, key }: StepRef): KeptRecord | undefined {
    return this.#steps.get(controller)?.finished.get(key ?? stepKey(place, item));
  }

  #controllerSteps(controller: string): Steps {
    return getOrAdd(this.#steps, controller, () => new Steps());
  }

  #addFinished(controller: string, key: string, record: KeptRecord): void {
    const steps = this.#controllerSteps(controller);
    const place = recordText(record, 'place');
    const { item } = record.shown;
    const number = typeof item === 'number' ? item : undefined;
    steps.finished.set(key === '' ? stepKey(place, number) : key, record);
    if (number !== undefined) return;
    const area = areaName(place);
    const before = steps.reached.get(area);
    if (before === undefined || isFurther(place, before)) steps.reached.set(area, place);
  }

  #forget(forgotten: KeptRecord): void {
    const [controller, place] = [recordText(forgotten, 'controller'), recordText(forgotten, 'place')];
    const isGone = (record: KeptRecord): boolean => isBelow(recordText(record, 'place'), place);
    // The batch was rolled back as a whole: it starts again, maybe as several ones, and may get further this time.
    const isOther = (record: KeptRecord): boolean => !isInBatch(this.#play, this.#batch)(record);
    if (isArea(place)) {
      this.#ended = this.#ended.filter(isOther);
      this.#batches.forget(this.#play, this.#batch);
    }
    this.pastWrites.forget(controller, isGone);
    this.#begun.forget(controller, isGone);
    const steps = this.#steps.get(controller);
    if (steps === undefined) return;
    this.#steps.delete(controller);
    const kept = [...steps.finished.values(), ...steps.declined.values()];
    for (const record of kept) if (!isGone(record)) this.#add(record);
  }

  /** Writes to one object have some of them in common. None if nothing was written, or it is unknown what. */
  #writtenNames({ intent, outcome, verified }: KeptWrite): readonly string[] {
    const whole = this.whole.intended(intent);
    if (outcome === 'refused' || whole.change.kind === 'invoke') return [];
    const { path, member } = findWritten(whole, verified && this.whole.verified(verified).seen);
    const names = member === undefined ? [''] : [member.uuid, member.before, member.after];
    return names.flatMap((name) => (name === undefined ? [] : `${whole.reached.controller} ${path} ${name}`));
  }

  #isRaw({ intent }: KeptWrite): boolean {
    return this.whole.intended(intent).change.kind === 'invoke';
  }

  #pastWrite({ intent, outcome, finished }: KeptWrite): PastWrite {
    const answer = finished && this.whole.answer(finished);
    return { intent: this.whole.intended(intent), outcome, ...(answer === undefined ? {} : { answer }) };
  }
}

function writeNumber({ intent }: KeptWrite): number {
  const { write } = intent.shown;
  return typeof write === 'number' ? write : 0;
}

function stepKey(place: string, item: number | undefined): string {
  return item === undefined ? place : `${place}#${item}`;
}

function isInBatch(play: number, batch: number): (record: KeptRecord) => boolean {
  return ({ shown }) => shown['play'] === play && shown['batch'] === batch;
}
