import { fstatSync, statSync, writeSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Confirmation } from './confirmed.js';

/** Where the bytes of a journal go. A port, so that a test can count what is asked of the disk. */
export interface AppendFile {
  /** All of them, or it rejects. The same bytes may be written to the same place again. */
  write(bytes: Buffer, position: number): Promise<void>;
  /** Resolves when all that was written is on disk. */
  sync(): Promise<void>;
  /** Returns when they are written: the process is about to end. */
  writeNow(bytes: Buffer, position: number): void;
  close(): Promise<void>;
}

export interface OpenJournal {
  readonly handle: FileHandle;
  /** The path that must lead to it as long as it is written. */
  readonly path: string;
  /** Puts on disk, before the journal itself is for the first time, what it is found by. */
  readonly alongside: () => Promise<void>;
  /** Notes what is on disk. */
  readonly confirmation: Confirmation;
}

export function appendFile({ handle, path, alongside, confirmation }: OpenJournal): AppendFile {
  let first: Promise<void> | undefined;
  const own = fstatSync(handle.fd);
  return {
    write: async (bytes, position) => {
      for (let written = 0; written < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
        written += bytesWritten;
      }
      // What fails half way is written again as a whole: it counts once.
      confirmation.add(bytes);
    },
    sync: async () => {
      await (first ??= alongside());
      await handle.datasync();
      requireInPlace(path, own);
      confirmation.confirm();
    },
    writeNow: (bytes, position) => {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(handle.fd, bytes, written, bytes.length - written, position + written);
      }
    },
    close: async () => {
      await confirmation.close();
      await handle.close();
    },
  };
}

/** A file that is deleted or moved can still be written, but neither a resume nor a rollback would find what is in it. */
function requireInPlace(path: string, own: Stats): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error('it was deleted or moved during the run');
  if (found.ino !== own.ino || found.dev !== own.dev) throw new Error('it was replaced by another file during the run');
}
