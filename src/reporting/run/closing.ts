import { EXIT } from '../../core/model/exit_code.js';
import { wasStoppedByUnreachable, type Event, type RunFinished, type RunStarted } from '../../core/model/run/event.js';
import { isTrouble } from '../../core/model/run/result.js';
import { groupBy } from '../../core/model/values/groups.js';
import { maskText } from '../../core/secrets/mask_text.js';
import type { NextStep, ReporterOptions } from '../output/options.js';
import type { Palette } from '../text/palette.js';
import { oneLine, plain } from '../text/plain.js';
import { shownStart, titleText } from '../text/shorten.js';
import { SourceFiles } from '../text/source_files.js';
import { count, grouped, sortNames, nameSome } from '../text/words.js';
import type { FailureGroup } from './failures/failure_group.js';
import { FailureLog, hasWritten, mayHaveWritten } from './failures/failure_log.js';
import { failureLines, shownFailure, unconfirmedLines } from './failures/failure_text.js';
import type { PlayProgress } from './progress.js';
import { recapLines, totalsLine } from './recap.js';
import { ThrottleLog } from './throttling.js';

type ClosingOptions = Pick<ReporterOptions, 'secrets' | 'cwd' | 'commandFor' | 'needsPlan' | 'writtenBefore'> &
  Partial<Pick<ReporterOptions, 'plan' | 'profile' | 'hasChanged'>>;

const LEAVE_OUT = 'or leave out the unreachable with';

/** A suggested next command. */
interface NextCommand {
  readonly purpose: 'continue with' | 'make a new plan with' | 'or roll back with' | typeof LEAVE_OUT;
  readonly command: string;
}

/** The end of a run: failures with their causes, the recap, and the command that continues, which is the last line on the screen. */
export class ClosingLines {
  readonly #failures: FailureLog;
  readonly #throttling = new ThrottleLog();
  readonly #followUp = new FollowUpLog();
  readonly #writes: WriteLog;
  #started: RunStarted | undefined;
  /** All controllers of the latest gate are stale, and a stale plan stays stale. */
  #isGateStale = false;

  constructor(
    private readonly options: ClosingOptions,
    private readonly palette: Palette,
  ) {
    this.#failures = new FailureLog(options.writtenBefore);
    this.#writes = new WriteLog((options.writtenBefore ?? []).length > 0);
  }

  handle(event: Event): void {
    if (event.type === 'run-started') this.#started = event;
    if (event.type === 'gate-started') this.#isGateStale = event.controllers.length === 0;
    this.#failures.handle(event);
    if (event.type === 'controller-throttled') this.#throttling.count(event);
    if (event.type === 'run-finished') this.#throttling.finish(event.time);
    this.#followUp.handle(event);
    this.#writes.handle(event);
  }

  /** The failures with their texts as shown. */
  get failures(): readonly FailureGroup[] {
    return this.#failures.groups.map((group) => shownFailure(group, this.#mask));
  }

