import { setTimeout } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import type { Event } from '../../core/model/run/event.js';
import { maskText } from '../../core/secrets/mask_text.js';
import type { ReporterOptions } from '../output/options.js';
import { Outlet } from '../output/outlet.js';
import { abortedText, ClosingLines } from '../run/closing.js';
import { runHeading } from '../run/headings.js';
import { PlayProgress } from '../run/progress.js';
import { ResultGroups } from '../run/result_groups.js';
import { Story } from '../run/story.js';
import { createPalette, type Palette } from '../text/palette.js';
import { WarningLog } from '../text/warnings.js';
import { batchBlock } from './batch_block.js';
import { FRAME_TIME, LiveArea } from './live_area.js';
import { liveLines } from './live_view.js';

export interface LiveTerminal {
  readonly stdout: WriteStream;
  /** Equals stdout unless stderr is redirected. Only writes to the screen must wait while it is painted. */
  readonly stderr: WriteStream;
}

/**
 * Reports to a terminal. Paints the running play four times a second from counters, so a large fleet costs no more than a small one.
 * Finished batches scroll up above it.
 */
export class LiveOutput {
  readonly #outlet: Outlet;
  readonly #palette: Palette;
  readonly #area: LiveArea;
  readonly #story: Story;
  readonly #closing: ClosingLines;
  readonly #results: ResultGroups;
  readonly #warnings = new WarningLog((text) => this.#mask(text));
  readonly #timer: NodeJS.Timeout;
  #progress: PlayProgress | undefined;
  /** The latest play. The next play counts its work as done. */
  #last: PlayProgress | undefined;
  /** Permanent lines that are not yet on the screen. */
  #above: string[] = [];
  #painting: Promise<void> | undefined;
  #isAsking = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly options: ReporterOptions,
    private readonly terminal: LiveTerminal,
  ) {
    this.#outlet = new Outlet(terminal.stdout);
    this.#palette = createPalette(options.colour);
    this.#area = new LiveArea(terminal.stdout, terminal.stderr, this.#palette);
    this.#closing = new ClosingLines(options, this.#palette);
    this.#results = new ResultGroups({ written: options.writtenArguments, mask: this.#mask });
    this.#story = new Story({ ...options, palette: this.#palette, mask: this.#mask, brief: true });
    this.#timer = setInterval(() => {
      if (this.#painting === undefined && !this.#isAsking) void this.#next(() => this.#paint());
    }, FRAME_TIME);
    process.on('SIGTSTP', this.#suspend);
    if (options.picture !== undefined) options.picture.giveWay = this.#giveWay;
  }

  handle(event: Event): void {
    this.#closing.handle(event);
    if (event.type === 'run-started') this.#above.push(this.#palette.faint(runHeading(event)));
    if (event.type === 'play-started') this.#last = this.#progress = new PlayProgress(event, this.#last, this.#results);
    this.#progress?.handle(event);
    for (const line of this.#story.lines(event)) this.#above.push(line);
    if (event.type === 'batch-finished') this.#finishBatch(event.time);
    if (event.type === 'warning') this.#warn(this.#warnings.take(event, this.options.cwd));
    if (event.type === 'warning' && event.givesUp === true) this.#warn(abortedText(this.#progress));
    if (event.type === 'play-finished') this.#progress = undefined;
    if (event.type === 'run-finished') this.#finish(event);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    process.off('SIGTSTP', this.#suspend).off('SIGCONT', this.#resume);
    await this.#painting;
    await this.#steady();
    this.#progress = undefined;
    await this.#paint();
    await this.#outlet.close();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Ctrl-Z: gives the shell its cursor, and lines that `fg` does not paint over. Then the system does what it does with this signal. */
  readonly #suspend = (): void => {
    process.off('SIGTSTP', this.#suspend).once('SIGCONT', this.#resume);
    void this.#next(() => this.#area.atOnce(() => this.#area.hide())).then(() => process.kill(process.pid, 'SIGTSTP'));
  };

  readonly #resume = (): void => {
    process.on('SIGTSTP', this.#suspend);
  };

  /** Leaves what is painted above the question, so that the user sees what it is about. */
  readonly #giveWay = async (): Promise<() => void> => {
    this.#isAsking = true;
    await this.#next(async () => {
      await this.#steady();
      if (this.#progress !== undefined) this.#above.push(...liveLines(this.#progress, this.#screen()));
      await this.#area.atOnce(() => this.#scroll());
    });
    return () => {
      this.#isAsking = false;
    };
  };

  /** Does one thing after the other with the screen; `close` throws their first error. */
  #next(work: () => Promise<void>): Promise<void> {
    const next = (this.#painting ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .then(() => {
        if (this.#painting === next) this.#painting = undefined;
      });
    return (this.#painting = next);
  }

  async #steady(): Promise<void> {
    while (!this.#area.isSteady(Date.now())) await setTimeout(FRAME_TIME);
  }

  readonly #mask = (text: string): string => maskText(text, this.options.secrets);

  #finishBatch(time: string): void {
    if (this.#progress === undefined) return;
    const { plan } = this.options;
    const { columns } = this.terminal.stdout;
    const palette = this.#palette;
    this.#above.push(...batchBlock(this.#progress, { now: Date.parse(time), columns, palette, plan }));
  }

  #finish(event: Extract<Event, { type: 'run-finished' }>): void {
    for (const line of this.#warnings.rest()) this.#warn(line);
    this.#progress = undefined;
    this.#above.push('', ...this.#closing.lines(event, this.terminal.stdout.columns));
  }

  #warn(text: string | undefined): void {
    if (text !== undefined) this.#above.push(`${this.#palette.warning('warning:')} ${text}`);
  }

  #paint(): Promise<void> {
    if (!this.#area.isSteady(Date.now())) return Promise.resolve();
    if (this.#above.length === 0 && this.#progress === undefined) return this.#area.hide();
    return this.#area.atOnce(() => this.#paintAll());
  }

  async #paintAll(): Promise<void> {
    if (this.#above.length > 0) await this.#scroll();
    if (this.#progress === undefined) await this.#area.hide();
    else await this.#area.show(liveLines(this.#progress, this.#screen()));
  }

  /** Hides the area, and shows the permanent lines. */
  async #scroll(): Promise<void> {
    const lines = this.#above;
    this.#above = [];
    await this.#area.hide();
    this.#outlet.write(lines.map((line) => `${line}\n`).join(''));
    await this.#outlet.flushed();
  }

  #screen(): { columns: number; rows: number; now: number; palette: Palette } {
    const { columns, rows } = this.terminal.stdout;
    // Room for the icon, the indentation of listr2 and the cursor.
    return { columns: Math.max(12, columns - 5), rows, now: Date.now(), palette: this.#palette };
  }
}
