import { timeText, whatText, type ListedRun } from '../launch/history/listed_run.js';
import type { Pruned } from '../record/journal/prune.js';
import { createPalette, STATUS_COLOURS } from '../reporting/text/palette.js';
import { oneLine } from '../reporting/text/plain.js';
import { columnWidth, displayWidth, pad, wordLines } from '../reporting/text/width.js';
import { count, duration, grouped } from '../reporting/text/words.js';

const HEADINGS = ['RUN', 'STARTED (UTC)', 'STATUS', 'CONTROLLERS', 'TOOK', 'BY', 'ENVIRONMENT', 'WHAT'];
const WIDEST = 60;
const GAP = '  ';

/**
 * A table, newest run first. Unknown values are shown as `-`.
 *
 * @param columns of the terminal; absent: stdout is not a terminal, and each run is one line
 */
export function runListText(runs: readonly ListedRun[], colour: boolean, columns = Infinity): string {
  const palette = createPalette(colour);
  const rows = runs.map((run) => [
    run.run,
    timeText(run.time),
    run.status,
    run.controllers === undefined ? '-' : grouped(run.controllers),
    run.seconds === undefined ? '-' : duration(run.seconds),
    oneLine(run.author?.user ?? '-'),
    oneLine(run.environment ?? '-'),
    oneLine(whatText(run)),
  ]);
  const widths = HEADINGS.map((heading, at) => columnWidth([heading, ...rows.map((cells) => cells[at] ?? '')], WIDEST));
  const layout = { widths, parts: splitColumns(widths, columns), columns };
  const lines = [
    ...layOutCells(HEADINGS, layout).map(palette.faint),
    ...rows.flatMap((cells, index) =>
      layOutCells(cells, layout, palette[STATUS_COLOURS[runs[index]?.status ?? 'finished']]),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

interface Layout {
  readonly widths: readonly number[];
  /** The places of the cells in each line. */
  readonly parts: readonly (readonly number[])[];
  readonly columns: number;
}

/** A row that is wider than the terminal continues on further lines, which are indented. */
function splitColumns(widths: readonly number[], columns: number): Layout['parts'] {
  const parts: number[][] = [[]];
  let used = 0;
  for (const [at, width] of widths.entries()) {
    if (used > 0 && used + width > columns) {
      parts.push([]);
      used = GAP.length;
    }
    parts.at(-1)?.push(at);
    used += width + GAP.length;
  }
  return parts;
}

/** The status is the third cell. The last cell is broken between words. */
function layOutCells(
  cells: readonly string[],
  layout: Layout,
  paint = (text: string): string => text,
): readonly string[] {
  const { widths, parts, columns } = layout;
  const last = cells.length - 1;
  const lines = parts.map((places, line) => {
    const padded = places.filter((at) => at < last).map((at) => [at, pad(cells[at] ?? '', widths[at] ?? 0)] as const);
    const texts = padded.map(([at, cell]) => (at === 2 ? paint(cell) : cell) + GAP);
    return (line === 0 ? '' : GAP) + texts.join('');
  });
  const before = displayWidth(lines.at(-1) ?? '');
  const [first = '', ...others] = wordLines(cells[last] ?? '', columns - before);
  const further = others.map((line) => ' '.repeat(before) + line);
  return [...lines.slice(0, -1).map((line) => line.trimEnd()), `${lines.at(-1) ?? ''}${first}`, ...further];
}

/** Says what was removed, or with `check` would be. */
export function pruneText({ removed, inUse }: Pruned, check: boolean): string {
  const verb = check ? 'would remove' : 'removed';
  const lines = [
    ...removed.map((id) => `${verb} ${id}`),
    ...inUse.map((id) => `kept ${id}: a process may still use it`),
    removed.length === 0 ? 'nothing to remove' : `${verb} ${count(removed.length, 'run')}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
