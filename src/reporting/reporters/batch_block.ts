import { placeText } from '../../core/model/source/diagnostic.js';
import { groupBy } from '../../core/model/values/groups.js';
import { noOutcomes, type ProgressOutcome } from '../run/controller_progress.js';
import type { PlayProgress } from '../run/progress.js';
import type { ResultGroup } from '../run/result_groups.js';
import { inRoutes } from '../run/routes.js';
import { STATUS_WIDTH } from '../run/task_line.js';
import { STATUS_COLOURS, type Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { titleText } from '../text/shorten.js';
import { displayWidth, pad, resultText, truncate } from '../text/width.js';
import { count, duration, grouped, nameSome } from '../text/words.js';
import type { Screen } from './live_view.js';

/** Lines for changes. Failures are never cut. */
const MOST_CHANGES = 20;
const MOST_NAMES = 5;
/** Narrower terminals wrap. */
const LEAST_ROOM = 20;

/** If there are more different changes in a batch, each task has one line. */
const MOST_DIFFERENT = 12;

interface SummaryEntry extends ResultGroup {
  /** The number of other changes of the task that are part of this entry. */
  readonly others: number;
}

/** The permanent lines of a finished batch: a title, then failures, interrupted controllers and changes. For a plan, only changes, if there are any. */
export function batchBlock(
  progress: PlayProgress,
  { now, columns, palette, plan = false }: Omit<Screen, 'rows'> & { readonly plan?: boolean | undefined },
): readonly string[] {
  const entries = summaryEntries(progress, plan);
  if (plan && entries.length === 0) return [];
  const changes = entries.filter(({ status }) => status === 'changed').length;
  const hidden = Math.max(0, changes - MOST_CHANGES);
  const shown = entries.slice(0, entries.length - hidden);
  return [
    title(progress, now, columns, palette),
    ...shown.flatMap((entry) => entryLines(entry, describeControllers(entry, progress), columns, palette)),
    ...(hidden === 0 ? [] : [palette.faint(`    and changes of ${count(hidden, 'other task')}`)]),
  ];
}

/** Failures first, each with its cause; then changes, in one line per task if they are many. */
function summaryEntries({ results: { all } }: PlayProgress, plan: boolean): readonly SummaryEntry[] {
  const entries = all.map((group) => ({ ...group, others: 0 }));
  const changes = entries.filter(({ status }) => status === 'changed');
  const others = plan ? [] : entries.filter(({ status }) => status !== 'changed');
  return [...others, ...(changes.length <= MOST_DIFFERENT ? changes : perTask(changes))];
}

/** One entry per task: its most frequent change, on the controllers of all its changes. */
function perTask(changes: readonly SummaryEntry[]): readonly SummaryEntry[] {
  return [...groupBy(changes, ({ source }) => placeText(source)).values()].flatMap((own) => {
    const [first, ...rest] = own.toSorted((a, b) => b.controllers.size - a.controllers.size);
    if (first === undefined) return [];
    return [{ ...first, controllers: new Set(own.flatMap((one) => [...one.controllers])), others: rest.length }];
  });
}

function title(progress: PlayProgress, now: number, columns: number, palette: Palette): string {
  const { play, batch, startedAt, mask } = progress;
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
  const name = truncate(titleText(play, mask), Math.max(LEAST_ROOM, columns - displayWidth(tail) - 3));
  return `${mark} ${palette.strong(name)}${tail}`;
}

/** The names of the controllers, and of the routes where something went wrong. The end of the run names those that failed, all of them. */
function describeControllers({ status, controllers }: SummaryEntry, { routes }: PlayProgress): string {
  const hasFailed = status === 'failed' || status === 'unreachable';
  const names = hasFailed ? '' : nameSome([...controllers].map(oneLine), MOST_NAMES);
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
  const indent = STATUS_WIDTH + 6;
  const room = Math.max(LEAST_ROOM, columns - indent);
  const head = `    ${palette[STATUS_COLOURS[status]](pad(status, STATUS_WIDTH))}  `;
  const more = others === 0 ? '' : `, and ${count(others, 'other change')}`;
  const times = controllers.size === 1 ? '' : `${grouped(controllers.size)}× `;
  const what = text === '' ? `${task}${more}` : resultText(task, `${text}${more}`, room - displayWidth(times));
  const counted = truncate(times + what, room);
  if (names === '') return [head + counted];
  if (displayWidth(`${counted} (${names})`) <= room) return [`${head}${counted} ${palette.faint(`(${names})`)}`];
  return [head + counted, ' '.repeat(indent) + palette.faint(truncate(names, room))];
}

/** `10 controllers, 4 changed, 1 failed` for a finished batch; each controller counts once. */
function outcomeText(total: number, outcomes: Readonly<Record<ProgressOutcome, number>>): string {
  const listed = (['changed', 'failed', 'unreachable', 'cut off', 'not started'] as const).flatMap((name) =>
    outcomes[name] > 0 ? [`${grouped(outcomes[name])} ${name}`] : [],
  );
  return [count(total, 'controller'), ...(listed.length > 0 ? listed : ['nothing changed'])].join(', ');
}
