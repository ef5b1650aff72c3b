import { EXIT } from '../core/model/exit_code.js';
import type { RunFinished } from '../core/model/run/event.js';
import { authorText, timeText, whatText } from '../launch/history/listed_run.js';
import { nextCommand, type RunDetail } from '../launch/history/run_detail.js';
import type { ShownWrite } from '../record/journal/read/shown_writes.js';
import { recapLines } from '../reporting/run/recap.js';
import { createPalette, STATUS_COLOURS, type Palette } from '../reporting/text/palette.js';
import { oneLine } from '../reporting/text/plain.js';
import { commandLine, count, duration } from '../reporting/text/words.js';

const MOST_LINES = 20;

/**
 * One run: its outcome, writes, warnings and recap, and how to continue.
 *
 * @param columns of the terminal; absent: stdout is not a terminal
 * @param config from `configOption`
 */
export function detailText(run: RunDetail, colour: boolean, columns?: number, config: readonly string[] = []): string {
  const palette = createPalette(colour);
  const blocks = [
    factLines(run, palette),
    titled('writes', run.writes.map(writeLine), 'write', palette),
    titled('warnings', run.warnings.map(oneLine), 'warning', palette),
    recap(run, palette, columns),
    goOnLines(run, config, palette),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}

function factLines(run: RunDetail, palette: Palette): readonly string[] {
  const { status, exitCode, seconds } = run;
  const how = [
    palette[STATUS_COLOURS[status]](status),
    ...(exitCode === undefined || exitCode === EXIT.ok ? [] : [`exit code ${exitCode}`]),
    ...(seconds === undefined ? [] : [duration(seconds)]),
  ].join(', ');
  const facts: readonly (readonly [string, string])[] = [
    ['what', oneLine(whatText(run))],
    ...(run.argv.length === 0 ? [] : [['typed', oneLine(commandLine(['evenkeel', ...run.argv]))] as const]),
    ['started', `${timeText(run.time)} UTC${run.author ? ` ${authorText(run.author)}` : ''}`],
    ...(run.resumes ?? []).map((one) => ['resumed', `${timeText(one.time)} UTC ${authorText(one)}`] as const),
    ['status', how],
    ...(run.reason === undefined ? [] : [['ended early', oneLine(run.reason)] as const]),
    ...(run.environment === null ? [] : [['environment', oneLine(run.environment)] as const]),
    ...(run.undoes === undefined ? [] : [['undoes', run.undoes] as const]),
    ...(run.undoneBy === undefined ? [] : [['undone by', run.undoneBy] as const]),
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
    ...(more > 0 ? [palette.faint(`  … and ${count(more, `more ${noun}`)}; --json has all`)] : []),
  ];
}

export function writeLine({
  target,
  method,
  object,
  module,
  outcome,
}: Omit<ShownWrite, 'controller' | 'task'>): string {
  const what = rawRequest({ method, object }) ?? `${method} ${object ?? `${module} (masked)`}`;
  return oneLine(`${target}  ${what}: ${outcome}`);
}

/** The object of a raw request is its method and path. */
function rawRequest({ method, object }: Pick<ShownWrite, 'method' | 'object'>): string | undefined {
  return object?.startsWith(`${method} /`) === true ? object : undefined;
}

/** A rollback restores neither what was created nor what raw requests did. */
function isRestorable(write: ShownWrite): boolean {
  return (
    write.outcome === 'applied' && write.undone !== true && write.method !== 'POST' && rawRequest(write) === undefined
  );
}

function recap(run: RunDetail, palette: Palette, columns: number | undefined): readonly string[] {
  const { stats, unstarted, cutOff, changed = [], status } = run;
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
    changed,
  };
  const lines = recapLines(finished, [], palette, { columns, routes: new Map(Object.entries(run.routes ?? {})) });
  // The duration of a run that did not end is unknown.
  return run.seconds === undefined ? lines.slice(0, -1) : lines;
}

function goOnLines(run: RunDetail, config: readonly string[], palette: Palette): readonly string[] {
  if (run.status === 'running') return [];
  const command = nextCommand(run, config);
  const undo = commandLine(['evenkeel', 'rollback', run.run, ...config]);
  const applied = run.undoneBy === undefined ? run.writes.filter(isRestorable).length : 0;
  return [
    ...(command === undefined ? [] : [`continue with: ${palette.strong(command)}`]),
    ...(applied === 0 ? [] : [`undo ${count(applied, 'write')}: ${palette.strong(undo)}`]),
  ];
}
