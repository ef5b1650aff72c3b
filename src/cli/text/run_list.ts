import { type ListedRun, type RunStatus, timeText, whatText } from '../../app/history/listed_run.js';
import type { Pruned } from '../../journal/prune.js';
import { createPalette, type Palette } from '../../report/text/palette.js';
import { oneLine } from '../../report/text/plain.js';
import { columnWidth, pad } from '../../report/text/width.js';
import { count, duration, grouped } from '../../report/text/words.js';

const HEADINGS = ['RUN', 'STARTED (UTC)', 'STATUS', 'CONTROLLERS', 'TOOK', 'BY', 'ENVIRONMENT', 'WHAT'];
const WIDEST = 60;

/** A table, newest run first. Unknown values are shown as `-`. */
export function listText(runs: readonly ListedRun[], colour: boolean): string {
  const palette = createPalette(colour);
  const rows = runs.map(cellsOf);
  const widths = HEADINGS.map((heading, at) => columnWidth([heading, ...rows.map((cells) => cells[at] ?? '')], WIDEST));
  const lines = [
    palette.faint(lineOf(HEADINGS, widths)),
    ...rows.map((cells, index) => painted(cells, widths, paintOf(runs[index]?.status ?? 'finished', palette))),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function cellsOf(run: ListedRun): readonly string[] {
  return [
    run.run,
    timeText(run.time),
    run.status,
    run.controllers === undefined ? '-' : grouped(run.controllers),
    run.seconds === undefined ? '-' : duration(run.seconds),
    oneLine(run.author?.user ?? '-'),
    oneLine(run.environment ?? '-'),
    oneLine(whatText(run)),
  ];
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, at) => (at === cells.length - 1 ? cell : pad(cell, widths[at] ?? 0))).join('  ');
}

/** The status is the third column. */
function painted(cells: readonly string[], widths: readonly number[], paint: (text: string) => string): string {
  const padded = cells.map((cell, at) => (at === cells.length - 1 ? cell : pad(cell, widths[at] ?? 0)));
  return padded.map((cell, at) => (at === 2 ? paint(cell) : cell)).join('  ');
}

export function paintOf(status: RunStatus, { good, bad, warning, place }: Palette): (text: string) => string {
  switch (status) {
    case 'finished':
      return good;
    case 'failed':
    case 'unreachable':
    case 'stale':
      return bad;
    case 'interrupted':
    case 'cut off':
      return warning;
    case 'running':
      return place;
    default:
      return status satisfies never;
  }
}

/** Says what was removed, or with `check` would be. */
export function pruneText({ removed, inUse }: Pruned, check: boolean): string {
  const verb = check ? 'would remove' : 'removed';
  const lines = [
    ...removed.map((id) => `${verb} ${id}`),
    ...inUse.map((id) => `kept ${id}: a process uses it`),
    removed.length === 0 ? 'nothing to remove' : `${verb} ${count(removed.length, 'run')}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
