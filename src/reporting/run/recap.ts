import { EXIT } from '../../core/model/exit_code.js';
import { changedControllers, type RunFinished } from '../../core/model/run/event.js';
import type { Stats } from '../../core/model/run/result.js';
import { STATUS_COLOURS, UNCOLOURED, type Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { columnWidth, distinctNames, pad, truncate } from '../text/width.js';
import { count, duration, grouped, sortNames, nameSome } from '../text/words.js';
import type { ProgressOutcome } from './controller_progress.js';
import { NO_ROUTE } from './routes.js';

/** Up to this many controllers get a line each. */
const MOST_LINES = 20;
const WIDEST_NAME = 40;
const MOST_NAMES = 5;

interface RecapRow {
  readonly controller: string;
  readonly verdict: ProgressOutcome;
  readonly stats: Stats | undefined;
  readonly route?: string | undefined;
}

/** What the recap needs besides the last event. */
export interface RecapOptions {
  /** The width of the terminal or the log. Absent: not limited. */
  readonly columns?: number | undefined;
  /** The route of each controller that has one. */
  readonly routes?: ReadonlyMap<string, string>;
  /** Controllers that are listed below the causes of their failures. A fleet does not list them again. */
  readonly named?: ReadonlySet<string>;
}

/**
 * The recap: one line per controller if they are few, else only those with problems that are not named above; then the totals. If the lines are too wide, counts that
 * are 0 for all controllers are left out. A fleet behind several routes has a line for each of them.
 */
export function recapLines(
  event: RunFinished,
  remarks: readonly string[],
  palette: Palette,
  { columns = Infinity, routes = new Map<string, string>(), named = new Set<string>() }: RecapOptions = {},
): readonly string[] {
  const rows = recapRows(event).map((row) => ({ ...row, route: routes.get(row.controller) }));
  const isFleet = rows.length > MOST_LINES;
  const listed = isFleet ? rowsWithProblems(rows).filter(({ controller }) => !named.has(controller)) : rows;
  const shown = listed.slice(0, MOST_LINES);
  const width = columnWidth(
    shown.map(({ controller }) => controller),
    WIDEST_NAME,
  );
  const names = distinctNames(
    shown.map(({ controller }) => controller),
    width,
  );
  const counts = countsFor(shown, columns - width);
  return [
    palette.strong(['recap', ...remarks].join(' · ')),
    ...shown.map((row, index) => rowLine(row, pad(names[index] ?? '', width), counts, palette)),
    ...(listed.length > shown.length
      ? [palette.faint(`… and ${grouped(listed.length - shown.length)} more with problems`)]
      : []),
    ...(isFleet ? [...stoppedLines(rows, palette), ...routeLines(rows, palette)] : []),
    totalsLine(event, palette),
  ];
}

/** `1,000 controllers · 990 ok · 8 failed · 2 unreachable · 34 s`; each controller counts once. */
export function totalsLine(event: RunFinished, palette: Palette): string {
  return [
    ...verdictTexts(recapRows(event), palette),
    ...(event.exitCode === EXIT.gated ? [palette.bad('gate failed')] : []),
    ...(event.status === 'interrupted' ? [palette.warning('interrupted')] : []),
    duration(event.seconds),
  ].join(' · ');
}

function verdictTexts(rows: readonly RecapRow[], palette: Palette): readonly string[] {
  const verdicts: readonly ProgressOutcome[] = ['ok', 'changed', 'failed', 'unreachable', 'cut off', 'not started'];
  return [
    count(rows.length, 'controller'),
    ...verdicts.flatMap((verdict) => {
      const own = rows.filter((row) => row.verdict === verdict);
      return own.length === 0 ? [] : [verdictText(verdict, own, palette)];
    }),
  ];
}

/** `madrid  200 controllers · 198 ok · 2 failed`: where there are problems first. Nothing if all are reached in one way. */
function routeLines(rows: readonly RecapRow[], palette: Palette): readonly string[] {
  const names = new Set(rows.map(({ route }) => route));
  if (names.size < 2) return [];
  const routes = sortNames([...names].filter((name) => name !== undefined)).map((name) => countRoute(rows, name));
  const all = [...routes, ...(names.has(undefined) ? [countRoute(rows, undefined)] : [])];
  const sorted = all.toSorted((a, b) => b.troubles - a.troubles);
  const shown = sorted.slice(0, MOST_LINES);
  const width = columnWidth(
    shown.map(({ name }) => name),
    WIDEST_NAME,
  );
  return [
    ...shown.map(
      (route) => `${pad(truncate(route.name, width), width)}  ${verdictTexts(route.rows, palette).join(' · ')}`,
    ),
    ...(sorted.length > shown.length
      ? [palette.faint(`… and ${count(sorted.length - shown.length, 'more route')}`)]
      : []),
  ];
}

function countRoute(
  rows: readonly RecapRow[],
  route: string | undefined,
): { readonly name: string; readonly rows: readonly RecapRow[]; readonly troubles: number } {
  const own = rows.filter((row) => row.route === route);
  return { name: route === undefined ? NO_ROUTE : oneLine(route), rows: own, troubles: rowsWithProblems(own).length };
}

/** `3 changed`, or `3 changed (1 rescued, 2 ignored)` if there were failures that do not count. */
function verdictText(verdict: ProgressOutcome, rows: readonly RecapRow[], palette: Palette): string {
  const text = palette[STATUS_COLOURS[verdict]](`${grouped(rows.length)} ${verdict}`);
  const notes = (['rescued', 'ignored'] as const).flatMap((name) => {
    const found = rows.filter(({ stats }) => stats !== undefined && stats[name] > 0).length;
    return found === 0 ? [] : [`${grouped(found)} ${name}`];
  });
  return notes.length === 0 ? text : `${text} ${palette.warning(`(${notes.join(', ')})`)}`;
}

/** How each controller ended; an interrupt that cut it off counts more than what its tasks had reached. */
export function recapRows(finished: RunFinished): readonly RecapRow[] {
  const { stats, unstarted, cutOff = [] } = finished;
  const [stopped, changed] = [new Set(cutOff), changedControllers(finished)];
  const started = Object.entries(stats).map(([controller, one]) => ({
    controller,
    verdict: stopped.has(controller) ? ('cut off' as const) : judgeStats(one, changed.has(controller)),
    stats: one,
  }));
  const missing = unstarted.filter((controller) => !Object.hasOwn(stats, controller));
  return [
    ...started,
    ...missing.map((controller) => ({ controller, verdict: 'not started' as const, stats: undefined })),
  ];
}

/** The controllers with problems, worst first. */
function rowsWithProblems(rows: readonly RecapRow[]): readonly RecapRow[] {
  return (['failed', 'unreachable'] as const).flatMap((verdict) => rows.filter((row) => row.verdict === verdict));
}

/** One line for all controllers that an interrupt or a failed batch stopped, because nothing distinguishes them. */
function stoppedLines(rows: readonly RecapRow[], palette: Palette): readonly string[] {
  return (['cut off', 'not started'] as const).flatMap((verdict) => {
    const names = rows.flatMap((row) => (row.verdict === verdict ? [row.controller] : []));
    if (names.length === 0) return [];
    return [`${palette.warning(pad(verdict, 'not started'.length))}  ${nameSome(sortNames(names), MOST_NAMES)}`];
  });
}

function judgeStats({ failed, unreachable }: Stats, isChanged: boolean): ProgressOutcome {
  if (failed > 0) return 'failed';
  if (unreachable > 0) return 'unreachable';
  return isChanged ? 'changed' : 'ok';
}

type Counts = readonly (keyof Stats)[];

const COUNTS: Counts = ['ok', 'changed', 'unreachable', 'failed', 'skipped', 'rescued', 'ignored'];

function countsFor(rows: readonly RecapRow[], columns: number): Counts {
  const lines = rows.map((row) => rowLine(row, '', COUNTS, UNCOLOURED));
  if (columnWidth(lines, columns + 1) <= columns) return COUNTS;
  return COUNTS.filter((name) => name === 'ok' || rows.some(({ stats }) => stats !== undefined && stats[name] > 0));
}

function rowLine({ verdict, stats, route }: RecapRow, padded: string, counts: Counts, palette: Palette): string {
  const name = palette[STATUS_COLOURS[verdict]](padded);
  const isDone = verdict === 'ok' || verdict === 'changed';
  const place = route === undefined || isDone ? '' : palette.faint(`  via ${oneLine(route)}`);
  if (stats === undefined) return `${name}  ${palette.warning('not started')}${place}`;
  const word = verdict === 'cut off' ? `  ${palette.warning(verdict)}` : '';
  return `${name}  ${statsText(stats, counts, palette)}${word}${place}`;
}

function statsText(stats: Stats, counts: Counts, palette: Palette): string {
  const cells = counts.map((name, index) => {
    const text = `${name}=${stats[name]}`;
    // Coloured spaces cannot be trimmed, and would overflow the terminal's edge.
    const cell = index === counts.length - 1 ? text : text.padEnd(name.length + 4);
    return stats[name] > 0 ? palette[STATUS_COLOURS[name]](cell) : palette.faint(cell);
  });
  return cells.join(' ');
}
