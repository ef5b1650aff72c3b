import type { RunFinished } from '../model/event.js';
import type { Stats } from '../model/result.js';
import type { Palette } from './palette.js';
import { columnWidth, pad, truncate } from './width.js';
import { count, duration, grouped } from './words.js';

/** Up to so many controllers have a line each. */
const MOST_LINES = 20;
const WIDEST_NAME = 40;

type Verdict = 'ok' | 'changed' | 'failed' | 'unreachable' | 'not started';

interface Row {
  readonly controller: string;
  readonly verdict: Verdict;
  readonly stats: Stats | undefined;
}

/** The recap: a line a controller while they are few, else those that are not fine; then the totals. */
export function recapLines(event: RunFinished, remarks: readonly string[], palette: Palette): readonly string[] {
  const rows = rowsOf(event);
  const listed = rows.length <= MOST_LINES ? rows : notFine(rows);
  const shown = listed.slice(0, MOST_LINES);
  const width = columnWidth(
    shown.map(({ controller }) => controller),
    WIDEST_NAME,
  );
  return [
    palette.strong(['recap', ...remarks].join(' · ')),
    ...shown.map((row) => rowLine(row, width, palette)),
    ...(listed.length > shown.length
      ? [palette.faint(`… and ${grouped(listed.length - shown.length)} more that are not fine`)]
      : []),
    totalsLine(event, palette),
  ];
}

/** `1,000 controllers · 990 ok · 8 failed · 2 unreachable · 34 s`; each controller counts once. */
export function totalsLine(event: RunFinished, palette: Palette): string {
  const rows = rowsOf(event);
  const verdicts: readonly Verdict[] = ['ok', 'changed', 'failed', 'unreachable', 'not started'];
  return [
    count(rows.length, 'controller'),
    ...verdicts.flatMap((verdict) => {
      const own = rows.filter((row) => row.verdict === verdict);
      return own.length === 0 ? [] : [verdictText(verdict, own, palette)];
    }),
    ...(event.status === 'interrupted' ? [palette.warning('interrupted')] : []),
    duration(event.seconds),
  ].join(' · ');
}

/** `3 changed`, or `3 changed (1 rescued)` if a rescue had to help one of them. */
function verdictText(verdict: Verdict, rows: readonly Row[], palette: Palette): string {
  const rescued = rows.filter(({ stats }) => stats !== undefined && stats.rescued > 0).length;
  const text = painter(verdict, palette)(`${grouped(rows.length)} ${verdict}`);
  return rescued === 0 ? text : `${text} ${palette.warning(`(${grouped(rescued)} rescued)`)}`;
}

function rowsOf({ stats, unstarted }: RunFinished): readonly Row[] {
  const started = Object.entries(stats).map(([controller, one]) => ({
    controller,
    verdict: verdictOf(one),
    stats: one,
  }));
  const missing = unstarted.filter((controller) => !Object.hasOwn(stats, controller));
  return [
    ...started,
    ...missing.map((controller) => ({ controller, verdict: 'not started' as const, stats: undefined })),
  ];
}

/** Those that need a look, the worst first. */
function notFine(rows: readonly Row[]): readonly Row[] {
  const worst: readonly Verdict[] = ['failed', 'unreachable', 'not started'];
  return worst.flatMap((verdict) => rows.filter((row) => row.verdict === verdict));
}

function verdictOf({ failed, unreachable, changed }: Stats): Verdict {
  if (failed > 0) return 'failed';
  if (unreachable > 0) return 'unreachable';
  return changed > 0 ? 'changed' : 'ok';
}

function painter(verdict: Verdict, palette: Palette): (text: string) => string {
  switch (verdict) {
    case 'ok':
      return palette.good;
    case 'changed':
      return palette.changed;
    case 'failed':
    case 'unreachable':
      return palette.bad;
    case 'not started':
      return palette.warning;
  }
}

function rowLine({ controller, verdict, stats }: Row, width: number, palette: Palette): string {
  const name = painter(verdict, palette)(pad(truncate(controller, width), width));
  return `${name}  ${stats === undefined ? 'not started' : statsText(stats, palette)}`.trimEnd();
}

function statsText(stats: Stats, palette: Palette): string {
  const cell = (name: keyof Stats, paint: (text: string) => string): string => {
    const text = `${name}=${stats[name]}`.padEnd(name.length + 4);
    return stats[name] > 0 ? paint(text) : palette.faint(text);
  };
  return [
    cell('ok', palette.good),
    cell('changed', palette.changed),
    cell('unreachable', palette.bad),
    cell('failed', palette.bad),
    cell('skipped', palette.place),
    cell('rescued', palette.warning),
    cell('ignored', palette.warning),
  ].join(' ');
}
