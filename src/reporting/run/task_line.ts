import type { TaskFinished } from '../../core/model/run/event.js';
import { isMapping } from '../../core/model/values/value.js';
import { changeWords, resumptionWords } from '../diff/change_groups.js';
import { diffLines, paintDiff } from '../diff/diff_text.js';
import { actingController, causeLine } from '../text/messages.js';
import { STATUS_COLOURS, type Palette } from '../text/palette.js';
import { oneLine, plain } from '../text/plain.js';
import { pad, truncate } from '../text/width.js';
import { count, duration, joinResult } from '../text/words.js';
import { yamlLines } from '../text/yaml_text.js';

export const STATUS_WIDTH = 'unreachable'.length;
const LONGEST_DETAIL = 500;
const MOST_VALUE_LINES = 200;

export interface TaskLineWriter {
  readonly palette: Palette;
  readonly verbosity: number;
  /** Columns for the names of controllers. */
  readonly nameWidth: number;
}

/** `changed      lb1  Create the cloud: created cloud "edge-1"`; a message of several lines goes below. */
export function taskLines(event: TaskFinished, writer: TaskLineWriter): readonly string[] {
  const { palette, verbosity } = writer;
  const shown = event.spoken === true && event.message !== undefined ? plain(event.message).trimEnd().split('\n') : [];
  const below = shown.length > 1 ? shown : [];
  const detail = shown.length > 1 ? '' : truncate(oneLine(taskDetail(event)), LONGEST_DETAIL);
  const timing = verbosity >= 2 ? palette.faint(`  ${duration(event.seconds)}`) : '';
  const head = `${taskHead(event, writer)}${detail === '' ? '' : `: ${detail}`}${below.length > 0 ? ':' : ''}`;
  return [head + remark(event, palette) + timing, ...indented(below), ...valueLines(event, writer)];
}

/** The diff of one task on one controller, below its line. */
export function taskDiffLines(event: TaskFinished, palette: Palette): readonly string[] {
  // The line of the task has all of a request.
  if (event.change === undefined || event.change.kind === 'invoke') return [];
  return indented(diffLines(event.change).map((line) => paintDiff(line, palette)));
}

function taskHead(event: TaskFinished, { palette, nameWidth }: TaskLineWriter): string {
  const status = statusPaint(event, palette)(pad(event.status, STATUS_WIDTH));
  const item = event.item === undefined ? '' : ` (${oneLine(event.item)})`;
  const kind = event.handler ? palette.faint(' (handler)') : event.round === undefined ? '' : palette.faint(' (gate)');
  return `${status}  ${pad(oneLine(actingController(event)), nameWidth)}  ${palette.strong(oneLine(event.task))}${kind}${item}`;
}

function statusPaint({ status, ignored, rescued }: TaskFinished, palette: Palette): (text: string) => string {
  const isFailure = status === 'failed' || status === 'unreachable';
  return palette[isFailure && (ignored === true || rescued === true) ? 'warning' : STATUS_COLOURS[status]];
}

function taskDetail(event: TaskFinished): string {
  const { message } = event;
  const isFailure = event.status === 'failed' || event.status === 'unreachable';
  const said = isFailure ? causeLine(message ?? '') : (message ?? '');
  return joinResult(changeWords(event), said, [resumptionWords(event.resumed), includedText(event)]);
}

/** What an include added: `included: tasks/more.yml`, `included: role web`. */
function includedText({ values, status }: TaskFinished): string {
  const file = values?.['include'];
  const role = values?.['include_args'];
  if (status !== 'ok') return '';
  if (typeof file === 'string') return `included: ${file}`;
  return isMapping(role) && typeof role['name'] === 'string' ? `included: role ${role['name']}` : '';
}

function remark({ ignored, rescued }: TaskFinished, palette: Palette): string {
  if (ignored === true) return palette.warning(' (ignored)');
  return rescued === true ? palette.warning(' (rescued)') : '';
}

/** With `-vv`, what the task returned. */
function valueLines(event: TaskFinished, { verbosity, palette }: TaskLineWriter): readonly string[] {
  if (verbosity < 2 || event.spoken === true) return [];
  return indented(resultLines(event).map((line) => palette.faint(line)));
}

/** What the task returned as YAML, without what its line already says. */
export function resultLines({ values = {}, message }: TaskFinished): readonly string[] {
  const rest = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => name !== 'include' && (name !== 'msg' || value !== message)),
  );
  if (Object.keys(rest).length === 0) return [];
  const shown: string[] = [];
  let more = 0;
  for (const line of yamlLines(rest)) {
    if (shown.length < MOST_VALUE_LINES) shown.push(line);
    else more++;
  }
  if (more > 0) shown.push(`… ${count(more, 'more line')}`);
  return shown;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `    ${line}`);
}
