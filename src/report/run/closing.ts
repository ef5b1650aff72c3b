import { EXIT } from '../../model/exit_code.js';
import type { Event, RunFinished, RunStarted } from '../../model/run/event.js';
import { maskText } from '../../secrets/mask_text.js';
import { failureLines } from './failure_text.js';
import { FailureLog, type FailureGroup } from './failures.js';
import type { ReporterOptions, NextStep } from '../output/options.js';
import type { Palette } from '../text/palette.js';
import { plain } from '../text/plain.js';
import { recapLines, totalsLine } from './recap.js';
import { shownStart } from '../text/shorten.js';
import { SourceFiles } from '../text/source_files.js';
import { ThrottleLog } from './throttling.js';

/** The end of a run: failures with their causes, the recap, and the command that continues. Always last on the screen. */
export class Closing {
  readonly #options: ReporterOptions;
  readonly #palette: Palette;
  readonly #failures: FailureLog;
  readonly #throttling = new ThrottleLog();
  #started: RunStarted | undefined;

  constructor(options: ReporterOptions, palette: Palette) {
    this.#options = options;
    this.#palette = palette;
    this.#failures = new FailureLog(options.writtenBefore);
  }

  handle(event: Event): void {
    if (event.type === 'run-started') this.#started = event;
    this.#failures.handle(event);
    this.#throttling.handle(event);
  }

  /** The shown texts. */
  get failures(): readonly FailureGroup[] {
    return this.#failures.groups.map((group) => ({
      ...group,
      task: shownStart(group.task, this.#mask),
      message: shownStart(group.message, this.#mask),
    }));
  }

  lines(event: RunFinished): readonly string[] {
    return [...this.#failed(event), ...recapLines(event, this.#remarks(), this.#palette, this.#options.stdout.columns)];
  }

  /** Failures and totals only. */
  shortLines(event: RunFinished): readonly string[] {
    return [...this.#failed(event), totalsLine(event, this.#palette)];
  }

  #failed(event: RunFinished): readonly string[] {
    const { cwd } = this.#options;
    const { check } = this.#failures;
    const writer = { cwd, palette: this.#palette, files: new SourceFiles(cwd), check, mask: this.#mask };
    return [...failureLines(this.#failures.groups, writer), ...this.#nextStep(event)];
  }

  #nextStep(event: RunFinished): readonly string[] {
    const { strong, warning } = this.#palette;
    const { reason } = event;
    const why = reason === undefined ? [] : [`${warning('ended early:')} ${plain(shownStart(reason))}`];
    const way = this.#nextCommand(event);
    const command = way && this.#options.commandFor?.(way);
    const how = command === undefined ? [] : [`continue with: ${strong(plain(command))}`];
    const back =
      event.exitCode === EXIT.gated && this.#failures.wrote ? this.#options.commandFor?.('rollback') : undefined;
    const undo = back === undefined ? [] : [`or roll back with: ${strong(plain(back))}`];
    return why.length + how.length === 0 ? [] : [...why, ...how, ...undo, ''];
  }

  /**
   * A run that was interrupted, or stopped by a gate, can be resumed. So can a run whose end could not be written to the journal, because it
   * counts as interrupted. A check is run again instead.
   */
  #nextCommand({ status, exitCode, stats, unstarted, cutOff = [], unkept }: RunFinished): NextStep | undefined {
    const check = this.#started?.check === true;
    if (unkept === true) return check ? undefined : 'resume';
    if (status === 'interrupted') return check ? 'rerun' : 'resume';
    if (exitCode === EXIT.gated) return 'resume';
    // A stale plan stays stale.
    if (status === 'stale') return undefined;
    // Includes failures from before the run was resumed.
    const failed = Object.values(stats).some((one) => one.failed + one.unreachable > 0);
    return failed || this.#failures.controllers.length + unstarted.length + cutOff.length > 0 ? 'rerun' : undefined;
  }

  /** Masks secrets that were learned after the event. */
  readonly #mask = (text: string): string => maskText(text, this.#options.secrets);

  #checkRemark(): string {
    return this.#failures.wrote
      ? 'check mode, but tasks with check_mode: false have written'
      : 'check mode, nothing was written';
  }

  #remarks(): readonly string[] {
    const { remark } = this.#throttling;
    return [
      ...(this.#started?.check === true ? [this.#checkRemark()] : []),
      ...(this.#started?.simulated === true ? ['simulated, no real controller was contacted'] : []),
      ...(remark === undefined ? [] : [remark]),
    ];
  }
}
