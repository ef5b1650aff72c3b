import { spawn } from '@lydell/node-pty';
import { EventEmitter, once } from 'node:events';
import { Screen } from './screen.js';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalOptions extends TerminalSize {
  /** Default: the test's own. */
  readonly cwd?: string;
}

/** A program in a real pseudo-terminal, and the screen that it makes. */
export class Terminal {
  readonly screen = new Screen();
  /** Every byte that the program wrote. */
  written = '';
  readonly exited: Promise<number>;
  readonly #changes = new EventEmitter();
  readonly #write: (keys: string) => void;
  readonly #resize: (size: TerminalSize) => void;
  readonly #kill: (signal?: string) => void;

  constructor(program: string, args: readonly string[], { columns, rows, cwd = process.cwd() }: TerminalOptions) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !['CI', 'NO_COLOR'].includes(name)));
    const pty = spawn(program, [...args], { cols: columns, rows, name: 'xterm-256color', cwd, env });
    this.#write = (keys) => {
      pty.write(keys);
    };
    this.#resize = (size) => {
      pty.resize(size.columns, size.rows);
    };
    this.#kill = (signal) => {
      pty.kill(signal);
    };
    pty.onData((data) => {
      this.written += data;
      this.screen.write(data);
      this.#changes.emit('change');
    });
    this.exited = new Promise((resolve) => {
      pty.onExit(({ exitCode }) => {
        resolve(exitCode);
      });
    });
  }

  /** Resolves with the screen's text as soon as it holds that; a test's time limit ends the wait. */
  async shows(expected: string | RegExp): Promise<string> {
    while (this.screen.text.search(expected instanceof RegExp ? expected : escaped(expected)) === -1) {
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
    this.#kill('SIGINT');
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
