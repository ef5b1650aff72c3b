import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Event } from '../core/model/run/event.js';
import { errorMessage } from '../core/model/source/diagnostic.js';
import { RunFold } from '../engine/recap.js';
import { listedRun } from '../launch/history/listed_run.js';
import { findRollback, lifeOfProcess } from '../launch/history/run_life.js';
import { TaskTextFile } from '../launch/history/task_texts.js';
import { runFolder } from '../record/journal/format/run_folders.js';
import { readHeader } from '../record/journal/format/run_header.js';
import { JournalTail } from '../record/journal/read/read_journal.js';
import { runFacts } from '../report/write_report.js';
import { PageData } from '../reporting/page/fold/page_data.js';
import { keptSources } from '../reporting/page/fold/sources.js';
import { pageDelta, type PageDelta } from '../reporting/page/format/delta.js';
import { packPage, type Page } from '../reporting/page/format/page.js';

/** The interval at which a watched journal is read, in ms. */
const INTERVAL = 400;
/** The number of runs that stay open, because the page of a large run takes a second to build. */
const MOST_OPEN = 4;
/** The maximum of unread bytes per browser. With more, its connection is closed, and it reads the page again. */
const MOST_BEHIND = 16 * 1024 * 1024;

interface OpenedRun {
  readonly run: Promise<WatchedRun>;
  readonly followers: Set<ServerResponse>;
  /** The number of requests that use it. */
  users: number;
  timer?: NodeJS.Timeout | undefined;
}

/** The runs that are open in a browser. Several pages share one. */
export class LiveRuns {
  /** Ordered by last use. */
  readonly #opened = new Map<string, OpenedRun>();

  /** @param config from `configOption` */
  constructor(
    private readonly stateDirectory: string,
    private readonly config: readonly string[] = [],
  ) {}

  /** The run as it is now. @throws JournalError if there is none */
  async open(id: string): Promise<WatchedRun> {
    const opened = this.#open(id);
    opened.users++;
    try {
      const run = await opened.run;
      await this.#update(id, run);
      return run;
    } finally {
      opened.users--;
    }
  }

  /** Sends server-sent events from a version on, until the run ends or the browser disconnects. */
  async follow(id: string, version: number, response: ServerResponse): Promise<void> {
    const opened = this.#open(id);
    const { followers } = opened;
    opened.users++;
    const run = await opened.run.finally(() => opened.users--);
    // The browser has disconnected meanwhile.
    if (response.destroyed) return;
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    const missed = run.since(version);
    for (const step of missed ?? [{ version: run.version, delta: undefined }]) response.write(toServerEvent(step));
    followers.add(response);
    response.on('close', () => followers.delete(response));
    this.#watch(id);
  }

