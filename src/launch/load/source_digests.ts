import { createHash } from 'node:crypto';
import type { OnRead } from '../../project/document/read_file_text.js';

type Digests = ReadonlyMap<string, string>;

/** The sources of a run, as digests, never as text. */
export class SourceDigests {
  readonly #files = new Map<string, string>();
  readonly #programs = new Map<string, string>();

  /** If something is read twice, the first content counts. */
  readonly onRead: OnRead = (type, name, text) => {
    const digests = type === 'file' ? this.#files : this.#programs;
    if (!digests.has(name)) digests.set(name, createHash('sha256').update(text).digest('base64url'));
  };

  /** By file, absolute. */
  get files(): Digests {
    return this.#files;
  }

  /** By command line. */
  get programs(): Digests {
    return this.#programs;
  }
}
