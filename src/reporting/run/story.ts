import type {
  ControllerThrottled,
  Event,
  RequestFinished,
  RequestRetried,
  TaskFinished,
  TaskProgressed,
  TaskRetried,
} from '../../core/model/run/event.js';
import { changedSomething } from '../../core/model/run/result.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { ReporterOptions } from '../output/options.js';
import type { Palette } from '../text/palette.js';
import { oneLine, plain } from '../text/plain.js';
import { columnWidth, truncate } from '../text/width.js';
import { count, duration, grouped } from '../text/words.js';
import { FoldedMessages, TaskResults } from './equal_results.js';
import { fleetDiffLines, HOST_DIFF } from './fleet_diff.js';
import { GateStory } from './gate_text.js';
import { ResultGroups } from './result_groups.js';
import { taskDiffLines, taskLines } from './task_line.js';
import { ThrottleLog, waitText } from './throttling.js';

const WIDEST_NAME = 32;
/** Maximum number of items to name in the line of a loop. */
const MOST_ITEMS = 3;
const LONGEST_ITEM = 40;

export interface StoryOptions extends Pick<
  ReporterOptions,
  'verbosity' | 'diff' | 'writtenArguments' | 'results' | 'plan'
> {
  readonly palette: Palette;
  /** For what is shown later than it happened: a secret may have become known since. */
  readonly mask: (text: string) => string;
  /** Leave out changes and failures of single controllers unless `-v` is given, because something else shows them. */
  readonly brief: boolean;
}

/** The lines of a run as it happens: changes, failures, `debug` messages, diffs, and more with each `-v`. */
export class Story {
  readonly #loops = new LoopCounts();
  readonly #fleet: ResultGroups;
  readonly #throttling = new ThrottleLog();
  readonly #gate: GateStory;
  readonly #messages: FoldedMessages;
  readonly #results: TaskResults | undefined;
  #nameWidth = 0;

  constructor(private readonly options: StoryOptions) {
    this.#gate = new GateStory(options);
    this.#messages = new FoldedMessages(options.results === true);
    this.#fleet = new ResultGroups({ written: options.writtenArguments, full: true, mask: options.mask });
    // With -vv, the line of each task is followed by its result.
    this.#results = options.results === true && options.verbosity < 2 ? new TaskResults() : undefined;
  }