  /** Writes with an unknown outcome that no failure has: a line, or none. */
  get unconfirmed(): readonly string[] {
    return unconfirmedLines(this.#failures.unconfirmed, { palette: this.palette, mask: this.#mask });
  }

  /** @param columns the width of the terminal or the log, if it is limited */
  lines(event: RunFinished, columns?: number): readonly string[] {
    if (this.options.plan === true) return this.shortLines(event, columns);
    const { routes, controllers } = this.#failures;
    const recap = recapLines(event, this.#remarks(), this.palette, { columns, routes, named: new Set(controllers) });
    return [...this.#failed(event, columns), ...recap, ...this.#nextLines(event)];
  }

  /** Failures and totals only. */
  shortLines(event: RunFinished, columns?: number): readonly string[] {
    return [...this.#failed(event, columns), totalsLine(event, this.palette), ...this.#nextLines(event)];
  }

  /** Commands that continue or undo the run. */
  commands(event: RunFinished): readonly NextCommand[] {
    const { commandFor } = this.options;
    const way = this.#nextStep(event);
    const next = way && commandFor?.(way, event);
    if (next === undefined) return [];
    const back = event.exitCode === EXIT.gated && this.#writes.areLeft ? commandFor?.('rollback', event) : undefined;
    const others = way === 'rerun' && wasStoppedByUnreachable(event) ? commandFor?.('unstarted', event) : undefined;
    return [
      { purpose: way === 'plan' ? 'make a new plan with' : 'continue with', command: plain(next) },
      ...(back === undefined ? [] : [{ purpose: 'or roll back with', command: plain(back) } as const]),
      ...(others === undefined ? [] : [{ purpose: LEAVE_OUT, command: plain(others) } as const]),
    ];
  }

  #failed(event: RunFinished, columns: number | undefined): readonly string[] {
    const { reason } = event;
    const { cwd, hasChanged } = this.options;
    const { check } = this.#failures;
    const files = new SourceFiles(cwd, hasChanged);
    const writer = { cwd, palette: this.palette, columns, files, check, mask: this.#mask };
    const why =
      reason === undefined ? [] : [`${this.palette.warning('ended early:')} ${plain(shownStart(reason))}`, ''];
    return [
      ...failureLines(this.#failures.groups, writer),
      ...this.unconfirmed.flatMap((line) => [line, '']),
      ...this.#profile(event),
      ...why,
    ];
  }

  #profile(event: RunFinished): readonly string[] {
    const lines = this.options.profile?.(event, this.palette) ?? [];
    return lines.length === 0 ? [] : [...lines, ''];
  }

  #nextLines(event: RunFinished): readonly string[] {
    const lines = this.commands(event).map(({ purpose, command }) => `${purpose}: ${this.palette.strong(command)}`);
    return lines.length === 0 ? [] : ['', ...lines];
  }

  /**
   * A run that was interrupted, or stopped by a gate, can be resumed. So can a run whose end could not be written to the journal, because it
   * counts as interrupted. A check is run again instead.
   */
  #nextStep(finished: RunFinished): NextStep | undefined {
    const { status, exitCode, stats, unstarted, cutOff = [], unkept } = finished;
    const check = this.#started?.check === true;
    const again = this.options.needsPlan?.(finished) === true ? 'plan' : 'rerun';
    if (unkept === true) return check ? undefined : 'resume';
    if (status === 'interrupted') return check ? again : 'resume';
    if (exitCode === EXIT.gated) return this.#isGateStale ? 'plan' : 'resume';
    // A stale plan stays stale.
    if (status === 'stale') return undefined;
    // Includes failures from before the run was resumed.
    const failed = Object.values(stats).some((one) => one.failed + one.unreachable > 0);
    if (!failed && this.#failures.controllers.length + unstarted.length + cutOff.length === 0) return undefined;
    return again;
  }

  /** Masks secrets that were learned after the event. */
  readonly #mask = (text: string): string => maskText(text, this.options.secrets);

  /** What the run was not allowed to do. */
  get modes(): readonly string[] {
    const { check = false, simulated = false } = this.#started ?? {};
    const wrote = this.#writes.areLeft ? 'but tasks with check_mode: false have written' : 'nothing was written';
    return [
      ...(check ? [`check mode, ${wrote}`] : []),
      ...(simulated ? ['simulated, no real controller was contacted'] : []),
    ];
  }

  #remarks(): readonly string[] {
    const { remark } = this.#throttling;
    return [...this.modes, ...this.#followUp.remarks, ...(remark === undefined ? [] : [remark])];
  }
}

/** Whether the run has written what no rollback of a batch has restored: a fold over its events. */
class WriteLog {
  /** Controllers whose tasks wrote in the current play. */
  readonly #writers = new Set<string>();
  #batch: readonly string[] = [];
  /** Whether the batch is being rolled back. */
  #isUndoing = false;

  /** @param before whether something was written before the current play */
  constructor(private before: boolean) {}

  get areLeft(): boolean {
    return this.before || this.#writers.size > 0;
  }

  handle(event: Event): void {
    if (event.type === 'play-started') this.#startPlay(event.rollback === true);
    if (event.type === 'play-finished') this.#isUndoing = false;
    if (event.type === 'batch-started' && !this.#isUndoing) this.#batch = event.controllers;
    if (event.type !== 'task-finished') return;
    // What could not be restored is left.
    const isLeft = this.#isUndoing ? isTrouble(event) : hasWritten(event) || mayHaveWritten(event);
    if (isLeft) this.#writers.add(event.controller);
  }

  #startPlay(isUndoing: boolean): void {
    this.#isUndoing = isUndoing;
    if (isUndoing) for (const name of this.#batch) this.#writers.delete(name);
    else {
      this.before = this.areLeft;
      this.#writers.clear();
    }
  }
}

/** The module of a rollback's only task. */
const ROLLBACK = 'rollback';

/** For the recap: how a resume resolved interrupted writes, and what a rollback restored. A fold over the events of a run. */
class FollowUpLog {
  #found = 0;
  #repeated = 0;
  #restored = 0;
  #before = 0;
  #check = false;

  handle(event: Event): void {
    if (event.type === 'run-started') this.#check = event.check;
    if (event.type !== 'task-finished') return;
    if (event.resumed === 'found') this.#found++;
    if (event.resumed === 'repeated') this.#repeated++;
    if (event.module !== ROLLBACK || event.item === undefined) return;
    if (event.status === 'changed') this.#restored++;
    if (event.status === 'ok') this.#before++;
  }

  /** `1 interrupted write had taken effect`, `restored 6 objects` */
  get remarks(): readonly string[] {
    const restored = this.#check ? 'would restore' : 'restored';
    return [
      ...(this.#found > 0 ? [`${count(this.#found, 'interrupted write')} had taken effect`] : []),
      ...(this.#repeated > 0 ? [`${count(this.#repeated, 'interrupted write')} repeated`] : []),
      ...(this.#restored > 0 ? [`${restored} ${count(this.#restored, 'object')}`] : []),
      ...(this.#before > 0 ? [`${grouped(this.#before)} already as before`] : []),
    ];
  }
}

const MOST_TASKS = 3;
const MOST_NAMES = 5;

/**
 * What the second Ctrl-C aborts: `aborted: Create the cloud on lb1, lb2; Configure on lb3`. Undefined: nothing was
 * running.
 */
export function abortedText(progress: PlayProgress | undefined): string | undefined {
  if (progress === undefined) return undefined;
  const byTask = groupBy(progress.running, ({ task }) => task);
  if (byTask.size === 0) return undefined;
  const tasks = [...byTask].map(([task, running]) => {
    const names = sortNames(running.map(({ controller }) => controller)).map(oneLine);
    return `${titleText(task, progress.mask)} on ${nameSome(names, MOST_NAMES)}`;
  });
  const shown = tasks.slice(0, MOST_TASKS).join('; ');
  return `aborted: ${shown}${tasks.length > MOST_TASKS ? `; and ${tasks.length - MOST_TASKS} other tasks` : ''}`;
}
