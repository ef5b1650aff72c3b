import { createHash, type Hash } from 'node:crypto';
import { constants, writeSync } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { ifThere, JournalError } from './run_folders.js';

/** The length of a journal that is known to be on disk, and its digest. */
export interface Confirmed {
  /** Bytes from the start. */
  readonly length: number;
  /** Their SHA-256 in hexadecimal digits. */
  readonly digest: string;
}

/** One short line of constant length, so that a single small write replaces it. */
const LINE = /^ *(\d+) ([\da-f]{64})\n$/;
/** A file that was never synced may be empty after a power failure. */
const LOST = /^\0*$/;
const LENGTH_DIGITS = 16;

/** Kept apart from the journal: whatever shortens or changes the journal leaves it alone. */
export function confirmedFile(folder: string): string {
  return path.join(folder, 'confirmed');
}

/**
 * Read it before the journal, because a running run advances it.
 *
 * @returns undefined if the run has none, because it was lost in a power failure
 * @throws JournalError if it cannot be read or is damaged
 */
export async function readConfirmed(folder: string): Promise<Confirmed | undefined> {
  const file = confirmedFile(folder);
  const text = await ifThere(file, readFile(file, 'latin1'));
  if (text === undefined || LOST.test(text)) return undefined;
  const [, length, digest] = LINE.exec(text) ?? [];
  if (length !== undefined && digest !== undefined) return { length: Number(length), digest };
  throw new JournalError(`${file} is damaged`, 'restore the folder of the run from a backup');
}

/**
 * Notes after each sync how much of the journal is on disk. The note itself is not forced to disk: after a power
 * failure it may be behind the journal, but never ahead of it.
 */
export class ConfirmedLength {
  private constructor(
    private readonly handle: FileHandle,
    private readonly hash: Hash,
    private length: number,
  ) {}

  /** @param hash of the bytes that the journal has, `length` of them */
  static async open(folder: string, hash = createHash('sha256'), length = 0): Promise<ConfirmedLength> {
    // Neither truncated nor in append mode: it is overwritten in place.
    const handle = await open(confirmedFile(folder), constants.O_WRONLY | constants.O_CREAT, 0o600);
    return new ConfirmedLength(handle, hash, length);
  }

  /** The bytes that were appended to the journal. */
  add(bytes: Buffer): void {
    this.hash.update(bytes);
    this.length += bytes.length;
  }

  /** All that was added is on disk. Never throws: if it cannot be noted, the note stays behind. */
  confirm(): void {
    const line = `${String(this.length).padStart(LENGTH_DIGITS)} ${this.hash.copy().digest('hex')}\n`;
    try {
      writeSync(this.handle.fd, line, 0);
    } catch {
      // Probably the disk is full, which the journal reports.
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
