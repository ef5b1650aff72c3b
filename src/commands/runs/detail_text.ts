import type { RunFinished } from '../../model/event.js';
import { createPalette, type Palette } from '../../report/palette.js';
import { oneLine } from '../../report/plain.js';
import { recapLines } from '../../report/recap.js';
import { count, duration } from '../../report/words.js';
import { paintOf } from './list_text.js';
import type { RunDetail } from './detail.js';
import { timeText, whatText } from './listed_run.js';

const MOST_LINES = 20;

/** One run: how it went, what it wrote, what it warned of, the recap, and how to go on. */
export function detailText(run: RunDetail, colour: boolean): string {
  const palette = createPalette(colour);
  const blocks = [
    factLines(run, palette),
    titled('writes', run.writes.map(writeLine), 'write', palette),
    titled('warnings', run.warnings.map(oneLine), 'warning', palette),
    recap(run, palette),
    goOnLines(run, palette),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}

function factLines(run: RunDetail, palette: Palette): readonly string[] {
  const { status, exitCode, seconds } = run;
  const how = [
    paintOf(status, palette)(status),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...(seconds === undefined ? [] : [duration(seconds)]),
  ].join(', ');
  const facts: readonly (readonly [string, string])[] = [
    ['what', oneLine(whatText(run))],
    ...(run.argv.length === 0 ? [] : [['typed', oneLine(`evenkeel ${run.argv.join(' ')}`)] as const]),
    ['started', `${timeText(run.time)} UTC`],
    ['status', how],
    ...(run.reason === undefined ? [] : [['ended early', oneLine(run.reason)] as const]),
    ...(run.environment === null ? [] : [['environment', oneLine(run.environment)] as const]),
    ...(run.undoes === undefined ? [] : [['undoes', run.undoes] as const]),
    ['in', oneLine(run.cwd)],
    ['journal', oneLine(run.journal)],
  ];
  return [palette.strong(`run ${run.run}`), ...facts.map(([name, value]) => `  ${name.padEnd(11)}  ${value}`)];
}

function titled(title: string, lines: readonly string[], noun: string, palette: Palette): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_LINES;
  return [
    palette.strong(title),
    ...lines.slice(0, MOST_LINES).map((line) => `  ${line}`),
    ...(more > 0 ? [palette.faint(`  … and ${count(more, noun)} more; --json has all`)] : []),
  ];
}

function writeLine({ target, method, object, module, outcome }: RunDetail['writes'][number]): string {
  return oneLine(`${target}  ${method} ${object ?? `${module} (hidden)`}: ${outcome}`);
}

function recap(run: RunDetail, palette: Palette): readonly string[] {
  const { stats, unstarted, cutOff, status } = run;
  if (Object.keys(stats).length + unstarted.length === 0) return [];
  const finished: RunFinished = {
    type: 'run-finished',
    time: run.time,
    run: run.run,
    status: status === 'interrupted' ? 'interrupted' : 'ok',
    exitCode: run.exitCode ?? 0,
    seconds: run.seconds ?? 0,
    stats,
    unstarted,
    cutOff,
  };
  const lines = recapLines(finished, [], palette);
  // How long one that did not end has taken, nobody can say.
  return run.seconds === undefined ? lines.slice(0, -1) : lines;
}

function goOnLines({ run, status, check, writes }: RunDetail, palette: Palette): readonly string[] {
  const applied = writes.filter(({ outcome }) => outcome === 'applied').length;
  const undo = applied === 0 ? [] : [`undo ${count(applied, 'write')}: ${palette.strong(`evenkeel rollback ${run}`)}`];
  switch (status) {
    case 'running':
      return [];
    case 'cut off':
    case 'interrupted':
      return check ? [] : [`go on with: ${palette.strong(`evenkeel resume ${run}`)}`, ...undo];
    case 'failed':
    case 'unreachable':
      return [`try again with: ${palette.strong(`evenkeel run --rerun ${run}`)}`, ...undo];
    case 'finished':
      return undo;
    default:
      return status satisfies never;
  }
}
