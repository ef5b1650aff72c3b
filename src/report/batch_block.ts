import { type BatchSummary, outcomeText, type SummaryEntry } from './batch_summary.js';
import type { Palette } from './palette.js';
import { oneLine } from './plain.js';
import type { Outcome, PlayProgress } from './progress.js';
import { displayWidth, pad, truncate } from './width.js';
import { count, duration, grouped, someOf } from './words.js';

const MOST_ENTRIES = 12;
const MOST_NAMES = 5;
/** Columns of the text that stay before the names of a few controllers. */
const LEAST_TEXT = 24;
const STATUS_WIDTH = 'unreachable'.length;

/** What stays on the screen of a finished batch: a title, and below it what changed and what failed. */
export function batchBlock(
  progress: PlayProgress,
  summary: BatchSummary,
  now: number,
  columns: number,
  palette: Palette,
): readonly string[] {
  const { entries } = summary;
  const shown = entries.slice(0, MOST_ENTRIES);
  const hidden = entries.length - shown.length;
  return [
    title(progress, now, palette),
    ...shown.map((entry) => entryLine(entry, columns, palette)),
    ...(hidden === 0 ? [] : [palette.faint(`    and ${grouped(hidden)} other changes or failures`)]),
  ];
}

function title(progress: PlayProgress, now: number, palette: Palette): string {
  const { play, batch, startedAt } = progress;
  const names = batch?.controllers ?? [];
  const counts: Record<Outcome, number> = { ok: 0, changed: 0, failed: 0, unreachable: 0 };
  for (const name of names) counts[progress.controller(name).outcome]++;
  const mark = counts.failed + counts.unreachable > 0 ? palette.bad('✖') : palette.good('✔');
  const parts = [
    ...(batch === undefined || batch.batches <= 1 ? [] : [`batch ${batch.batch} of ${batch.batches}`]),
    outcomeText(names.length, counts),
    duration((now - startedAt) / 1000),
  ];
  return `${mark} ${palette.strong(oneLine(play))} · ${parts.join(' · ')}`;
}

function entryLine({ status, text, controllers }: SummaryEntry, columns: number, palette: Palette): string {
  const paint = status === 'changed' ? palette.changed : palette.bad;
  const room = columns - STATUS_WIDTH - 7;
  const all = ` (${someOf(controllers, MOST_NAMES)})`;
  const wanted = controllers.length <= MOST_NAMES ? Math.min(LEAST_TEXT, displayWidth(text)) : displayWidth(text);
  const names = wanted + displayWidth(all) <= room ? all : ` (${count(controllers.length, 'controller')})`;
  const shown = truncate(text, Math.max(LEAST_TEXT, room - displayWidth(names))) + palette.faint(names);
  return `    ${paint(pad(status, STATUS_WIDTH))}  ${shown}`;
}
