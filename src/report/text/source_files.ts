import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Larger files are data, not something a person wrote and wants to see a frame of. */
const LARGEST = 16 * 1024 * 1024;

/** How a file begins that ansible-vault encrypted: its lines are not those that places in it mean. */
const ENCRYPTED = '$ANSIBLE_VAULT;';

/** The lines of the files that messages point into; each file is read once. */
export class SourceFiles {
  readonly #cwd: string;
  readonly #lines = new Map<string, readonly string[] | undefined>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Undefined if the file cannot be read (any more): the message then stands without a frame. */
  lines(file: string): readonly string[] | undefined {
    const path = resolve(this.#cwd, file);
    if (!this.#lines.has(path)) this.#lines.set(path, readLines(path));
    return this.#lines.get(path);
  }
}

function readLines(path: string): readonly string[] | undefined {
  try {
    const facts = statSync(path);
    const text = facts.isFile() && facts.size <= LARGEST ? readFileSync(path, 'utf8') : ENCRYPTED;
    return text.startsWith(ENCRYPTED) ? undefined : text.split(/\r?\n/);
  } catch {
    return undefined;
  }
}
