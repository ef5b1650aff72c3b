import { randomInt } from 'node:crypto';
import { listedRun } from '../launch/history/listed_run.js';
import { lifeOfProcess, rollbackOf } from '../launch/history/run_life.js';
import { runFolder } from '../record/journal/disk/run_folders.js';
import { readHeader } from '../record/journal/disk/run_header.js';
import { JournalTail } from '../record/journal/read/tail.js';
import { factsOf } from '../report/write_report.js';
import { PageData } from '../reporting/page/fold/page_data.js';
import { keptSources } from '../reporting/page/fold/sources.js';
import { deltaOf, type PageDelta } from '../reporting/page/format/delta.js';
import { packPage, type Page } from '../reporting/page/format/page.js';

/** The maximum number of changes that are kept for reconnecting browsers. */
const MOST_KEPT = 200;

/** A step from one version of a page to the next. */
export interface Step {
  readonly version: number;
  /** Undefined: read the page again. */
  readonly delta: PageDelta | undefined;
}

/** A run whose journal is still being written. */
export class WatchedRun {
  readonly #data: PageData;
  readonly #steps: Step[] = [];
  #page: Page | undefined;
  /** Starts at a random number, because a browser may still have a version from the last time that the run was open. */
  #version = randomInt(1, 2 ** 47);
  #undoneBy: string | undefined;
  #updating: Promise<readonly Step[]> = Promise.resolve([]);
  #isOver = false;

  private constructor(
    private readonly stateDirectory: string,
    readonly id: string,
    private readonly tail: JournalTail,
    cwd: string,
  ) {
    this.#data = new PageData(keptSources(cwd));
  }

  /** @throws JournalError if there is no such run */
  static async open(stateDirectory: string, id: string): Promise<WatchedRun> {
    const { header } = await readHeader(stateDirectory, id);
    const run = new WatchedRun(stateDirectory, id, await JournalTail.open(runFolder(stateDirectory, id)), header.cwd);
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
  since(version: number): readonly Step[] | undefined {
    if (version === this.#version) return [];
    const first = this.#steps.findIndex((step) => step.version === version + 1);
    return first < 0 ? undefined : this.#steps.slice(first);
  }

  /** Reads the new part of the journal, one call after the other. Returns the new steps. */
  update(): Promise<readonly Step[]> {
    this.#updating = this.#updating.then(
      () => this.#update(),
      () => this.#update(),
    );
    return this.#updating;
  }

  close(): Promise<void> {
    return this.tail.close();
  }

  async #update(): Promise<readonly Step[]> {
    const { header } = await readHeader(this.stateDirectory, this.id);
    const life = lifeOfProcess(header.process);
    const isOver = header.end !== undefined || life === 'gone';
    const undoneBy = isOver ? await rollbackOf(this.stateDirectory, header) : undefined;
    const hasMore = await this.tail.read((event) => {
      this.#data.handle(event);
    });
    const isSame = isOver === this.#isOver && undoneBy === this.#undoneBy;
    if (!hasMore && isSame && this.#page !== undefined) return [];
    [this.#isOver, this.#undoneBy] = [isOver, undoneBy];
    const page = this.#data.page(factsOf({ ...listedRun(header, life), undoneBy }));
    const step = { version: ++this.#version, delta: this.#page && deltaOf(this.#page, page) };
    this.#page = page;
    this.#steps.push(step);
    if (this.#steps.length > MOST_KEPT) this.#steps.shift();
    return [step];
  }
}
