import type { WriteStream } from 'node:tty';
import type { DefaultRenderer, ListrTask, ListrTaskWrapper, SimpleRenderer } from 'listr2';
import type { Palette } from '../text/palette.js';
import { displayWidth } from '../text/width.js';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
export const FRAME_TIME = 250;
const UP = '\u001b[1A';
const ERASE_LINE = '\u001b[2K';
const SHOW_CURSOR = '\u001b[?25h';
/** Synchronised output: the terminal shows everything between these sequences at once. Other terminals ignore them. */
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';

type PaintedLines = ListrTaskWrapper<unknown, typeof DefaultRenderer, typeof SimpleRenderer>;

interface Shown {
  readonly task: PaintedLines;
  /** The lines as they were painted last. */
  text: string;
  readonly columns: number;
  readonly rows: number;
  /** Ends the task of listr2, which removes the area. */
  readonly end: () => Promise<void>;
}

/**
 * The part of the terminal that is repainted, as one task of listr2. While it is shown, listr2 holds back both streams, so permanent text is
 * written while the area is hidden.
 *
 * listr2 paints when the title of its task changes, so the caller sets the pace. It keeps the terminal size that it started with, so a
 * resized terminal gets a new task. It must not handle signals, because an interrupt finishes the running writes first.
 */
export class LiveArea {
  readonly #stdout: WriteStream;
  readonly #stderr: WriteStream;
  readonly #palette: Palette;
  /** Writes to the stream directly, because listr2 holds it back while the area is shown. */
  readonly #write: (text: string) => void;
  #shown: Shown | undefined;
  readonly #size: ScreenSize;

  constructor(stdout: WriteStream, stderr: WriteStream, palette: Palette) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#palette = palette;
    // Asks the terminal, because on a busy machine the signal of a resize comes later.
    this.#size = new ScreenSize(() => stdout.getWindowSize().join(' '));
    const write = stdout.write.bind(stdout);
    this.#write = (text) => {
      write(text);
    };
  }

  /** Whether it may be painted and erased now. @param now milliseconds since the epoch */
  isSteady(now: number): boolean {
    return this.#size.isSteady(now);
  }

  /** Shows everything that is written meanwhile at once. */
  async atOnce(paint: () => Promise<void>): Promise<void> {
    this.#write(BEGIN_UPDATE);
    try {
      await paint();
    } finally {
      this.#write(END_UPDATE);
    }
  }

  async show(lines: readonly string[]): Promise<void> {
    const { columns, rows } = this.#stdout;
    if (this.#shown !== undefined && (this.#shown.columns !== columns || this.#shown.rows !== rows)) await this.hide();
    const text = lines.join('\n');
    if (this.#shown === undefined) this.#shown = await this.#begin(text);
    else this.#shown.task.title = this.#shown.text = text;
  }

  async hide(): Promise<void> {
    const shown = this.#shown;
    this.#shown = undefined;
    await shown?.end();
    // listr2 has removed as many rows as it painted, but the terminal has wrapped some of them into more rows.
    if (shown !== undefined && reflows(process.env))
      this.#write((UP + ERASE_LINE).repeat(brokenRows(shown.text, this.#stdout.columns)));
    process.off('exit', this.#restoreCursor);
  }

  async #begin(title: string): Promise<Shown> {
    const { columns, rows } = this.#stdout;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    process.on('exit', this.#restoreCursor);
    return new Promise((resolve, reject) => {
      const begun = (task: PaintedLines): void =>
        resolve({
          task,
          text: title,
          columns,
          rows,
          end: async () => {
            finish();
            await ended;
          },
        });
      const ended = this.#run({
        title,
        task: (_context, task) => {
          begun(task);
          return finished;
        },
      });
      ended.catch(reject);
    });
  }

  /** Resolves when the task is finished and the area is removed. */
  async #run(task: ListrTask<unknown, typeof DefaultRenderer, typeof SimpleRenderer>): Promise<void> {
    const { Listr, ListrLogger, ProcessOutput } = await import('listr2');
    const processOutput = new ProcessOutput(this.#stdout, this.#stderr, { leaveEmptyLine: false });
    const list = new Listr([task], {
      registerSignalListeners: false,
      rendererOptions: {
        lazy: true,
        clearOutput: true,
        formatOutput: 'truncate',
        icon: { WAITING: spinner, PENDING: spinner, COMPLETED: spinner },
        color: { WAITING: this.#paint, PENDING: this.#paint, COMPLETED: this.#paint },
        logger: new ListrLogger({ useIcons: true, toStderr: [], processOutput }),
      },
    });
    await list.run();
  }

  readonly #paint = (text = ''): string => this.#palette.place(text);

  /** Restores the cursor if the process exits in the middle of a run. */
  readonly #restoreCursor = (): void => this.#write(END_UPDATE + SHOW_CURSOR);
}

/** Milliseconds to wait after a change of the size. */
const UNSTEADY = 400;

/**
 * Says whether the size of the screen is stable. tmux rewraps lines at once, but reports a further resize only 250 ms after the last
 * one. Until then the program would erase the wrong lines, so it paints nothing until the size has stopped changing.
 */
export class ScreenSize {
  #last: string;
  #changedAt = -Infinity;

  constructor(private readonly read: () => string) {
    this.#last = read();
  }

  isSteady(now: number): boolean {
    const size = this.read();
    if (size !== this.#last) this.#changedAt = now;
    this.#last = size;
    return now - this.#changedAt >= UNSTEADY;
  }
}

/** Whether the terminal rewraps lines when it becomes narrower. Others, such as xterm, cut lines off: the rows above must not be erased. */
export function reflows(env: Readonly<Record<string, string | undefined>>): boolean {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  const known = ['TMUX', 'VTE_VERSION', 'KITTY_WINDOW_ID', 'ALACRITTY_WINDOW_ID', 'WT_SESSION', 'KONSOLE_VERSION'];
  if (known.some((name) => (env[name] ?? '') !== '')) return true;
  return /^(?:tmux|foot|alacritty|xterm-kitty|xterm-ghostty)/.test(TERM) || REFLOWING.has(TERM_PROGRAM);
}

const REFLOWING: ReadonlySet<string> = new Set(['iTerm.app', 'Apple_Terminal', 'vscode', 'WezTerm', 'ghostty', 'tmux']);

/** The number of additional rows that the painted lines take on a screen of this width, where the terminal wraps them. */
export function brokenRows(text: string, columns: number): number {
  // Before each line are two columns: the spinner, or an indentation.
  const rows = text.split('\n').map((line) => Math.max(1, Math.ceil((displayWidth(line) + 2) / columns)));
  return rows.reduce((sum, one) => sum + one - 1, 0);
}

function spinner(): string {
  return FRAMES.charAt(Math.floor(Date.now() / FRAME_TIME) % FRAMES.length);
}
