import { randomBytes } from 'node:crypto';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessIdentity } from '../../model/run/process_identity.js';
import { isProcess } from '../disk/run_header.js';

const READER = 'reader-';

/** Says that a run is being read, so that nobody prunes it. Gives back how to take that away. */
export async function markAsRead(folder: string, process: ProcessIdentity): Promise<() => Promise<void>> {
  const mark = path.join(folder, `${READER}${process.pid}-${randomBytes(3).toString('hex')}.json`);
  // In a folder that cannot be written nothing is pruned either, and one that is gone is told of by whoever reads it.
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

/** Who reads; undefined if it is through, or the mark makes no sense. */
export async function readMark(file: string): Promise<ProcessIdentity | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isProcess(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
