import type { FileHandle } from 'node:fs/promises';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 64 * 1024;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface JournalLine {
  /** From 1. */
  readonly number: number;
  /** Without its line break. */
  readonly bytes: Buffer;
  /** Undefined if it is not UTF-8. */
  readonly text: string | undefined;
  /** Where it ends in the file, in bytes, its line break included. */
  readonly end: number;
  /** False of the last one of a file that was cut off: it lacks its line break. */
  readonly complete: boolean;
}

/** The lines of a file as they are read: a journal may be longer than fits into memory. */
export async function* journalLines(handle: FileHandle): AsyncGenerator<JournalLine> {
  let pieces: Buffer[] = [];
  let [number, end] = [0, 0];
  const line = (complete: boolean): JournalLine => {
    const bytes = Buffer.concat(pieces);
    pieces = [];
    number += 1;
    end += bytes.length + (complete ? 1 : 0);
    return { number, bytes, text: decoded(bytes), end, complete };
  };
  for await (const chunk of chunksOf(handle)) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      pieces.push(chunk.subarray(from, at));
      from = at + 1;
      yield line(true);
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  }
  if (pieces.length > 0) yield line(false);
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
