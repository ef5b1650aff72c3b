import { secondsOf, type Page } from '../../report/page/format/page.js';
import type { View } from './view.js';
import { outcomeOf } from './words.js';

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
  /** Controllers at work, on average. */
  readonly atWork: Float64Array;
  /** Tasks that ended, per second. */
  readonly throughput: Float64Array;
}

export function loadOf({ page, rows, columns }: View): Load {
  const total = page.controllers.length;
  const step = Math.max(0.001, page.run.seconds) / STEPS;
  const [atWork, throughput] = [new Float64Array(STEPS), new Float64Array(STEPS)];
  for (const column of columns) {
    for (const row of rows) {
      const at = column * total + row;
      if (page.state[at] === 0) continue;
      const to = (page.ended[at] ?? 0) / 1000 / step;
      const from = Math.max(0, to - secondsOf(page.took[at] ?? 0) / step);
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
  const total = page.controllers.length;
  return columns.flatMap((column) => {
    const ran = rows.filter((row) => page.state[column * total + row] !== 0);
    if (ran.length === 0) return [];
    const codes = Uint16Array.from(ran, (row) => page.took[column * total + row] ?? 0).sort();
    const at = (share: number): number =>
      secondsOf(codes[Math.min(codes.length - 1, Math.floor(share * codes.length))] ?? 0);
    const slowest = ran.reduce((a, b) => (tookAt(page, column, b) > tookAt(page, column, a) ? b : a));
    const times = codes.length;
    return [{ column, times, median: at(0.5), p90: at(0.9), p99: at(0.99), longest: at(1), slowest }];
  });
}

function tookAt(page: Page, column: number, row: number): number {
  return page.took[column * page.controllers.length + row] ?? 0;
}

/** The controllers that were at work the longest, with the seconds. */
export function slowestControllers({
  page,
  rows,
  columns,
}: View): readonly (readonly [row: number, seconds: number])[] {
  const sums = Array.from(rows, (row) => {
    const seconds = columns.reduce((sum, column) => sum + secondsOf(tookAt(page, column, row)), 0);
    return [row, seconds] as const;
  });
  return sums.sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
}

const SHOWN_FROM = 0.05;

/** How far the current play is. */
export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  /** Seconds; undefined while it is too early to say. */
  readonly left: number | undefined;
}

/** Undefined unless a run is at work. A controller that failed has no tasks left. */
export function progressOf(page: Page): Progress | undefined {
  const { plays, columns, controllers, run, facts, state } = page;
  const play = plays.at(-1);
  if (run.status !== 'running' || facts.cutOff === true || play === undefined || play.tasks === 0) return undefined;
  const places = columns.flatMap(({ play: of, type }, at) => (of === plays.length - 1 && type === 'task' ? [at] : []));
  let sum = 0;
  for (const row of controllers.keys()) {
    const done = places.reduce((ran, at) => ran + (state[at * controllers.length + row] === 0 ? 0 : 1), 0);
    const isLost = ['failed', 'unreachable'].includes(outcomeOf(page.outcome[row]));
    sum += isLost ? play.tasks : Math.min(done, play.tasks);
  }
  const done = sum / (play.tasks * controllers.length);
  const passed = run.seconds - play.started / 1000;
  return { done, left: done < SHOWN_FROM ? undefined : (passed * (1 - done)) / done };
}
