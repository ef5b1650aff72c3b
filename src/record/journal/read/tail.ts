import { type FileHandle, open } from 'node:fs/promises';
import { whyFailed } from '../../../core/files/file_error.js';
import type { Event } from '../../../core/model/run/event.js';
import { JournalError } from '../disk/journal_error.js';
import { journalFile } from '../disk/run_folders.js';
import { EntryReader } from './entry.js';
import { NEWLINE, readChunks } from './read_journal.js';

const UTF8 = new TextDecoder('utf-8');

/** The events of a journal that may still be written to, for display. Skips damaged lines. */
export class JournalTail {
  #position = 0;
  #rest = Buffer.alloc(0);
  readonly #reader = new EntryReader();

  private constructor(private readonly handle: FileHandle) {}

  /** @throws JournalError if there is no journal */
  static async open(folder: string): Promise<JournalTail> {
    const file = journalFile(folder);
    try {
      return new JournalTail(await open(file, 'r'));
    } catch (error) {
      throw new JournalError(`cannot read ${file}: ${whyFailed(error)}`);
    }
  }

  /**
   * Passes on what was written since the last call; false if nothing was.
   *
   * @param isWanted says of a line whether it needs to be understood; absent: all
   */
  async read(onEvent: (event: Event) => void, isWanted?: (line: string) => boolean): Promise<boolean> {
    const from = this.#position;
    for await (const chunk of readChunks(this.handle, from)) {
      this.#position += chunk.length;
      this.#take(chunk, onEvent, isWanted);
    }
    return this.#position > from;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  #take(chunk: Buffer, onEvent: (event: Event) => void, isWanted: (line: string) => boolean = () => true): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      const line = UTF8.decode(bytes.subarray(from, at));
      // Later lines can refer to one with an id.
      const entry = line.startsWith('{"id":') || isWanted(line) ? this.#reader.parse(line) : undefined;
      if (entry?.type === 'event') onEvent(entry.event);
      from = at + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(from));
  }
}
