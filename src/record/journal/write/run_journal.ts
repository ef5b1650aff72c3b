import { whyFailed } from '../../../core/files/paths.js';
import type { Event, RunFinished, TaskFinished } from '../../../core/model/run/event.js';
import type { Journal, JournalRecord, WriteIntended } from '../../../core/model/run/journal.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { isLarge, LARGE, type StoredValue } from '../../../core/model/values/stored.js';
import type { Value } from '../../../core/model/values/value.js';
import type { Masked } from '../../../core/secrets/mask_text.js';
import type { Secrets } from '../../../core/secrets/secrets.js';
import { LineTexts, type LineFields } from '../format/line_texts.js';
import type { Sealer } from '../format/project_key.js';
import { JournalError } from '../format/run_folders.js';
import type { RunEnd } from '../format/run_header.js';
import type { ValueFiles } from '../format/value_files.js';
import type { AppendFile } from './append_file.js';
import { GroupCommit } from './group_commit.js';
import { recordLine, type LineWriter } from './record_line.js';

/** The maximum length of the message of a large result, in characters. */
const MOST_LARGE_RESULT_CHARACTERS = 1000;

export interface RunJournalOptions {
  /** `20261120T185022Z-9f3a1c` */
  readonly id: string;
  readonly file: AppendFile;
  /** For messages. */
  readonly shown: string;
  /** The current size in bytes, and the number of the last write in it. */
  readonly length: number;
  readonly lastWrite: number;
  readonly secrets: Secrets;
  readonly sealer: Sealer;
  readonly values: ValueFiles;
  /** Records how the run ended, or its last known state if it reported no end. */
  readonly onEnd: (end: RunEnd) => Promise<void>;
}

/** The journal of a running run. Turns what happens into lines: what is secret is masked or sealed before it leaves memory. */
export class RunJournal implements Journal {
  readonly id: string;
  readonly #writing: LineWriter;
  readonly #lines: GroupCommit;
  readonly #broken = new AbortController();
  #lastWrite: number;
  #finished: RunFinished | undefined;

  constructor(private readonly options: RunJournalOptions) {
    this.id = options.id;
    this.#writing = { secrets: options.secrets, sealer: options.sealer, lines: new LineTexts(options.length) };
    this.#lastWrite = options.lastWrite;
    this.#lines = new GroupCommit(options.file, options.length, (error) =>
      this.#broken.abort(`the journal of the run cannot be written: ${whyFailed(error)} (${options.shown})`),
    );
  }

  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Keeps an event that is masked already. Never throws and never waits. */
  keep(event: Masked<Event>): void {
    if (event.type === 'run-finished') this.#finished = event;
    this.#lines.append(`${this.#eventLine(event)}\n`);
  }

  async intend(intent: Omit<WriteIntended, 'write'>): Promise<number> {
    this.#lastWrite += 1;
    const write = this.#lastWrite;
    try {
      await this.#lines.commit(...this.#line({ write, ...intent }));
    } catch (error) {
      // The request is not sent. A reader must not count the intent as a write, if it reached the disk.
      this.record({ type: 'write-finished', write, controller: intent.controller, outcome: 'refused' });
      throw new JournalError(`nothing was written, because the run's journal cannot be written: ${whyFailed(error)}`);
    }
    return write;
  }

  record(record: Exclude<JournalRecord, WriteIntended>): void {
    this.#lines.append(...this.#line(record));
  }

  digest(value: Value): string {
    return this.options.sealer.digest(value);
  }

  readonly untilOnDisk = (): Promise<void> => this.#lines.untilOnDisk();

  readonly store = (value: Value): Promise<StoredValue> => this.options.values.keep(value);

  /** Writes synchronously, because the process is about to end. Never throws. */
  flush(): void {
    const haveFiles = orElse(false, () => {
      this.options.values.flush();
      return true;
    });
    // A failure was already reported when the journal broke, and the process is about to end.
    orElse(undefined, () => this.#lines.flush(haveFiles));
  }

  /** Resolves when everything is on disk. Never rejects: failures are reported by `broken`. */
  async close(): Promise<void> {
    await this.#lines.close();
    // A run whose end cannot be recorded counts as cut off, which loses nothing.
    await (this.#finished && this.options.onEnd(toRunEnd(this.#finished, this.#lastWrite > 0)).catch(() => undefined));
  }

  /** Waits for the files that it refers to, which must be on disk first. */
  #line(record: JournalRecord): readonly [line: string, files: readonly Promise<void>[]] {
    const files: Promise<void>[] = [];
    const line = recordLine(record, new Date().toISOString(), this.#writing, (value) => {
      const { stored, written } = this.options.values.begin(value);
      files.push(written);
      return stored;
    });
    return [`${line}\n`, files];
  }

  #eventLine(event: Event): string {
    const { lines } = this.#writing;
    if (event.type !== 'task-finished') return lines.write(lightRequest(event));
    const isSmall = event.change === undefined || !isLarge(event.change);
    return (isSmall ? lines.writeUnlessLarge(event) : undefined) ?? lines.write(lightTask(event));
  }
}

/** Readers of a journal need no more of a large result: the task's writes are in separate records. */
function lightTask(event: TaskFinished): LineFields {
  const { change: _, values: __, message, ...rest } = event;
  const isShort = message === undefined || message.length <= MOST_LARGE_RESULT_CHARACTERS;
  const light = { ...rest, message: isShort ? message : `${message.slice(0, MOST_LARGE_RESULT_CHARACTERS)}…` };
  return light;
}

function lightRequest(event: Exclude<Event, TaskFinished>): LineFields {
  if (event.type !== 'request-finished') return event;
  const { requestBody = '', responseBody = '', ...rest } = event;
  return requestBody.length + responseBody.length <= LARGE ? event : rest;
}

function toRunEnd(finished: RunFinished, wrote: boolean): RunEnd {
  const { time, status, exitCode, seconds, stats, unstarted, unkept } = finished;
  const controllers = new Set([...Object.keys(stats), ...unstarted]).size;
  return { time, status, exitCode, seconds, controllers, wrote, ...(unkept === true && { unkept }) };
}
