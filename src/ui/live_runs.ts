import type { ServerResponse } from 'node:http';
import { WatchedRun, type Step } from './watched_run.js';

/** The interval at which a watched journal is read, in ms. */
const INTERVAL = 400;
/** The number of runs that stay open, because the page of a large run takes a second to build. */
const MOST_OPEN = 4;
/**
 * The maximum of unread bytes per browser. With more, the connection is closed, and the browser reads the page again.
 */
const MOST_BEHIND = 16 * 1024 * 1024;

interface Opened {
  readonly run: Promise<WatchedRun>;
  readonly followers: Set<ServerResponse>;
  /** The number of requests that use it. */
  users: number;
  timer?: NodeJS.Timeout | undefined;
}

/** The runs that are open in a browser. Several pages share one. */
export class LiveRuns {
  /** Ordered by last use. */
  readonly #opened = new Map<string, Opened>();

  constructor(private readonly stateDirectory: string) {}

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
    for (const step of missed ?? [{ version: run.version, delta: undefined }]) response.write(eventOf(step));
    followers.add(response);
    response.on('close', () => {
      followers.delete(response);
    });
    this.#watch(id);
  }

  async close(): Promise<void> {
    for (const id of [...this.#opened.keys()]) await this.#drop(id);
  }

  #open(id: string): Opened {
    const known = this.#opened.get(id);
    if (known !== undefined) {
      this.#opened.delete(id);
      this.#opened.set(id, known);
      return known;
    }
    const made: Opened = { run: WatchedRun.open(this.stateDirectory, id), followers: new Set(), users: 1 };
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
      for (const step of steps) response.write(eventOf(step));
      if (run.isOver) response.end(`event: over\ndata: ${run.version}\n\n`);
    }
  }
}

function eventOf({ version, delta }: Step): string {
  const [name, data] = delta === undefined ? ['reload', ''] : ['delta', JSON.stringify(delta)];
  return `id: ${version}\nevent: ${name}\ndata: ${data}\n\n`;
}
