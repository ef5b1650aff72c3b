import { readdir, readFile, truncate } from 'node:fs/promises';
import path from 'node:path';
import { confirmedFile } from '../../src/record/journal/format/confirmed.js';
import { isRunId } from '../../src/record/journal/format/run_folders.js';
import { EntryReader } from '../../src/record/journal/read/entry.js';
import { withRun } from '../../src/record/journal/read/read_run.js';
import { ownIdentity } from '../../src/record/locks/process_identity.js';
import type { Write } from './fleet.js';

interface Line {
  readonly type: string;
  readonly write?: number;
  readonly outcome?: string;
  readonly target?: string;
  readonly method?: string;
  readonly path?: string;
  readonly name?: string;
}

/** The only run of a project, as it is on disk. */
export class JournalOnDisk {
  readonly #state: string;

  constructor(project: string) {
    this.#state = path.join(project, '.evenkeel');
  }

  /** Undefined if it was killed before anything was recorded. */
  async run(): Promise<string | undefined> {
    const names = await readdir(path.join(this.#state, 'runs')).catch(() => []);
    return names.find(isRunId);
  }

  /** A resume must be able to read every byte of it. Throws if it cannot. */
  async read(id: string): Promise<void> {
    await withRun(this.#state, id, { process: ownIdentity() }, (run) => {
      if (run.invocation() === undefined) throw new Error('the run does not say how it was called');
      run.writes();
    });
  }

  /** Up to the end of its last complete line, where a resume continues. */
  async size(id: string): Promise<number> {
    return (await this.#bytes(id)).lastIndexOf('\n') + 1;
  }

  /**
   * Takes away what a power failure may take: what was written after the last intent, which alone was forced to the disk; and that
   * intent too, if its request never left.
   *
   * @param session where the journal of the process that was killed begins
   * @param sent what it sent
   */
  async lose(id: string, share: number, session: number, sent: readonly Write[]): Promise<void> {
    const bytes = await this.#bytes(id);
    let forced = session;
    let before = session;
    const intents = new Map<string, number>();
    let last: Line | undefined;
    const reader = new EntryReader();
    for (let at = 0; at < bytes.length;) {
      const newline = bytes.indexOf(10, at);
      if (newline < 0) break;
      const line = lineOf(reader, bytes.subarray(at, newline));
      if (at >= session && line.type === 'write-intended') {
        intents.set(line.target ?? '', (intents.get(line.target ?? '') ?? 0) + 1);
        [before, forced, last] = [at, newline + 1, line];
      }
      at = newline + 1;
    }
    const sentBy = sent.filter(({ controller }) => controller === last?.target).length;
    const unsent = last !== undefined && (intents.get(last.target ?? '') ?? 0) > sentBy;
    const least = unsent ? before : forced;
    // It is never forced to the disk.
    await truncate(confirmedFile(path.dirname(this.#file(id))));
    await truncate(this.#file(id), least + Math.floor((bytes.length - least) * share));
  }

  /** The writes with a confirmed answer, by the keys of `keyOf`. */
  async applied(id: string): Promise<ReadonlySet<string>> {
    const reader = new EntryReader();
    const lines = (await this.#bytes(id))
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => lineOf(reader, line));
    const intents = new Map(lines.flatMap((line) => (line.type === 'write-intended' ? [[line.write, line]] : [])));
    const done = lines.filter(({ type, outcome }) => type === 'write-finished' && outcome === 'applied');
    return new Set(
      done.flatMap(({ write }) => {
        const intent = intents.get(write);
        return intent === undefined ? [] : [key(intent.target, intent.method, intent.path, intent.name)];
      }),
    );
  }

  #file(id: string): string {
    return path.join(this.#state, 'runs', id, 'journal.jsonl');
  }

  #bytes(id: string): Promise<Buffer> {
    return readFile(this.#file(id));
  }
}

function lineOf(reader: EntryReader, text: Buffer | string): Line {
  const entry = reader.parse(text.toString());
  return entry.type === 'record' ? { type: entry.record.type, ...entry.record.shown } : { type: entry.type };
}

/** Identifies a write of a run: each object is written once. */
export function keyOf({ controller, method, path: at, body }: Write): string {
  // The body of an upload is not kept.
  const name: unknown = method === 'POST' && body !== '' ? (JSON.parse(body) as { name?: unknown }).name : undefined;
  return key(controller, method, at, typeof name === 'string' ? name : undefined);
}

function key(controller = '', method = '', at = '', name = ''): string {
  // Not every dialect writes collections with a slash at the end.
  return `${controller} ${method} ${at.replace(/\/$/, '')} ${method === 'POST' ? name : ''}`.trim();
}
