import { stepDigest } from '../../src/journal/step_digest.js';
import type { Event } from '../../src/model/event.js';
import type {
  BatchEnded,
  Journal,
  JournalRecord,
  Past,
  PastWrite,
  StepRef,
  StepSettled,
  WriteFinished,
  WriteIntended,
} from '../../src/model/journal.js';
import type { Value } from '../../src/model/value.js';

export type Entry = JournalRecord | Event;

/** A journal in memory, with what was kept in its order. Told events too if `watch` is among a run's listeners. */
export class Recorder implements Journal {
  readonly entries: Entry[];
  readonly #broken = new AbortController();
  #writes: number;
  #full: string | undefined;

  /**
   * @param before of a run that was cut off
   * @param onEntry told of each entry that is kept
   */
  constructor(
    before: readonly Entry[] = [],
    private readonly onEntry: (entry: Entry) => void = () => undefined,
  ) {
    this.entries = [...before];
    this.#writes = before.filter(({ type }) => type === 'write-intended').length;
  }

  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** The disk is full: now, or when the next write is to be kept. */
  break(reason: string, when: 'now' | 'at the next write' = 'now'): void {
    if (when === 'now') this.#broken.abort(new Error(reason));
    else this.#full = reason;
  }

  intend(intent: Omit<WriteIntended, 'write'>): Promise<number> {
    if (this.#full !== undefined) this.break(this.#full);
    if (this.broken.aborted)
      return Promise.reject(new Error(`nothing was written: ${(this.broken.reason as Error).message}`));
    const write = ++this.#writes;
    this.#keep({ write, ...intent });
    return Promise.resolve(write);
  }

  readonly digest = digest;

  record(record: Exclude<JournalRecord, WriteIntended>): void {
    if (!this.broken.aborted) this.#keep(record);
  }

  readonly watch = (event: Event): void => {
    this.#keep(event);
  };

  /** The records of that type. */
  of<Type extends Entry['type']>(type: Type): readonly Extract<Entry, { type: Type }>[] {
    return this.entries.filter((entry): entry is Extract<Entry, { type: Type }> => entry.type === type);
  }

  #keep(entry: Entry): void {
    this.entries.push(entry);
    this.onEntry(entry);
  }
}

const KEY = Buffer.from('a key of 32 bytes for the tests…');

function digest(value: Value): string {
  return stepDigest(KEY, value);
}

/** What a run has done that was cut off when so much was kept. */
export function pastOf(entries: readonly Entry[]): Past {
  const past = new MemoryPast();
  for (const entry of entries) past.add(entry);
  return past;
}

class MemoryPast implements Past {
  #settled: StepSettled[] = [];
  #writes: { intent: WriteIntended; outcome: PastWrite['outcome']; answer?: PastWrite['answer'] }[] = [];
  #declined: StepRef[] = [];
  readonly #ended: BatchEnded[] = [];
  readonly #plays: (readonly string[])[] = [];
  readonly #passed = new Set<string>();
  #play = -1;

  add(entry: Entry): void {
    if (entry.type === 'run-started') this.#play = -1;
    if (entry.type === 'play-started') this.#plays[++this.#play] ??= entry.controllers;
    if (entry.type === 'gate-finished' && entry.action === 'continue') this.#passed.add(`${this.#play}/${entry.batch}`);
    if (entry.type === 'step-settled') this.#settle(entry);
    if (entry.type === 'steps-forgotten') this.#forget(entry);
    if (entry.type === 'step-declined') this.#declined.push(entry);
    if (entry.type === 'batch-ended') this.#ended.push(entry);
    if (entry.type === 'write-intended') this.#writes.push({ intent: entry, outcome: 'unknown' });
    if (entry.type === 'write-finished') this.#finish(entry);
  }

  #settle(step: StepSettled): void {
    this.#settled = [...this.#settled.filter((one) => !isSame(one, step)), step];
  }

  #forget(ref: Forgotten): void {
    this.#settled = this.#settled.filter((one) => !isGone(one, ref));
    this.#writes = this.#writes.filter(({ intent }) => !isGone(intent, ref));
    this.#declined = this.#declined.filter((one) => !isGone(one, ref));
  }

  #finish({ write: number, outcome, answer }: WriteFinished): void {
    const write = this.#writes.find(({ intent }) => intent.write === number);
    if (write !== undefined) Object.assign(write, { outcome, answer });
  }

  settled(ref: StepRef): StepSettled | undefined {
    return this.#settled.find((one) => isSame(one, ref));
  }

  known(ref: StepRef): Pick<StepRef, 'alike' | 'list'> | undefined {
    const all: readonly StepRef[] = [...this.#settled, ...this.#writes.map(({ intent }) => intent)];
    return all.find(({ controller, key }) => controller === ref.controller && stepOf(key) === stepOf(ref.key));
  }

  isDeclined(ref: StepRef): boolean {
    return this.#declined.some((one) => isSame(one, ref));
  }

  readonly digest = digest;

  reached(controller: string, area: string): string | undefined {
    return this.#settled
      .filter((one) => one.controller === controller && one.item === undefined && areaOf(one.place) === area)
      .map(({ place }) => place)
      .sort((a, b) => compare(positionOf(a), positionOf(b)))
      .at(-1);
  }

  ended(play: number, batch: number): readonly BatchEnded[] {
    return this.#ended.filter((one) => one.play === play && one.batch === batch);
  }

  writes(ref: StepRef): readonly PastWrite[] {
    return this.settled(ref) === undefined ? this.#writes.filter(({ intent }) => isSame(intent, ref)) : [];
  }

  written(target: string): readonly PastWrite[] {
    const own = this.#writes.filter(({ intent, outcome }) => intent.target === target && outcome === 'applied');
    const shown = own.filter(({ intent }) => intent.uncomparable === true);
    return [...new Map(shown.map((write) => [write.intent.path, write])).values()];
  }

  controllers(play: number): readonly string[] | undefined {
    return this.#plays[play];
  }

  hasPassed(play: number, batch: number): boolean {
    return this.#passed.has(`${play}/${batch}`);
  }
}

function isSame(a: StepRef, b: StepRef): boolean {
  if (a.controller !== b.controller) return false;
  return a.key === undefined || b.key === undefined ? a.place === b.place && a.item === b.item : a.key === b.key;
}

type Forgotten = Extract<JournalRecord, { type: 'steps-forgotten' }>;

function isGone(ref: StepRef, forgotten: Forgotten): boolean {
  const step = stepOf(ref.key);
  if (forgotten.keys === undefined || step === undefined) return isBelow(ref, forgotten);
  return ref.controller === forgotten.controller && forgotten.keys.includes(step);
}

function stepOf(key: string | undefined): string | undefined {
  return key?.split('#')[0];
}

function isBelow(ref: StepRef, { controller, place }: StepRef): boolean {
  const isInside = ref.place === place || ref.place.startsWith(/[:/]$/.test(place) ? place : `${place}.`);
  return ref.controller === controller && isInside;
}

function areaOf(place: string): string {
  return place.replace(/[\d.]+$/, '');
}

function positionOf(place: string): readonly number[] {
  return place.slice(areaOf(place).length).split('.').map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((number, at) => number !== b[at]);
  return index < 0 ? a.length - b.length : (a[index] ?? 0) - (b[index] ?? -1);
}
