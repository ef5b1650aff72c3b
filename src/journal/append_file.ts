import { writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

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

/**
 * @param alongside puts on disk, before the file itself is for the first time, what it is found by
 */
export function appendFile(handle: FileHandle, alongside: () => Promise<void>): AppendFile {
  let first: Promise<void> | undefined;
  return {
    write: async (bytes, position) => {
      for (let written = 0; written < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
        written += bytesWritten;
      }
    },
    sync: async () => {
      await (first ??= alongside());
      await handle.datasync();
    },
    writeNow: (bytes, position) => {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(handle.fd, bytes, written, bytes.length - written, position + written);
      }
    },
    close: () => handle.close(),
  };
}
