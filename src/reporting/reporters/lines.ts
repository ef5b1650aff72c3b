import { WriteStream } from 'node:tty';
import type { Event, Warning } from '../../core/model/run/event.js';
import { maskText } from '../../core/secrets/mask_text.js';
import type { ReporterOptions } from '../output/options.js';
import { Outlet } from '../output/outlet.js';
import { abortedText, ClosingLines } from '../run/closing.js';
import { failedNames } from '../run/failures/failure_group.js';
import { gateNow } from '../run/gate_text.js';
import { batchHeading, playHeading, runHeading } from '../run/headings.js';
import { PlayProgress } from '../run/progress.js';
import { ResultGroups } from '../run/result_groups.js';
import { routeCounts, routeProgress } from '../run/route_progress.js';
import { Story } from '../run/story.js';
import { createPalette, type Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { WarningLog } from '../text/warnings.js';
import { LOG_COLUMNS, wrapped } from '../text/width.js';
import { count, duration, grouped } from '../text/words.js';
import { batchBlock } from './batch_block.js';
import { GithubCommands } from './github.js';

const LOOK_AT_PROGRESS = 5_000;
/** The names in an annotation. */
const MOST_ANNOTATED = 5;

/**
 * Reports to a log, progress and warnings on stderr, the recap last. `lines` has one line per change or failure; `grouped` has what a terminal
 * keeps: one block per batch, equal results once.
 */
export class LinesOutput {
  readonly #stdout: Outlet;
  readonly #stderr: Outlet;
  readonly #palette: Palette;
  readonly #stderrPalette: Palette;
  readonly #story: Story;
  readonly #closing: ClosingLines;
  readonly #github: GithubCommands | undefined;
  readonly #progress: ProgressLines;
  readonly #isGrouped: boolean;
  readonly #warnings = new WarningLog((text) => this.#mask(text));
  readonly #timer: NodeJS.Timeout;
  #groupOpen = false;

  constructor(
    private readonly options: ReporterOptions,
    kind: 'lines' | 'grouped',
  ) {
    const isGrouped = kind === 'grouped';
    this.#isGrouped = isGrouped;
    this.#progress = new ProgressLines(
      isGrouped,
      new ResultGroups({ written: options.writtenArguments, mask: this.#mask }),
    );
    this.#stdout = new Outlet(options.stdout);
    // In one file, all lines stay in their order.
    this.#stderr = options.stderr === options.stdout ? this.#stdout : new Outlet(options.stderr);
    this.#palette = createPalette(options.colour);
    this.#stderrPalette = createPalette(options.stderrColour ?? options.colour);
    this.#story = new Story({ ...options, palette: this.#palette, mask: this.#mask, brief: isGrouped });
    this.#closing = new ClosingLines(options, this.#palette);
    this.#github = options.github && new GithubCommands(options.github.workspace, options.cwd, this.#mask);
    this.#timer = setInterval(() => this.#tellProgress(this.#progress.due(Date.now())), LOOK_AT_PROGRESS).unref();
  }

  handle(event: Event): void {
    this.#closing.handle(event);
    this.#print(this.#headings(event));
    this.#print(this.#story.lines(event));
    // The progress has to know the end of the batch before its block.
    const progress = this.#progress.handle(event);
    if (event.type === 'batch-finished') this.#print(this.#batch(event.time));
    if (event.type === 'warning') this.#warn(event);
    if (event.type === 'play-finished') this.#endGroup();
    this.#tellProgress(progress);
    if (event.type === 'run-finished') this.#close(event);
  }

  readonly #mask = (text: string): string => maskText(text, this.options.secrets);

  /** Of the terminal, else of a log; undefined if nothing is wrapped. */
  get #columns(): number | undefined {
    const { stdout } = this.options;
    if (stdout instanceof WriteStream && stdout.columns > 0) return stdout.columns;
    return this.#isGrouped ? LOG_COLUMNS : undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.#stdout.close(), this.#stderr.close()]);
  }

  #headings(event: Event): readonly string[] {
    if (event.type === 'run-started') return [this.#palette.faint(runHeading(event))];
    if (event.type === 'play-started') return this.#openGroup(playHeading(event));
    const batch = event.type === 'batch-started' && !this.#isGrouped ? batchHeading(event) : undefined;
    return batch === undefined ? [] : [this.#palette.strong(batch)];
  }

  #batch(time: string): readonly string[] {
    const { play } = this.#progress;
    if (!this.#isGrouped || play === undefined) return [];
    const { plan } = this.options;
    return batchBlock(play, {
      now: Date.parse(time),
      columns: this.#columns ?? LOG_COLUMNS,
      palette: this.#palette,
      plan,
    });
  }

  #openGroup(title: string): readonly string[] {
    if (this.#github === undefined) return this.#isGrouped ? [] : ['', this.#palette.strong(title)];
    this.#endGroup();
    this.#groupOpen = true;
    this.#command(this.#github.group(title));
    return [];
  }

  #endGroup(): void {
    if (!this.#groupOpen || this.#github === undefined) return;
    this.#groupOpen = false;
    this.#command(this.#github.endGroup());
  }

  #warn(event: Warning): void {
    const text = this.#warnings.take(event, this.options.cwd);
    if (text === undefined) return;
    if (this.#github !== undefined) this.#command(this.#github.warning(text, event.source));
    else this.#say(text);
    const given = event.givesUp === true ? abortedText(this.#progress.play) : undefined;
    if (given !== undefined) this.#say(given);
  }

  #say(warning: string): void {
    this.#stderr.write(`${this.#stderrPalette.warning('warning:')} ${warning}\n`);
  }

  #tellProgress(line: string | undefined): void {
    // Old progress is useless, so skip it while the reader lags behind.
    if (line !== undefined && !this.#stderr.lagging) this.#stderr.write(`${this.#stderrPalette.faint(line)}\n`);
  }

  #close(event: Extract<Event, { type: 'run-finished' }>): void {
    this.#endGroup();
    for (const line of this.#warnings.rest()) this.#say(line);
    const github = this.#github;
    if (github !== undefined)
      for (const group of this.#closing.failures)
        this.#command(github.error(group, failedNames(group, MOST_ANNOTATED)));
    this.#print(['', ...this.#closing.lines(event, this.#columns)]);
  }

  #print(lines: readonly string[]): void {
    const columns = this.#isGrouped ? this.#columns : undefined;
    const shown = columns === undefined ? lines : lines.flatMap((line) => wrapped(line, columns));
    for (const line of shown) this.#stdout.write(`${line}\n`);
  }

  #command(line: string): void {
    this.#stdout.write(Buffer.from(`${line}\n`));
  }
}

/** With fewer controllers, progress lines depend on time only, because one controller would be more than a tenth. */
const FEWEST = 11;
const STEP = 0.1;
const SHORTEST_SILENCE = 2000;
const LONGEST_SILENCE = 30_000;
const MOST_ROUTES = 5;

/** A line every 30 seconds; unless only these are wanted, also for each tenth of a play's work, at most one every 2 seconds. */
class ProgressLines {
  /** The running play. */
  play: PlayProgress | undefined;
  #lastFraction = 0;
  #lastAt = 0;

  constructor(
    private readonly onlyHeartbeat: boolean,
    private readonly results: ResultGroups,
  ) {}

  /** Returns the line that is due after this event, if any. */
  handle(event: Event): string | undefined {
    if (event.type === 'play-started') {
      this.play = new PlayProgress(event, undefined, this.results);
      this.#lastFraction = 0;
      this.#lastAt = this.play.startedAt;
    }
    if (event.type === 'play-finished' || event.type === 'run-finished') this.play = undefined;
    this.play?.handle(event);
    // A finished task does not say whether the controller is done; the next event does.
    return event.type === 'task-finished' ? undefined : this.due(Date.parse(event.time));
  }

  /** Returns the line that is due at this time (milliseconds since the epoch) although nothing happened. */
  due(now: number): string | undefined {
    const progress = this.play;
    if (progress === undefined) return undefined;
    const silence = now - this.#lastAt;
    const isStep =
      !this.onlyHeartbeat && progress.total >= FEWEST && progress.fraction >= this.#lastFraction + STEP - 1e-9;
    if (silence < (isStep ? SHORTEST_SILENCE : LONGEST_SILENCE)) return undefined;
    this.#lastFraction = Math.floor(progress.fraction / STEP + 1e-9) * STEP;
    this.#lastAt = now;
    return progressLine(progress, now);
  }
}

function progressLine(progress: PlayProgress, now: number): string {
  const { fraction, finished, total, active, outcomes, gate, startedAt } = progress;
  const { failed, unreachable } = outcomes;
  if (gate !== undefined) return `progress ${gateNow(gate, now)} · ${duration((now - startedAt) / 1000)}`;
  return [
    `progress ${Math.floor(fraction * 100 + 1e-9)} %`,
    `${grouped(finished)} of ${grouped(total)} controllers`,
    ...(active > 0 ? [`${grouped(active)} active`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(unreachable > 0 ? [`${grouped(unreachable)} unreachable`] : []),
    duration((now - startedAt) / 1000),
    ...routesText(progress),
  ].join(' · ');
}

/** `madrid 80 of 200, 2 failed; paris 3 of 90` for unfinished routes. */
function routesText(progress: PlayProgress): readonly string[] {
  const open = routeProgress(progress).filter(({ finished, total }) => finished < total);
  const texts = open.slice(0, MOST_ROUTES).map((route) => `${oneLine(route.name)} ${routeCounts(route).join(', ')}`);
  const more = open.length - texts.length;
  return texts.length === 0 ? [] : [[...texts, ...(more > 0 ? [count(more, 'more route')] : [])].join('; ')];
}
