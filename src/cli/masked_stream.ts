import { maskText, maskTitle } from '../core/secrets/mask_text.js';
import { maskLeaf } from '../core/secrets/mask_value.js';
import { holdsSecret } from '../core/secrets/names.js';
import type { Secrets } from '../core/secrets/secrets.js';
import { safeText, withoutCommands } from '../reporting/text/plain.js';

/** Lines of text. The name of a secret masks to the end of its line at most, even if a quote is not closed. */
export function maskLines(text: string, secrets: Secrets): string {
  const lines = secrets.mask(text).split('\n');
  return lines.map((line) => maskText(line, secrets)).join('\n');
}

/** Keys and texts, and numbers. */
const TOKEN = /(?<text>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON, or a part of it that begins and ends between two tokens: it stays JSON. */
export function maskJson(json: string, secrets: Secrets): string {
  let key = '';
  return json.replaceAll(TOKEN, (token: string, text: string | undefined, colon: string | undefined) => {
    const value = text === undefined ? token : String(JSON.parse(text));
    if (colon !== undefined) {
      key = value;
      const name = secrets.maskName(value);
      return name === value ? token : JSON.stringify(name) + colon;
    }
    // If a secret is also one of our own words, its values were masked when the JSON was made.
    const shown = isSecret(key, value) ? maskLeaf(value) : maskTitle(value, secrets);
    return shown === value ? token : JSON.stringify(shown);
  });
}

/** In `{"key": …, "value": …}` the other one decides, and that takes the whole mapping. */
function isSecret(key: string, value: string): boolean {
  return holdsSecret(key, value, { value: null });
}

type Written = (error?: Error | null) => void;

/** For a job of GitHub Actions: no text that anybody writes to the stream is a command of the workflow. Only bytes can be one. */
export function guardWorkflow(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, then?: BufferEncoding | Written, written?: Written): boolean => {
    const shown = typeof chunk === 'string' ? withoutCommands(chunk) : chunk;
    return typeof then === 'function' ? write(shown, then) : write(shown, then, written);
  };
}

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

  /** Of a terminal that knows its size. */
  get columns(): number | undefined {
    const { columns } = this.#stream;
    return columns > 0 ? columns : undefined;
  }

  /**
   * @param format `json`: the text is a JSON document, or a part of one, and stays JSON whatever is masked. Characters
   *   that terminals interpret are escaped.
   */
  write(text: string, { json }: { readonly json?: boolean | undefined } = {}): void {
    this.#stream.write(json === true ? safeText(maskJson(text, this.#secrets)) : maskLines(text, this.#secrets));
  }

  /** A command of the workflow in GitHub Actions. */
  writeCommand(line: string): void {
    this.reveal(`${maskLines(line, this.#secrets)}\n`);
  }

  /** Resolves when the reader has kept up, because large output does not fit into memory; false if there is none. */
  async keptUp(): Promise<boolean> {
    const stream = this.#stream;
    while (!stream.destroyed && stream.writableNeedDrain)
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stream.off('drain', done).off('close', done).off('error', done);
          resolve();
        };
        stream.on('drain', done).on('close', done).on('error', done);
      });
    return !stream.destroyed;
  }

  /** Prints what the user asked for in clear: docs/secrets.md, "Commands that print values". */
  reveal(content: string | Buffer): void {
    this.#stream.write(Buffer.from(content));
  }

  /** The stream itself, for what has been masked before. */
  get unmasked(): NodeJS.WriteStream {
    return this.#stream;
  }
}
