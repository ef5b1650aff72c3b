import { decodeSeconds, type Page } from '../../reporting/page/format/page.js';
import type { InParts } from './frame_work.js';
import { isLost, type View } from './view.js';

const STEPS = 160;
const SLOWEST = 10;

/** How long a step took. In seconds. */
export interface StepTimes {
  readonly column: number;
  readonly times: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly longest: number;
  readonly slowest: number;
}

/** A run over time, in equal steps. */
interface Activity {
  /** Seconds. */
  readonly step: number;
  /** The average number of active controllers. */
  readonly atWork: Float64Array;
  /** Tasks that ended, per second. */
  readonly throughput: Float64Array;
}

/** What the timeline shows. */
export interface RunTimes {
  readonly activity: Activity;
  readonly steps: readonly StepTimes[];
  /** The controllers that were active longest, with the number of seconds. */
  readonly slowest: readonly (readonly [row: number, seconds: number])[];
}

export function* visibleTimes(view: View): InParts<RunTimes> {
  const { page, rows, columns } = view;
  const activity = new ActivitySum(page.run.seconds);
  const sums = new Float64Array(page.controllers.length);
  const codes = new Uint16Array(rows.length);
  const steps: StepTimes[] = [];
  for (const column of columns) {
    const from = column * page.controllers.length;
    for (const row of rows) {
      const at = from + row;
      if (page.state[at] === 0) continue;
      const took = seconds(page.took[at] ?? 0);
      sums[row] = (sums[row] ?? 0) + took;
      activity.add((page.ended[at] ?? 0) / 1000, took);
    }
    yield rows.length;
    const times = stepTimes(view, column, codes);
    if (times !== undefined) steps.push(times);
    yield rows.length;
  }
  return { activity: activity.average(), steps, slowest: longestSums(rows, sums) };
}

/** Adds up what ran when. */
class ActivitySum {
  readonly #step: number;
  readonly #atWork = new Float64Array(STEPS);
  /** How many more controllers, or fewer, are active in all of a step than in the one before. */
  readonly #more = new Float64Array(STEPS + 1);
  readonly #throughput = new Float64Array(STEPS);

  constructor(seconds: number) {
    this.#step = Math.max(0.001, seconds) / STEPS;
  }

  /** A task that ended after so many seconds of the run. */
  add(ended: number, took: number): void {
    const to = Math.min(STEPS, ended / this.#step);
    const from = Math.min(to, Math.max(0, (ended - took) / this.#step));
    const [first, last] = [Math.min(STEPS - 1, Math.floor(from)), Math.min(STEPS - 1, Math.floor(to))];
    this.#throughput[last] = (this.#throughput[last] ?? 0) + 1 / this.#step;
    if (first === last) {
      this.#atWork[first] = (this.#atWork[first] ?? 0) + to - from;
      return;
    }
    this.#atWork[first] = (this.#atWork[first] ?? 0) + first + 1 - from;
    this.#atWork[last] = (this.#atWork[last] ?? 0) + to - last;
    this.#more[first + 1] = (this.#more[first + 1] ?? 0) + 1;
    this.#more[last] = (this.#more[last] ?? 0) - 1;
  }

  average(): Activity {
    let whole = 0;
    const atWork = this.#atWork.map((part, at) => part + (whole += this.#more[at] ?? 0));
    return { step: this.#step, atWork, throughput: this.#throughput };
  }
}

/** Undefined if it has not run. @param codes has room for all controllers */
export function stepTimes(
  { page, rows }: View,
  column: number,
  codes = new Uint16Array(rows.length),
): StepTimes | undefined {
  const { times, slowest } = collectTimes(page, rows, column, codes);
  if (times === 0) return undefined;
  const sorted = codes.subarray(0, times).sort();
  const at = (share: number): number => seconds(sorted[Math.min(times - 1, Math.floor(share * times))] ?? 0);
  return { column, times, median: at(0.5), p90: at(0.9), p99: at(0.99), longest: at(1), slowest };
}

/** Puts the durations of a step into `codes`. */
function collectTimes(
  { controllers, state, took }: Page,
  rows: Uint32Array,
  column: number,
  codes: Uint16Array,
): { readonly times: number; readonly slowest: number } {
  let [times, slowest, longest] = [0, 0, -1];
  const from = column * controllers.length;
  for (const row of rows) {
    const at = from + row;
    if (state[at] === 0) continue;
    const code = took[at] ?? 0;
    codes[times++] = code;
    if (code > longest) [slowest, longest] = [row, code];
  }
  return { times, slowest };
}

const SECONDS = new Float64Array(65_536);

/** As `decodeSeconds`, remembered: a page has a cell for each controller and step. */
function seconds(code: number): number {
  const known = SECONDS[code] ?? 0;
  return known === 0 ? (SECONDS[code] = decodeSeconds(code)) : known;
}

/** The largest first. */
function longestSums(rows: Uint32Array, sums: Float64Array): RunTimes['slowest'] {
  const slowest: (readonly [row: number, seconds: number])[] = [];
  for (const row of rows) {
    const sum = sums[row] ?? 0;
    slowest.splice(slowest.findLastIndex(([, one]) => one >= sum) + 1, 0, [row, sum]);
    slowest.length = Math.min(slowest.length, SLOWEST);
  }
  return slowest;
}

const LEAST_DONE_TO_ESTIMATE = 0.05;

/** How far the current play is. */
export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  /** Seconds; undefined while it is too early to say. */
  readonly left: number | undefined;
}

/** Undefined unless the run is running. A controller that failed has no tasks left. */
export function* runProgress({ page }: View): InParts<Progress | undefined> {
  const { plays, columns, controllers, run, facts, state } = page;
  const play = plays.at(-1);
  if (run.status !== 'running' || facts.cutOff === true || play === undefined) return undefined;
  const planned = play.tasks * play.controllers;
  if (planned === 0) return undefined;
  const ran = new Uint32Array(controllers.length);
  for (const [column, { play: of, type }] of columns.entries()) {
    if (of !== plays.length - 1 || type !== 'task') continue;
    const from = column * ran.length;
    for (let row = 0; row < ran.length; row++) if (state[from + row] !== 0) ran[row] = (ran[row] ?? 0) + 1;
    yield ran.length;
  }
  let sum = 0;
  // Others are not in the play, or have not begun it.
  for (const [row, tasks] of ran.entries())
    if (tasks > 0) sum += isLost(page.outcome[row] ?? 0) ? play.tasks : Math.min(tasks, play.tasks);
  const done = sum / planned;
  const passed = run.seconds - play.started / 1000;
  return { done, left: done < LEAST_DONE_TO_ESTIMATE ? undefined : (passed * (1 - done)) / done };
}