  /** The lines for this event, often none. */
  lines(event: Event): readonly string[] {
    const { palette, verbosity, mask } = this.options;
    this.#messages.handle(event);
    switch (event.type) {
      case 'play-started':
        this.#nameWidth = columnWidth(event.controllers, WIDEST_NAME);
        return [];
      case 'task-finished':
        return this.#taskFinished(event);
      case 'task-retried':
        return verbosity >= 1 ? [this.#retried(event)] : [];
      case 'request-retried':
        return verbosity >= 1 ? [this.#requestRetried(event)] : [];
      case 'task-progressed':
        return verbosity >= 1 ? [this.#progressed(event)] : [];
      case 'handler-notified':
        return verbosity >= 2
          ? [this.options.palette.faint(`notified     ${oneLine(event.controller)}  ${oneLine(event.handler)}`)]
          : [];
      case 'request-finished':
        return verbosity >= 3 ? requestLines(event, verbosity, palette) : [];
      case 'gate-started':
      case 'gate-checked':
      case 'gate-finished':
        return this.#gate.lines(event);
      case 'controller-throttled':
        return this.#throttled(event);
      case 'play-finished':
      case 'run-finished':
        return this.#fleetDiff();
      case 'batch-finished':
        return [...this.#messages.take(palette, mask), ...(this.#results?.take(palette, mask) ?? [])];
      case 'run-started':
      case 'batch-started':
      case 'controller-finished':
      case 'task-started':
      case 'warning':
        return [];
    }
  }

  #fleetDiff(): readonly string[] {
    const { palette, diff } = this.options;
    const lines = fleetDiffLines(this.#fleet.tasks, palette, { outline: diff === 'outline', how: HOST_DIFF });
    this.#fleet.forget();
    return lines.map(this.options.mask);
  }

  #taskFinished(event: TaskFinished): readonly string[] {
    const { palette, verbosity, diff = 'host', mask } = this.options;
    this.#results?.add(event);
    const counts = this.#loops.take(event, mask);
    const changes = event.diff && event.change !== undefined && event.change.kind !== 'none';
    if (changes && diff !== 'host') this.#fleet.handle(event);
    const withDiff = changes && diff === 'host';
    // Items that failed, or ended the loop, were reported one by one.
    const repeated = counts?.failed === true && (event.status === 'failed' || event.status === 'unreachable');
    // Items that changed were not.
    const rest = repeated ? ({ ...event, status: 'changed', ignored: false, rescued: false } as const) : event;
    if (!withDiff && ((repeated && !counts.changed) || !this.#isShown(rest))) return [];
    if (this.options.brief && verbosity === 0 && this.#messages.isFolded(event)) return [];
    const said = repeated ? undefined : event.message;
    const changed = said === undefined || counts?.changed === true ? counts?.text : undefined;
    const message = [said, changed].filter((part) => part !== undefined).join('; ');
    const shown = message === '' ? rest : { ...rest, message };
    const writer = { palette, verbosity, nameWidth: this.#nameWidth };
    return [...taskLines(shown, writer), ...(withDiff ? taskDiffLines(event, palette) : [])];
  }

  #isShown({ status, spoken, item }: TaskFinished): boolean {
    const { verbosity, brief, plan } = this.options;
    if (spoken === true) return plan !== true || verbosity >= 1;
    switch (status) {
      case 'ok':
        return verbosity >= 1;
      case 'skipped':
        return verbosity >= 2;
      case 'changed':
        return verbosity >= 1 || (item === undefined && !brief);
      case 'failed':
      case 'unreachable':
      case 'interrupted':
        return verbosity >= 1 || !brief;
    }
  }

  #throttled(event: ControllerThrottled): readonly string[] {
    const { palette, verbosity, brief } = this.options;
    const text = this.#throttling.take(event, verbosity);
    return text === undefined || (brief && verbosity === 0) ? [] : [palette.faint(`throttled    ${text}`)];
  }

  #retried({ controller, task, attempt, attempts, message }: TaskRetried): string {
    const why = message === undefined ? '' : `: ${oneLine(message)}`;
    const about = `${oneLine(controller)}  ${oneLine(task)}: attempt ${attempt} of ${attempts}${why}`;
    return this.options.palette.faint(`${message === undefined ? 'retry  ' : 'waiting'}      ${about}`);
  }

  #requestRetried(event: RequestRetried): string {
    const { palette } = this.options;
    return palette.faint(
      `retry        ${oneLine(event.controller)}  attempt ${event.attempt} in ${duration(event.seconds)}, ${waitText(event, event.left)}`,
    );
  }

  #progressed({ controller, task, message, seconds }: TaskProgressed): string {
    const wait = seconds === undefined ? '' : `, ${duration(seconds)} left`;
    return this.options.palette.faint(
      `progress     ${oneLine(controller)}  ${oneLine(task)}: ${oneLine(message)}${wait}`,
    );
  }
}

const LONGEST_BODY = 10_000;

/** `lb1  GET https://lb1/api/cloud/ → 200  0.1 s`, the bodies below with `-vvvv`. */
function requestLines(event: RequestFinished, verbosity: number, palette: Palette): readonly string[] {
  const { controller, method, url, status, error, seconds } = event;
  const answer = status === undefined ? (error ?? 'no answer') : String(status);
  const head = `    ${oneLine(controller)}  ${oneLine(method)} ${oneLine(url)} → ${oneLine(answer)}  ${duration(seconds)}`;
  const bodies = verbosity < 4 ? [] : [...bodyLines('>', event.requestBody), ...bodyLines('<', event.responseBody)];
  return [head, ...bodies].map((line) => palette.faint(line));
}

function bodyLines(mark: string, body: string | undefined): readonly string[] {
  if (body === undefined || body === '') return [];
  const shown = body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}… (${body.length} characters)` : body;
  return plain(shown)
    .split('\n')
    .map((line) => `      ${mark} ${line}`);
}

const NO_ITEMS = { items: 0, changed: 0, failed: false, isUnshown: false };

/** Counts the items of running loops, for the line at the end of each loop. */
class LoopCounts {
  readonly #counts = new Map<string, typeof NO_ITEMS & { readonly names: string[] }>();

  /**
   * For the event of a whole task: `2 of 5 items changed: a, b`, and whether an item failed, or changed without a failure; undefined if no
   * item ran.
   */
  take(
    event: TaskFinished,
    mask: (text: string) => string,
  ): { readonly text: string; readonly changed: boolean; readonly failed: boolean } | undefined {
    if (event.item !== undefined) {
      this.#count(event);
      return undefined;
    }
    const counts = this.#counts.get(event.controller);
    this.#counts.delete(event.controller);
    if (counts === undefined) return undefined;
    const { changed, items, failed, isUnshown, names } = counts;
    const shown = names.map((name) => truncate(oneLine(mask(name)), LONGEST_ITEM)).join(', ');
    const which = names.length === 0 ? '' : `: ${shown}${changed > names.length ? ', …' : ''}`;
    return { text: `${grouped(changed)} of ${count(items, 'item')} changed${which}`, changed: isUnshown, failed };
  }

  #count(event: TaskFinished): void {
    const { controller, status, item = '' } = event;
    const counts = getOrAdd(this.#counts, controller, () => ({ ...NO_ITEMS, names: [] }));
    counts.items++;
    counts.failed ||= status === 'failed' || status === 'unreachable';
    counts.isUnshown ||= status === 'changed';
    if (!changedSomething(event)) return;
    counts.changed++;
    if (counts.names.length < MOST_ITEMS) counts.names.push(item);
  }
}
