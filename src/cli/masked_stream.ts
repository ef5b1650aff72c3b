import { maskJson, maskLines } from '../core/secrets/mask_output.js';
import type { Secrets } from '../core/secrets/secrets.js';

/**
 * stdout or stderr of a command. Everything is masked on its way, whatever it comes from: no command has the stream
 * itself. `test/core/secrets/gate.test.ts` lists who may go around it, and why.
 */
export class MaskedStream {
  readonly #stream: NodeJS.WriteStream;
  readonly #secrets: Secrets;

  constructor(stream: NodeJS.WriteStream, secrets: Secrets) {
    this.#stream = stream;
    this.#secrets = secrets;
  }

  get isTTY(): boolean {
    return this.#stream.isTTY;
  }

  /** Of a terminal. */
  get columns(): number | undefined {
    return this.#stream.columns;
  }

  /** @param format `json`: the text is a JSON document, or a part of one, and stays JSON whatever is masked */
  write(text: string, { json }: { readonly json?: boolean | undefined } = {}): void {
    const mask = json === true ? maskJson : maskLines;
    this.#stream.write(mask(text, this.#secrets));
  }

  /** Resolves when the reader has kept up, because large output does not fit into memory; false if there is none. */
  async keptUp(): Promise<boolean> {
    const stream = this.#stream;
    while (!stream.destroyed && stream.writableNeedDrain) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stream.off('drain', done).off('close', done).off('error', done);
          resolve();
        };
        stream.on('drain', done).on('close', done).on('error', done);
      });
    }
    return !stream.destroyed;
  }

  /** Prints what the user asked for in clear: docs/secrets.md, "Commands that print values". */
  reveal(content: string | Buffer): void {
    this.#stream.write(content);
  }

  /** The stream itself, for what has been masked before. */
  get unmasked(): NodeJS.WriteStream {
    return this.#stream;
  }
}
