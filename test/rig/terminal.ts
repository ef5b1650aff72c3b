import { EventEmitter, once } from 'node:events';
import { spawn, type IPty } from '@lydell/node-pty';
import { ownHome } from './command.js';
import { Screen } from './screen.js';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalOptions extends TerminalSize {
  /** Default: the test's own. */
  readonly cwd?: string;
}

/**
 * Runs the program in a shell that reports its end and then waits for a key, because a terminal without a program may lose unread output.
 */
const HOLD = String.raw`trap : INT; "$@"; printf '\033]7777;%d\007' "$?"; read -r _`;
const ENDED = new RegExp(String.raw`\u001b\]7777;(\d+)\u0007`);
const ENDING = '\u001b]';

/** A program in a real pseudo-terminal, and the screen that it makes. */
export class Terminal {
  readonly screen = new Screen();
  /** Every byte that the program wrote. */
  written = '';
  readonly exited: Promise<number>;
  readonly #changes = new EventEmitter();
  readonly #write: (keys: string) => void;
  readonly #resize: (size: TerminalSize) => void;
  readonly #kill: () => void;
  readonly #destroy: () => void;
  #held = '';
  #code: number | undefined;

  constructor(program: string, args: readonly string[], { columns, rows, cwd = process.cwd() }: TerminalOptions) {
    // The environment of the tests may have CI, NO_COLOR, a proxy or EVENKEEL_* set.
    const env = { ...ownHome(cwd) };
    const words = ['-c', HOLD, 'sh', program, ...args];
    const pty = spawn('sh', words, { cols: columns, rows, name: 'xterm-256color', cwd, env });
    this.#write = (keys) => {
      pty.write(keys);
    };
    this.#resize = (size) => {
      pty.resize(size.columns, size.rows);
    };
    this.#kill = () => {
      pty.kill();
    };
    this.#destroy = () => {
      // A cast, because the types leave out what terminals of Windows do not have.
      (pty as IPty & { destroy(): void }).destroy();
    };
    pty.onData((data) => {
      this.#read(data);
    });
    this.exited = new Promise((resolve) => {
      pty.onExit(({ exitCode }) => {
        resolve(this.#code ?? exitCode);
      });
    });
  }

  #read(data: string): void {
    const text = this.#held + data;
    const ended = ENDED.exec(text);
    const end = ended?.index ?? (text.includes(ENDING) ? text.indexOf(ENDING) : text.length);
    this.#held = text.slice(end);
    this.written += text.slice(0, end);
    this.screen.write(text.slice(0, end));
    this.#changes.emit('change');
    if (ended === null || this.#code !== undefined) return;
    this.#code = Number(ended[1]);
    this.#write('\r');
  }

  /** Resolves with the screen's text as soon as it contains the given text. Rejects if the program ends without it. */
  async shows(expected: string | RegExp): Promise<string> {
    while (this.screen.text.search(expected instanceof RegExp ? expected : escaped(expected)) === -1) {
      if (this.#code !== undefined)
        throw new Error(`ended with ${this.#code}, without showing ${expected}:\n${this.screen.text}`);
      await once(this.#changes, 'change');
    }
    return this.screen.text;
  }

  press(keys: string): void {
    this.#write(keys);
  }

  resize(size: TerminalSize): void {
    this.#resize(size);
  }

  interrupt(): void {
    this.press('\u0003');
  }

  /** Closes the terminal under the program, as a closed window or a lost connection does. Nothing more can be read from it. */
  hangUp(): void {
    this.#destroy();
  }

  /** Ends the program, if it has not ended by itself. */
  async close(): Promise<void> {
    this.#kill();
    await this.exited;
  }
}

function escaped(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
}
