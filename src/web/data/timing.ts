import { decodeSeconds, type Page } from '../../reporting/page/format/page.js';
import type { View } from './view.js';
import { outcomeByCode } from './words.js';

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
export interface Load {
  /** Seconds. */
  readonly step: number;
  /** The average number of active controllers. */
  readonly atWork: Float64Array;
  /** Tasks that ended, per second. */
  readonly throughput: Float64Array;
}

export function visibleLoad({ page, rows, columns }: View): Load {
  const total = page.controllers.length;
  const step = Math.max(0.001, page.run.seconds) / STEPS;
  const [atWork, throughput] = [new Float64Array(STEPS), new Float64Array(STEPS)];
  for (const column of columns) {
    for (const row of rows) {
      const at = column * total + row;
      if (page.state[at] === 0) continue;
      const to = (page.ended[at] ?? 0) / 1000 / step;
      const from = Math.max(0, to - seconds(page.took[at] ?? 0) / step);
      addSpan(atWork, from, to);
      const last = Math.min(STEPS - 1, Math.floor(to));
      throughput[last] = (throughput[last] ?? 0) + 1 / step;
    }
  }
  return { step, atWork, throughput };
}

/** Adds to each step the part of it that the span covers. */
function addSpan(steps: Float64Array, from: number, to: number): void {
  for (let at = Math.floor(from); at < Math.min(steps.length, to); at++)
    steps[at] = (steps[at] ?? 0) + Math.min(to, at + 1) - Math.max(from, at);
}

export function stepTimes({ page, rows, columns }: View): readonly StepTimes[] {
  const codes = new Uint16Array(rows.length);
  return columns.flatMap((column) => {
    const { times, slowest } = collectTimes(page, rows, column, codes);
    if (times === 0) return [];
    const sorted = codes.subarray(0, times).sort();
    const at = (share: number): number => seconds(sorted[Math.min(times - 1, Math.floor(share * times))] ?? 0);
    return [{ column, times, median: at(0.5), p90: at(0.9), p99: at(0.99), longest: at(1), slowest }];
  });
}

/** Puts the durations of a step into `codes`. */
function collectTimes(
  { controllers, state, took }: Page,
  rows: Uint32Array,
  column: number,
  codes: Uint16Array,
): { readonly times: number; readonly slowest: number } {
  let [times, slowest, longest] = [0, 0, -1];
  for (const row of rows) {
    const at = column * controllers.length + row;
    if (state[at] === 0) continue;
    const code = took[at] ?? 0;
    codes[times++] = code;
    if (code > longest) [slowest, longest] = [row, code];
  }
  return { times, slowest };
}

const SECONDS = new Float64Array(65_536);

/** As `secondsOf`, remembered: a page has a cell for each controller and step. */
function seconds(code: number): number {
  const known = SECONDS[code] ?? 0;
  return known === 0 ? (SECONDS[code] = decodeSeconds(code)) : known;
}

/** The controllers that were active longest, with the number of seconds. */
export function slowestControllers({
  page,
  rows,
  columns,
}: View): readonly (readonly [row: number, seconds: number])[] {
  const sums = new Float64Array(page.controllers.length);
  for (const column of columns) {
    const from = column * sums.length;
    for (let row = 0; row < sums.length; row++) sums[row] = (sums[row] ?? 0) + seconds(page.took[from + row] ?? 0);
  }
  const slowest: (readonly [row: number, seconds: number])[] = [];
  for (const row of rows) {
    const sum = sums[row] ?? 0;
    if (slowest.length === SLOWEST && sum <= (slowest.at(-1)?.[1] ?? 0)) continue;
    slowest.splice(slowest.findLastIndex(([, one]) => one >= sum) + 1, 0, [row, sum]);
    slowest.length = Math.min(slowest.length, SLOWEST);
  }
  return slowest;
}

const SHOWN_FROM = 0.05;

/** How far the current play is. */
export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  /** Seconds; undefined while it is too early to say. */
  readonly left: number | undefined;
}

/** Undefined unless the run is running. A controller that failed has no tasks left. */
export function runProgress(page: Page): Progress | undefined {
  const { plays, columns, controllers, run, facts, state } = page;
  const play = plays.at(-1);
  if (run.status !== 'running' || facts.cutOff === true || play === undefined || play.tasks === 0) return undefined;
  const places = columns.flatMap(({ play: of, type }, at) => (of === plays.length - 1 && type === 'task' ? [at] : []));
  let sum = 0;
  for (const row of controllers.keys()) {
    const done = places.reduce((ran, at) => ran + (state[at * controllers.length + row] === 0 ? 0 : 1), 0);
    const isLost = ['failed', 'unreachable'].includes(outcomeByCode(page.outcome[row]));
    sum += isLost ? play.tasks : Math.min(done, play.tasks);
  }
  const done = sum / (play.tasks * controllers.length);
  const passed = run.seconds - play.started / 1000;
  return { done, left: done < SHOWN_FROM ? undefined : (passed * (1 - done)) / done };
}
