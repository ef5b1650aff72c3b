import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { whyFailed } from '../../../core/files/paths.js';
import type { Event } from '../../../core/model/run/event.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { readConfirmed, type Confirmed } from '../format/confirmed.js';
import { ifThere, JournalError, journalFile } from '../format/run_folders.js';
import { EntryReader, type JournalEntry, type KeptRecord } from './entry.js';

/** Receives the records of a journal in order. */
export interface JournalHandlers {
  readonly event: (event: Event) => void;
  readonly record: (record: KeptRecord) => void;
  /**
   * Receives the problems of the journal; invalid lines are skipped. Absent: a problem is an error, because later
   * decisions depend on the journal.
   */
  readonly broken?: ((problem: string) => void) | undefined;
  /** Types of lines that can be left out: they are, if the whole journal is as the run confirmed it. */
  readonly unneeded?: ReadonlySet<string> | undefined;
}

export interface JournalEnd {
  /** The number of bytes up to the end of the last valid line. The rest was cut off. */
  readonly length: number;
  /** Whether that line lacks its line break. */
  readonly endsOpen: boolean;
  /** SHA-256 of those bytes. */
  readonly hash: Hash;
}

const CHANGED =
  'the journal was changed since it was written: restore it from a backup, or check the controllers and begin a new run';
const LEFT_OUT = ': it was left out';
const NO_TEXT: JournalEntry = { type: 'broken', problem: 'it is not UTF-8 text' };

/**
 * Reads the journal of a run up to its last valid line. Ignores an incomplete line after it.
 *
 * @throws JournalError if there is no journal, an earlier line is invalid, or the journal differs from what the run
 * confirmed
 */
export async function readJournal(folder: string, taking: JournalHandlers): Promise<JournalEnd> {
  const file = journalFile(folder);
  const confirmed = await readConfirmed(folder);
  const handle = await ifThere(file, open(file, 'r'));
  if (handle === undefined) throw new JournalError(`the journal ${file} is gone`);
  try {
    const whole = taking.unneeded && (await hashIfIntact(handle, confirmed));
    return await readLines(handle, file, whole ?? { confirmed, hash: createHash('sha256') }, taking);
  } finally {
    await handle.close();
  }
}

/** Of what is read: `isWhole` if it was hashed before. */
interface JournalCheck {
  readonly confirmed: Confirmed | undefined;
  readonly hash: Hash;
  readonly isWhole?: true;
}

async function readLines(
  handle: FileHandle,
  file: string,
  { confirmed, hash, isWhole }: JournalCheck,
  taking: JournalHandlers,
): Promise<JournalEnd> {
  let [length, endsOpen] = [isWhole === true ? (confirmed?.length ?? 0) : 0, false];
  let digest = currentDigest(hash);
  // Thousands of lines can refer to a damaged one: the first of them is reported.
  let [referring, firstReferring] = [0, ''];
  const reader = new EntryReader();
  const { unneeded } = taking;
  const skips: Skips =
    isWhole === true && unneeded !== undefined ? (...line) => reader.skips(unneeded, ...line) : () => false;
  for await (const lines of journalLines(handle, skips))
    for (const line of lines) {
      const text = orElse(undefined, () => UTF8.decode(line.bytes));
      const entry = text === undefined ? NO_TEXT : reader.parse(text);
      if (entry.type === 'broken') {
        if (!line.complete) continue;
        const problem = `${file}:${line.number}: ${entry.problem}`;
        if (taking.broken === undefined || entry.refers !== true) reportBroken(problem, taking.broken, LEFT_OUT);
        else if (referring++ === 0) firstReferring = problem;
      }
      if (entry.type === 'event') taking.event(entry.event);
      if (entry.type === 'record') taking.record(entry.record);
      if (isWhole === true) continue;
      [length, endsOpen] = [line.end, !line.complete];
      hash.update(line.bytes);
      if (line.complete) hash.update('\n');
      if (length === confirmed?.length) digest = currentDigest(hash);
    }
  const more = referring > 1 ? `, and ${referring - 1} more for the same reason` : '';
  if (referring > 0) reportBroken(firstReferring, taking.broken, LEFT_OUT + more);
  if (isWhole !== true && confirmed !== undefined && confirmed.digest !== digest)
    reportBroken(`${file}: ${describeDifference(length, confirmed)}`, taking.broken);
  return { length, endsOpen, hash };
}

/** Undefined if the journal is not exactly what the run confirmed. */
async function hashIfIntact(handle: FileHandle, confirmed: Confirmed | undefined): Promise<JournalCheck | undefined> {
  const hash = createHash('sha256');
  if (confirmed === undefined || (await handle.stat()).size !== confirmed.length) return undefined;
  for await (const chunk of readChunks(handle)) hash.update(chunk);
  return currentDigest(hash) === confirmed.digest ? { confirmed, hash, isWhole: true } : undefined;
}

