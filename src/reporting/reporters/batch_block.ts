import { outcomeText, type BatchSummary, type SummaryEntry } from '../run/batch_summary.js';
import { noOutcomes } from '../run/controller_progress.js';
import type { PlayProgress } from '../run/progress.js';
import { inRoutes } from '../run/routes.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { displayWidth, pad, truncate } from '../text/width.js';
import { duration, grouped, nameSome } from '../text/words.js';

const MOST_ENTRIES = 12;
const MOST_NAMES = 5;
/** Narrower terminals wrap. */
const LEAST_ROOM = 20;
const STATUS_WIDTH = 'unreachable'.length;

/** The permanent lines of a finished batch: a title, then changes, failures and interrupted controllers. */
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
    title(progress, now, columns, palette),
    ...shown.flatMap((entry) => entryLines(entry, describeControllers(entry, progress), columns, palette)),
    ...(hidden === 0 ? [] : [palette.faint(`    and ${grouped(hidden)} other changes or failures`)]),
  ];
}

function title(progress: PlayProgress, now: number, columns: number, palette: Palette): string {
  const { play, batch, startedAt } = progress;
  const names = batch?.controllers ?? [];
  const counts = noOutcomes();
  for (const name of names) counts[progress.controller(name).outcome]++;
  const stopped = counts['cut off'] + counts['not started'] > 0 ? palette.warning('■') : palette.good('✔');
  const mark = counts.failed + counts.unreachable > 0 ? palette.bad('✖') : stopped;
  const parts = [
    ...(batch === undefined || batch.batches <= 1 ? [] : [`batch ${batch.batch} of ${batch.batches}`]),
    outcomeText(names.length, counts),
    duration((now - startedAt) / 1000),
  ];
  const tail = ` · ${parts.join(' · ')}`;
  const name = truncate(oneLine(play), Math.max(LEAST_ROOM, columns - displayWidth(tail) - 3));
  return `${mark} ${palette.strong(name)}${tail}`;
}

function painter(status: SummaryEntry['status'], palette: Palette): (text: string) => string {
  switch (status) {
    case 'changed':
      return palette.changed;
    case 'rescued':
    case 'interrupted':
      return palette.warning;
    case 'failed':
    case 'unreachable':
      return palette.bad;
  }
}

/** The names of the controllers, and of the routes where something went wrong. */
function describeControllers({ status, controllers }: SummaryEntry, { routes }: PlayProgress): string {
  const names = nameSome(controllers.map(oneLine), MOST_NAMES);
  if (status === 'changed') return names;
  return names + inRoutes(new Set(controllers.flatMap((name) => routes.get(name) ?? [])));
}

/** One line, or two if the names do not fit. */
function entryLines(
  { status, text, controllers }: SummaryEntry,
  names: string,
  columns: number,
  palette: Palette,
): readonly string[] {
  const paint = painter(status, palette);
  const indent = STATUS_WIDTH + 6;
  const room = Math.max(LEAST_ROOM, columns - indent);
  const head = `    ${paint(pad(status, STATUS_WIDTH))}  `;
  const counted = controllers.length === 1 ? text : `${grouped(controllers.length)}× ${text}`;
  if (displayWidth(`${counted} (${names})`) <= room) return [`${head}${counted} ${palette.faint(`(${names})`)}`];
  return [head + truncate(counted, room), ' '.repeat(indent) + palette.faint(truncate(names, room))];
}
