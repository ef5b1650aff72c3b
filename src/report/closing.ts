import type { Event, RunFinished, RunStarted } from '../model/event.js';
import { failureLines } from './failure_text.js';
import { FailureLog, type FailureGroup } from './failures.js';
import type { ReporterOptions } from './options.js';
import type { Palette } from './palette.js';
import { plain } from './plain.js';
import { recapLines, totalsLine } from './recap.js';
import { redactText } from '../redaction/redact_text.js';
import { SourceFiles } from './source_files.js';
import { ThrottleLog } from './throttling.js';

/** The end of a run: what failed and why, the command to go on with, the recap. Always the last on the screen. */
export class Closing {
  readonly #options: ReporterOptions;
  readonly #palette: Palette;
  readonly #failures = new FailureLog();
  readonly #throttling = new ThrottleLog();
  #started: RunStarted | undefined;

  constructor(options: ReporterOptions, palette: Palette) {
    this.#options = options;
    this.#palette = palette;
  }

  handle(event: Event): void {
    if (event.type === 'run-started') this.#started = event;
    this.#failures.handle(event);
    this.#throttling.handle(event);
  }

  get failures(): readonly FailureGroup[] {
    return this.#failures.groups;
  }

  lines(event: RunFinished): readonly string[] {
    return [...this.#failed(event), ...recapLines(event, this.#remarks(), this.#palette, this.#options.stdout.columns)];
  }

  /** For those who want to hear only of trouble. */
  shortLines(event: RunFinished): readonly string[] {
    return [...this.#failed(event), totalsLine(event, this.#palette)];
  }

  #failed(event: RunFinished): readonly string[] {
    const { cwd, secrets } = this.#options;
    const writer = { cwd, palette: this.#palette, files: new SourceFiles(cwd), check: this.#failures.check };
    const lines = failureLines(this.#failures.groups, writer).map((line) => secrets.mask(line));
    return [...lines, ...this.#goOn(event)];
  }

  /** An interrupt leaves controllers with tasks undone that nobody failed: the whole command goes on, what is done stays `ok`. */
  #goOn({ status, unstarted, cutOff = [], reason }: RunFinished): readonly string[] {
    const { strong, warning } = this.#palette;
    const left = new Set([...this.#failures.controllers, ...cutOff, ...unstarted]);
    const why = reason === undefined ? [] : [`${warning('ended early:')} ${plain(reason)}`];
    const command =
      left.size === 0 && status !== 'interrupted'
        ? undefined
        : this.#options.retryCommand?.(status === 'interrupted' ? 'all' : [...left]);
    const how =
      command === undefined ? [] : [`go on with: ${strong(plain(redactText(command, this.#options.secrets)))}`];
    return why.length + how.length === 0 ? [] : [...why, ...how, ''];
  }

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