function currentDigest(hash: Hash): string {
  return hash.copy().digest('hex');
}

function describeDifference(length: number, confirmed: Confirmed): string {
  if (length < confirmed.length) return `only ${length} of the ${confirmed.length} bytes that the run wrote are left`;
  return `its first ${confirmed.length} bytes differ from what the run wrote`;
}

function reportBroken(problem: string, broken: JournalHandlers['broken'], leftOut = ''): void {
  if (broken === undefined) throw new JournalError(problem, CHANGED);
  broken(problem + leftOut);
}

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1024;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface JournalLine {
  /** From 1. */
  readonly number: number;
  /** Without its line break. */
  readonly bytes: Buffer;
  /** Where it ends in the file, in bytes, its line break included. */
  readonly end: number;
  /** False of the last one of a file that was cut off: it lacks its line break. */
  readonly complete: boolean;
}

/** Whether to leave out the line between two places. */
type Skips = (bytes: Buffer, from: number, to: number) => boolean;

/** The lines of a file as they are read, many at once: a journal may be longer than fits into memory. */
async function* journalLines(handle: FileHandle, skips: Skips): AsyncGenerator<readonly JournalLine[]> {
  let pieces: Buffer[] = [];
  let [number, begin] = [0, 0];
  for await (const chunk of readChunks(handle)) {
    const first = chunk.indexOf(NEWLINE);
    if (first < 0) {
      pieces.push(Buffer.from(chunk));
      continue;
    }
    const bytes = Buffer.concat([...pieces, chunk]);
    const lines: JournalLine[] = [];
    let from = 0;
    for (let at = bytes.length - chunk.length + first; at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      number += 1;
      if (!skips(bytes, from, at))
        lines.push({ number, bytes: bytes.subarray(from, at), end: begin + at + 1, complete: true });
      from = at + 1;
    }
    begin += from;
    pieces = [bytes.subarray(from)];
    yield lines;
  }
  const rest = Buffer.concat(pieces);
  yield [{ number: number + 1, bytes: rest, end: begin + rest.length, complete: false }];
}

/** A chunk is valid until the next one is read. */
async function* readChunks(handle: FileHandle, from = 0): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = from; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The events of a journal that may still be written to, for display. Skips damaged lines. */
export class JournalTail {
  /** After the last whole line: what follows may be half of one, which a resume replaces. */
  #position = 0;
  #line = 0;
  #refersToBroken = false;
  readonly #reader = new EntryReader();

  private constructor(
    private readonly handle: FileHandle,
    private readonly folder: string,
  ) {}

  /** @throws JournalError if there is no journal */
  static async open(folder: string): Promise<JournalTail> {
    const file = journalFile(folder);
    try {
      return new JournalTail(await open(file, 'r'), folder);
    } catch (error) {
      throw new JournalError(`cannot read ${file}: ${whyFailed(error)}`);
    }
  }

  /**
   * Passes on the lines that were written since the last call; false if none was.
   *
   * @param isWanted says of a line whether it needs to be understood; absent: all
   */
  async read(
    onEvent: (event: Event) => void,
    onBroken: (problem: string) => void,
    isWanted?: (line: string) => boolean,
  ): Promise<boolean> {
    const from = this.#position;
    let rest = Buffer.alloc(0);
    for await (const chunk of readChunks(this.handle, from)) {
      const bytes = Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      this.#position += end;
      rest = bytes.subarray(end);
      for (const line of this.#lines(bytes.subarray(0, end), isWanted)) {
        const entry = this.#reader.parse(line);
        if (entry.type === 'event') onEvent(entry.event);
        if (entry.type !== 'broken' || (entry.refers === true && this.#refersToBroken)) continue;
        this.#refersToBroken ||= entry.refers === true;
        onBroken(`${journalFile(this.folder)}:${this.#line}: ${entry.problem}${LEFT_OUT}`);
      }
    }
    return this.#position > from;
  }

  /** What is missing of a run that has ended; undefined if the journal has all that it wrote. A resume may have begun. */
  async missing(): Promise<string | undefined> {
    const [confirmed, { size }] = [await readConfirmed(this.folder), await this.handle.stat()];
    if (confirmed === undefined || confirmed.length <= size) return undefined;
    return `${journalFile(this.folder)}: ${describeDifference(size, confirmed)}`;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  *#lines(bytes: Buffer, isWanted: (line: string) => boolean = () => true): Iterable<string> {
    for (let from = 0, at = bytes.indexOf(NEWLINE); at >= 0; from = at + 1, at = bytes.indexOf(NEWLINE, from)) {
      const line = bytes.toString('utf8', from, at);
      this.#line += 1;
      // Later lines can refer to one with an id.
      if (line.startsWith('{"id":') || isWanted(line)) yield line;
    }
  }
}
