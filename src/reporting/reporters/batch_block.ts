import { outcomeText, type BatchSummary, type SummaryEntry } from '../run/batch_summary.js';
import { noOutcomes } from '../run/controller_progress.js';
import type { PlayProgress } from '../run/progress.js';
import { inRoutes } from '../run/routes.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { displayWidth, pad, truncate } from '../text/width.js';
import { count, duration, grouped, nameSome } from '../text/words.js';

/** Lines for changes. Failures are never cut. */
const MOST_CHANGES = 20;
const MOST_NAMES = 5;
/** Narrower terminals wrap. */
const LEAST_ROOM = 20;
const STATUS_WIDTH = 'unreachable'.length;

/** The permanent lines of a finished batch: a title, then failures, interrupted controllers and changes. */
export function batchBlock(
  progress: PlayProgress,
  summary: BatchSummary,
  now: number,
  columns: number,
  palette: Palette,
): readonly string[] {
  const { entries } = summary;
  const changes = entries.filter(({ status }) => status === 'changed').length;
  const hidden = Math.max(0, changes - MOST_CHANGES);
  const shown = entries.slice(0, entries.length - hidden);
  return [
    title(progress, now, columns, palette),
    ...shown.flatMap((entry) => entryLines(entry, describeControllers(entry, progress), columns, palette)),
    ...(hidden === 0 ? [] : [palette.faint(`    and changes of ${count(hidden, 'other task')}`)]),
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

/** The names of the controllers, and of the routes where something went wrong. The end of the run names those that failed, all of them. */
function describeControllers({ status, controllers }: SummaryEntry, { routes }: PlayProgress): string {
  const isLost = status === 'failed' || status === 'unreachable';
  const names = isLost ? '' : nameSome([...controllers].map(oneLine), MOST_NAMES);
  // The count says more than five names of many.
  if (status === 'changed') return controllers.size > MOST_NAMES ? '' : names;
  return (names + inRoutes(new Set([...controllers].flatMap((name) => routes.get(name) ?? [])))).trim();
}

/** One line, or two if the names do not fit. */
function entryLines(
  { status, task, text, controllers, others }: SummaryEntry,
  names: string,
  columns: number,
  palette: Palette,
): readonly string[] {
  const paint = painter(status, palette);
  const indent = STATUS_WIDTH + 6;
  const room = Math.max(LEAST_ROOM, columns - indent);
  const head = `    ${paint(pad(status, STATUS_WIDTH))}  `;
  const more = others === 0 ? '' : `, and ${count(others, 'other change')}`;
  const what = `${task}${text === '' ? '' : `: ${text}`}${more}`;
  const counted = controllers.size === 1 ? what : `${grouped(controllers.size)}× ${what}`;
  if (names === '') return [head + truncate(counted, room)];
  if (displayWidth(`${counted} (${names})`) <= room) return [`${head}${counted} ${palette.faint(`(${names})`)}`];
  return [head + truncate(counted, room), ' '.repeat(indent) + palette.faint(truncate(names, room))];
}