  async close(): Promise<void> {
    for (const id of [...this.#opened.keys()]) await this.#drop(id);
  }

  #open(id: string): OpenedRun {
    const known = this.#opened.get(id);
    if (known !== undefined) {
      this.#opened.delete(id);
      this.#opened.set(id, known);
      return known;
    }
    const made: OpenedRun = {
      run: WatchedRun.open(this.stateDirectory, this.config, id),
      followers: new Set(),
      users: 1,
    };
    made.run.catch(() => this.#opened.delete(id));
    this.#opened.set(id, made);
    this.#dropOldest();
    made.users--;
    return made;
  }

  #dropOldest(): void {
    const unused = [...this.#opened].filter(([, { followers, users }]) => followers.size + users === 0);
    for (const [id] of unused.slice(0, Math.max(0, this.#opened.size - MOST_OPEN))) void this.#drop(id);
  }

  async #drop(id: string): Promise<void> {
    const opened = this.#opened.get(id);
    this.#opened.delete(id);
    if (opened === undefined) return;
    clearTimeout(opened.timer);
    for (const response of opened.followers) response.end();
    await opened.run.then(
      (run) => run.close(),
      () => undefined,
    );
  }

  #watch(id: string): void {
    const opened = this.#opened.get(id);
    if (opened === undefined || opened.timer !== undefined || opened.followers.size === 0) return;
    opened.timer = setTimeout(() => {
      opened.timer = undefined;
      opened.run
        .then((run) => this.#update(id, run))
        .then(
          () => {
            this.#watch(id);
          },
          () => this.#drop(id),
        );
    }, INTERVAL);
  }

  async #update(id: string, run: WatchedRun): Promise<void> {
    const steps = await run.update();
    const followers = this.#opened.get(id)?.followers ?? new Set<ServerResponse>();
    for (const response of followers) {
      const isBehind = response.writableLength > MOST_BEHIND;
      if (isBehind || run.isOver) followers.delete(response);
      if (isBehind) {
        response.destroy();
        continue;
      }
      for (const step of steps) response.write(toServerEvent(step));
      if (run.isOver) response.end(`event: over\ndata: ${run.version}\n\n`);
    }
  }
}

function toServerEvent({ version, delta }: VersionStep): string {
  const [name, data] = delta === undefined ? ['reload', ''] : ['delta', JSON.stringify(delta)];
  return `id: ${version}\nevent: ${name}\ndata: ${data}\n\n`;
}

/** The maximum number of changes that are kept for reconnecting browsers. */
const MOST_KEPT = 200;

/** A step from one version of a page to the next. */
interface VersionStep {
  readonly version: number;
  /** Undefined: read the page again. */
  readonly delta: PageDelta | undefined;
}

/** A run whose journal is still being written. */
class WatchedRun {
  readonly #data: PageData;
  readonly #steps: VersionStep[] = [];
  #page: Page | undefined;
  /** Starts at a random number, because a browser may still have a version from the last time that the run was open. */
  #version = randomInt(1, 2 ** 47);
  #undoneBy: string | undefined;
  readonly #fold = new RunFold();
  #updating: Promise<readonly VersionStep[]> = Promise.resolve([]);
  #isOver = false;

  private constructor(
    private readonly stateDirectory: string,
    private readonly config: readonly string[],
    readonly id: string,
    private readonly tail: JournalTail,
    private readonly texts: TaskTextFile,
    cwd: string,
  ) {
    this.#data = new PageData(keptSources(cwd, texts.kept));
  }

  /** @throws JournalError if there is no such run */
  static async open(stateDirectory: string, config: readonly string[], id: string): Promise<WatchedRun> {
    const { header } = await readHeader(stateDirectory, id);
    const folder = runFolder(stateDirectory, id);
    const texts = new TaskTextFile(folder);
    const run = new WatchedRun(stateDirectory, config, id, await JournalTail.open(folder), texts, header.cwd);
    await run.update();
    return run;
  }

  get version(): number {
    return this.#version;
  }

  /** Nothing more will happen, unless it is resumed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get packed(): Uint8Array | undefined {
    return this.#page && packPage(this.#page);
  }

  /** The changes since a version; undefined if it is too old. */
  since(version: number): readonly VersionStep[] | undefined {
    if (version === this.#version) return [];
    const first = this.#steps.findIndex((step) => step.version === version + 1);
    return first < 0 ? undefined : this.#steps.slice(first);
  }

  /** Reads the new part of the journal, one call after the other. Returns the new steps. */
  update(): Promise<readonly VersionStep[]> {
    const update = (): Promise<readonly VersionStep[]> => this.#update();
    return (this.#updating = this.#updating.then(update, update));
  }

  close(): Promise<void> {
    return this.tail.close();
  }

  async #update(): Promise<readonly VersionStep[]> {
    const { header } = await readHeader(this.stateDirectory, this.id);
    const life = lifeOfProcess(header.process);
    const isOver = header.end !== undefined || life === 'gone';
    const undoneBy = isOver ? await findRollback(this.stateDirectory, header) : undefined;
    const take = (event: Event): void => {
      this.#data.handle(event);
      this.#fold.handle(event);
    };
    const warn = (message: string): void => take({ type: 'warning', time: header.time, run: this.id, message });
    const hasEvents = await this.tail.read(take, warn);
    const missing = isOver && !this.#isOver ? await this.tail.missing().catch(errorMessage) : undefined;
    if (missing !== undefined) warn(missing);
    const hasMore = (await this.texts.update()) || hasEvents;
    const isSame = isOver === this.#isOver && undoneBy === this.#undoneBy;
    if (!hasMore && isSame && this.#page !== undefined) return [];
    [this.#isOver, this.#undoneBy] = [isOver, undoneBy];
    const { finished, staleGate } = this.#fold;
    const run = { ...finished, staleGate, ...listedRun(header, life), undoneBy };
    const page = this.#data.page(runFacts(run, this.#data.isOpen, this.config));
    const step = { version: ++this.#version, delta: this.#page && pageDelta(this.#page, page) };
    this.#page = page;
    this.#steps.push(step);
    if (this.#steps.length > MOST_KEPT) this.#steps.shift();
    return [step];
  }
}
