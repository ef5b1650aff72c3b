import { EXIT } from '../core/model/exit_code.js';
import type { Event, PlayStarted, RunFinished, RunStarted } from '../core/model/run/event.js';
import { RunFold } from '../engine/recap.js';
import { JournalError } from '../record/journal/format/run_folders.js';

/** One of the runs, as far as it was read. */
export class JoinedRun extends RunFold {
  /** @param named as the user names it */
  constructor(
    readonly named: string,
    readonly started: RunStarted,
  ) {
    super();
  }
}

/**
 * Joins the events of several runs of the same playbooks, one run after the other, into those of one run. Their
 * controllers are in one play, as if one machine had run it.
 */
export class JoinedRuns {
  readonly all: JoinedRun[] = [];
  readonly #plays: string[] = [];
  /** What has ended so far: plays, and batches of plays. */
  readonly #ends = new Map<string, { readonly time: string; readonly failed: readonly string[] }>();
  #named = '';
  #isOpen = false;
  #play = 0;
  #last = '';

  /** @param emit takes the events of the joined run */
  constructor(private readonly emit: (event: Event) => void) {}

  /** The events of another run follow. */
  begin(named: string): void {
    this.#named = named;
    this.#isOpen = false;
  }

  /** @throws JournalError if it is not a run of the same playbooks */
  handle(event: Event): void {
    if (event.time > this.#last) this.#last = event.time;
    if (event.type === 'run-started') this.#start(event);
    const run = this.#isOpen ? this.all.at(-1) : undefined;
    if (run === undefined) throw new JournalError(`${this.#named} does not begin with the start of a run`);
    run.handle(event);
    const { run: id } = this.all[0]?.started ?? event;
    this.emit({ ...this.#joined(event, run), run: id });
  }

  /** Emits a warning about the runs. */
  warn(message: string): void {
    const { run = '' } = this.all[0]?.started ?? {};
    this.emit({ type: 'warning', time: this.#last, run, message });
  }

  /** Emits the end of the joined run, and returns it. */
  finish(): RunFinished {
    const [first] = this.all;
    if (first === undefined) throw new JournalError('there is no run');
    const end = endOfRuns(this.all, this.#last);
    this.emit(end);
    return end;
  }

  /** A resume starts the same run again. */
  #start(event: RunStarted): void {
    this.#play = 0;
    if (this.#isOpen) return;
    this.#isOpen = true;
    const named = this.#named;
    const same = this.all.find(({ started }) => started.run === event.run);
    if (same !== undefined) throw new JournalError(`${named} and ${same.named} are the same run, ${event.run}`);
    const [first] = this.all;
    if (first !== undefined && likeness(first.started) !== likeness(event)) {
      const message = `${named} is not a run like ${first.named}: the playbooks, the environment or the mode differ`;
      throw new JournalError(message, 'one page shows runs of the same command');
    }
    this.all.push(new JoinedRun(named, event));
  }

  #joined(event: Event, run: JoinedRun): Event {
    if (event.type === 'play-started') return this.#startPlay(event, run);
    if (event.type === 'play-finished') return { ...event, time: this.#end(`${this.#play}`, event.time).time };
    if (event.type !== 'batch-finished') return event;
    const { time, failed } = this.#end(`${this.#play} ${event.batch}`, event.time, event.failed);
    return { ...event, time, failed };
  }

  /** The controllers can be searched by their shard, as by their groups. */
  #startPlay(event: PlayStarted, run: JoinedRun): PlayStarted {
    const { play, controllers, groups } = event;
    const { shard } = run.started;
    if (event.rollback !== true) {
      const known = (this.#plays[this.#play] ??= play);
      this.#play += 1;
      if (known !== play) throw new JournalError(`play ${this.#play} of ${run.named} is "${play}", not "${known}"`);
    }
    if (shard === undefined || controllers.length === 0) return event;
    return { ...event, groups: { ...groups, [`shard ${shard}`]: controllers.map((_, at) => at) } };
  }

  /** The latest of the runs ends it. */
  #end(key: string, time: string, failed: readonly string[] = []): { time: string; failed: readonly string[] } {
    const before = this.#ends.get(key);
    const end =
      before === undefined
        ? { time, failed }
        : { time: before.time > time ? before.time : time, failed: [...new Set([...before.failed, ...failed])] };
    this.#ends.set(key, end);
    return end;
  }
}

function likeness({ playbooks, environment, check, simulated }: RunStarted): string {
  return JSON.stringify([playbooks, environment, check, simulated]);
}

/** Worst first. */
const CODES: readonly number[] = [EXIT.interrupted, EXIT.gated, EXIT.failed, EXIT.stale, EXIT.unreachable, EXIT.ok];

/** How one run would have ended that did what all did. The newest run of a controller counts. */
function endOfRuns(runs: readonly JoinedRun[], time: string): RunFinished {
  const [first] = runs;
  const ends = runs.map((run) => run.finished ?? asInterrupted(run, time));
  const worst = ends.toSorted((a, b) => CODES.indexOf(a.exitCode) - CODES.indexOf(b.exitCode))[0];
  const stats = Object.fromEntries(ends.flatMap((end) => Object.entries(end.stats)));
  const cut = ends.flatMap(({ cutOff = [] }, at) =>
    cutOff.filter((name) => !ends.slice(at + 1).some((later) => Object.hasOwn(later.stats, name))),
  );
  const reasons = runs.flatMap(({ named, finished }) =>
    finished?.reason === undefined ? [] : [`${named}: ${finished.reason}`],
  );
  const changed = ends.flatMap((end) => (end.changed ?? []).filter((name) => end.stats[name] === stats[name]));
  return {
    type: 'run-finished',
    time,
    run: first?.started.run ?? '',
    status: worst?.status ?? 'ok',
    exitCode: worst?.exitCode ?? EXIT.ok,
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
    seconds: (Date.parse(time) - Date.parse(first?.started.time ?? time)) / 1000,
    stats,
    unstarted: [...new Set(ends.flatMap((end) => end.unstarted))].filter((name) => !Object.hasOwn(stats, name)),
    ...(cut.length > 0 && { cutOff: cut }),
    ...(changed.length > 0 && { changed }),
  };
}

/** The end of a run whose process ended before it: it is as if it had been interrupted. */
function asInterrupted({ started: { run }, stats, unstarted, cutOff }: JoinedRun, time: string): RunFinished {
  return {
    type: 'run-finished',
    time,
    run,
    status: 'interrupted',
    exitCode: EXIT.interrupted,
    seconds: 0,
    stats: stats.all,
    unstarted,
    cutOff,
    changed: stats.changed,
  };
}
