import type { Event, RunFinished, RunStarted, TaskFinished, Warning } from '../../../core/model/run/event.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import type { WrittenArguments } from '../../output/options.js';
import { EqualWarnings } from '../../text/equal_warnings.js';
import { plain } from '../../text/plain.js';
import { MOST_SHOWN_CHARACTERS } from '../../text/words.js';
import {
  copyCells,
  emptyCells,
  OUTCOMES,
  packPage,
  type Page,
  type PageColumn,
  type PageFacts,
  type PageHead,
  type PageRun,
  type PageWarning,
  type SourcePosition,
} from '../format/page.js';
import { Cells } from './cells.js';
import { cellState, cutHere, PageDetails } from './details.js';
import { Rows } from './rows.js';
import type { Sources } from './sources.js';
import { Timeline } from './timeline.js';

const MOST_WARNINGS = 500;

const NO_RUN: PageRun = {
  id: '',
  version: '',
  started: '',
  environment: null,
  check: false,
  status: 'running',
  seconds: 0,
};

/**
 * The data of a page about one run: a fold over its events, which are masked. Its size grows with the number of cells and of
 * different details.
 */
export class PageData {
  readonly #cells = new Cells();
  readonly #details: PageDetails;
  readonly #rows = new Rows();
  readonly #timeline = new Timeline((names) => names.map((name) => this.#rows.rowOrder(name)));
  readonly #warnings = new EqualWarnings(MOST_WARNINGS);
  readonly #columns = new WeakMap<PageColumn, PageColumn>();
  #run = NO_RUN;
  #start: number | undefined;

  /**
   * @param written the arguments of tasks as written; absent: unknown, as in a journal
   * @param cut keeps more if the page is masked again, and cuts it only then
   */
  constructor(
    private readonly sources: Sources,
    written?: WrittenArguments,
    private readonly cut = cutHere,
  ) {
    this.#details = new PageDetails(cut, written);
  }

  handle(event: Event): void {
    const at = this.#secondsSinceStart(event);
    this.#timeline.handle(event, at);
    switch (event.type) {
      case 'run-started':
        return this.#begin(event);
      case 'play-started':
        this.#cells.startPlay();
        return this.#rows.startPlay(event);
      case 'task-started':
        return this.#rows.row(event.controller).start();
      case 'task-retried':
        this.#rows.row(event.controller).requestCounts.attempts = event.attempt + 1;
        return;
      case 'request-finished':
        this.#rows.row(event.controller).requestCounts.requests++;
        return;
      case 'request-retried':
        this.#rows.row(event.controller).requestCounts.retries++;
        return;
      case 'task-finished':
        return this.#finishTask(event, at);
      case 'controller-finished':
        this.#rows.row(event.controller).end(event.cutOff === true ? 'cut off' : 'finished');
        return;
      case 'batch-finished':
        return this.#rows.endBatch(event);
      case 'run-finished':
        return this.#finish(event);
      case 'warning':
        return this.#warnings.add(event);
      case 'batch-started':
      case 'task-progressed':
      case 'handler-notified':
      case 'controller-throttled':
      case 'gate-started':
      case 'gate-checked':
      case 'gate-finished':
      case 'play-finished':
        return;
    }
  }

  /** The whole page as bytes, for `readPage`. */
  pack(facts: PageFacts): Uint8Array<ArrayBuffer> {
    return packPage(this.page(facts));
  }

  /** The current state of the page. */
  page(facts: PageFacts): Page {
    const { columns } = this.#cells;
    const rows = this.#rows.all;
    const isOver = facts.cutOff === true || this.#run.status !== 'running';
    const page = {
      ...this.#head(facts),
      outcome: Uint8Array.from(rows, (row) => OUTCOMES.indexOf(row.outcome(isOver))),
      ...emptyCells(rows.length * columns.length),
    };
    for (const [index, { cells }] of columns.entries()) copyCells(cells, page, index * rows.length, 0, rows.length);
    return page;
  }

  #head(facts: PageFacts): PageHead {
    const { place } = this.sources;
    const shown = <T extends { readonly place?: SourcePosition | undefined }>(one: T): T =>
      one.place === undefined ? one : { ...one, place: place(one.place) };
    const { plays, batches, gates } = this.#timeline.content;
    return {
      format: 1,
      facts,
      run: this.#run,
      controllers: this.#rows.names,
      groups: this.#rows.groups,
      routes: this.#rows.routes,
      // Pages are compared, and these change.
      plays: plays.map((one) => ({ ...one })),
      batches: batches.map((one) => ({ ...one })),
      gates: gates.map((one) => ({ ...one })),
      // The same object for the same step, because pages are compared by identity.
      columns: this.#cells.columns.map(({ about }) =>
        getOrAdd(this.#columns, about, () => ({ ...about, place: this.sources.place(about.place) })),
      ),
      yaml: this.#cells.columns.map(({ about }) => this.sources.task(about.place, about) ?? null),
      details: this.#details.details.map(shown),
      texts: [...this.#details.texts],
      warnings: this.#warnings.joined.map((one) => shown(pageWarning(one, this.cut))),
    };
  }

  /** The run has not ended, as far as its events say. */
  get isOpen(): boolean {
    return this.#run.status === 'running';
  }

  /** Milliseconds since the start of the run, at least 0: the clock may have been set back since. */
  #secondsSinceStart({ time }: Event): number {
    const now = Date.parse(time);
    const at = Math.max(0, now - (this.#start ??= now));
    if (this.#run.status === 'running' && at / 1000 > this.#run.seconds)
      this.#run = { ...this.#run, seconds: at / 1000 };
    return at;
  }

  /** A resume starts the run again, and keeps its earlier results. */
  #begin({ run, version, time, environment, check }: RunStarted): void {
    const started = this.#run.started === '' ? time : this.#run.started;
    const { seconds } = this.#run;
    this.#run = { id: run, version, started, environment, check, status: 'running', seconds };
  }

  #finishTask(event: TaskFinished, at: number): void {
    const row = this.#rows.row(event.controller);
    if (event.item !== undefined) {
      row.items.push(this.#details.item(event));
      return;
    }
    const place = this.#rows.rowOrder(event.controller);
    this.#cells.grow(this.#rows.all.length);
    const column = this.#cells.columnFor(event, this.#timeline.play, place);
    const detail = this.#details.addResult(event, column.about.task, row.requestCounts, row.finish(event));
    this.#cells.put(column, place, { state: cellState(event), detail, seconds: event.seconds, ended: at });
  }

  #finish(event: RunFinished): void {
    const { status, reason, seconds } = event;
    this.#rows.finish(event);
    this.#run = { ...this.#run, status, reason, seconds: Math.max(seconds, this.#run.seconds) };
  }
}

function pageWarning({ message, controller, source }: Warning, cut: typeof cutHere): PageWarning {
  return {
    message: cut(plain(message), MOST_SHOWN_CHARACTERS),
    ...(controller !== undefined && { controller }),
    ...(source !== undefined && { place: source }),
  };
}
