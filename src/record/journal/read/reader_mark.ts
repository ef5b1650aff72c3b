import { randomBytes } from 'node:crypto';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessIdentity } from '../../../core/model/run/journal.js';
import { isProcess } from '../disk/run_header.js';

const READER = 'reader-';

/** Marks a run as being read, so that it is not pruned. Returns a function that removes the mark. */
export async function markAsRead(folder: string, process: ProcessIdentity): Promise<() => Promise<void>> {
  const mark = path.join(folder, `${READER}${process.pid}-${randomBytes(3).toString('hex')}.json`);
  // A read-only folder is not pruned either, and a missing one is reported by the reader.
  const marked = await writeFile(mark, JSON.stringify(process), { mode: 0o600 }).then(
    () => true,
    () => false,
  );
  return async () => {
    if (marked) await unlink(mark).catch(() => undefined);
  };
}

export function isReaderMark(name: string): boolean {
  return name.startsWith(READER);
}

/** The reading process; undefined if it has finished, or the mark is invalid. */
export async function readMark(file: string): Promise<ProcessIdentity | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isProcess(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
