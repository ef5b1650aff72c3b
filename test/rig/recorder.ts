import { chmod } from 'node:fs/promises';
import path from 'node:path';
import type { Event } from '../../src/core/model/run/event.js';
import type { Journal, JournalRecord, WriteIntended } from '../../src/core/model/run/journal.js';
import type { Past } from '../../src/core/model/run/past.js';
import type { Value } from '../../src/core/model/values/value.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { Sealer } from '../../src/record/journal/format/project_key.js';
import type { RunJournal } from '../../src/record/journal/write/run_journal.js';
import { masked } from './events.js';
import { inFolder } from './folder.js';
import { beginRun, readKept } from './kept.js';

export type Entry = JournalRecord | Event;

/** A journal in memory, with its entries in order. Contains events too if `watch` is among a run's listeners. */
export class Recorder implements Journal {
  readonly entries: Entry[];
  readonly #broken = new AbortController();
  #writes: number;
  #full: string | undefined;

  /**
   * @param before of a run that was cut off
   * @param onEntry called for each recorded entry
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

  /** Simulates a full disk: now, or at the next write intent. */
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

const ID = '20261120T185022Z-9f3a1c';
const KEY = Buffer.from('a key of 32 bytes for the tests.');
const SEALER = new Sealer(KEY, ID);

function digest(value: Value): string {
  return SEALER.digest(value);
}

/**
 * What a run has done that was cut off when so much was kept: written to a journal on disk, as every run does it, and read back.
 *
 * @param secrets what the run knew to be secret
 */
export function pastOf(entries: readonly Entry[], secrets = new Secrets()): Promise<Past> {
  return inFolder({ key: `${KEY.toString('base64url')}\n` }, async (state) => {
    await chmod(path.join(state, 'key'), 0o600);
    const journal = await beginRun(state, { id: ID, secrets });
    await keepAll(journal, entries);
    await journal.close();
    return readKept(state, ID, ({ past }) => past);
  });
}

async function keepAll(journal: RunJournal, entries: readonly Entry[]): Promise<void> {
  const intents: Promise<number>[] = [];
  for (const entry of entries) {
    if (isEvent(entry)) journal.keep(masked(entry));
    else if (entry.type === 'write-intended') intents.push(journal.intend(entry));
    else journal.record(entry);
  }
  await Promise.all(intents);
}

function isEvent(entry: Entry): entry is Event {
  return 'time' in entry;
}
