import { closeSync, fstatSync, openSync, readSync, statSync, writeSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ConfirmedLength } from '../format/confirmed.js';

/** Where the bytes of a journal go. A port, so that tests can count disk operations. */
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
  /** The path that must lead to the file while it is being written. */
  readonly path: string;
  /** Puts on disk, when the journal itself is for the first time, what it is found by. */
  readonly alongside: () => Promise<void>;
  /** Notes what is on disk. */
  readonly confirmation: ConfirmedLength;
}

/** Every line of a journal has its time, so the end of what was written is found in no older copy. */
const COMPARED = 4096;

interface Tail {
  readonly bytes: Buffer;
  readonly position: number;
}

export function appendFile({ handle, path, alongside, confirmation }: OpenJournal): AppendFile {
  let first: Promise<void> | undefined;
  const own = fstatSync(handle.fd);
  let tail: Tail | undefined;
  /** Between what was written for certain and what a failed write may have reached. */
  let [least, most] = [own.size, own.size];
  /** A machine that slept was taken for dead: over the lines of the process that went on, nothing may be written. */
  const requireAsLeft = (): void => {
    const { size } = fstatSync(handle.fd);
    if (size < least || size > most) throw new Error('another process has continued this run');
  };
  const beginWrite = (bytes: Buffer, position: number): void => {
    requireAsLeft();
    most = Math.max(most, position + bytes.length);
  };
  return {
    write: async (bytes, position) => {
      beginWrite(bytes, position);
      for (let written = 0; written < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
        written += bytesWritten;
      }
      least = Math.max(least, position + bytes.length);
      // A write that fails halfway is repeated as a whole, so it counts once.
      confirmation.add(bytes);
      const start = Math.max(0, bytes.length - COMPARED);
      tail = { bytes: bytes.subarray(start), position: position + start };
    },
    sync: async () => {
      await Promise.all([(first ??= alongside()), handle.datasync()]);
      requireAsLeft();
      requireInPlace(path, own, tail);
      confirmation.confirm();
    },
    writeNow: (bytes, position) => {
      beginWrite(bytes, position);
      for (let written = 0; written < bytes.length;)
        written += writeSync(handle.fd, bytes, written, bytes.length - written, position + written);
    },
    close: async () => {
      await confirmation.close();
      await handle.close();
    },
  };
}

/** A deleted or moved file can still be written, but no resume or rollback would find it. */
function requireInPlace(path: string, own: Stats, tail: Tail | undefined): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error('it was deleted or moved during the run');
  if (found.ino === own.ino && found.dev === own.dev) return;
  // Some FUSE, overlay and network file systems change the inode numbers of open files: there the content decides.
  if (tail !== undefined && !holds(path, tail)) throw new Error('it was replaced by another file during the run');
}

function holds(path: string, { bytes, position }: Tail): boolean {
  const found = Buffer.alloc(bytes.length);
  const file = openSync(path, 'r');
  try {
    return readSync(file, found, 0, found.length, position) === bytes.length && found.equals(bytes);
  } finally {
    closeSync(file);
  }
}
