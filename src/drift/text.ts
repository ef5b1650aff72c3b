import { groupBy } from '../core/model/values/groups.js';
import { diffLines, paintDiff } from '../reporting/diff/diff_text.js';
import { failureLines, type FailureWriter } from '../reporting/run/failures/failure_text.js';
import {
  groupDiffLines,
  HOST_DIFF,
  MOST_IN_FULL,
  otherLines,
  outlined,
  outlineLines,
} from '../reporting/run/fleet_diff.js';
import { createPalette, type Palette } from '../reporting/text/palette.js';
import { oneLine, plain } from '../reporting/text/plain.js';
import { shownStart } from '../reporting/text/shorten.js';
import { displayPlace, SourceFiles } from '../reporting/text/source_files.js';
import { count, grouped, sortNames, NAMES_IN_LINE, nameControllers, nameSome } from '../reporting/text/words.js';
import type { DriftedTask, DriftGroup, NotCompared } from './collector.js';
import type { Drift } from './find_drift.js';
import type { DriftOrigin } from './origins.js';
import type { UnmanagedObject } from './unmanaged.js';

/** Limits that fit a screen: groups of a task, lines of a difference, names. */
const MOST_GROUPS = 10;
const MOST_LINES = 16;
const MOST_NAMES = 10;
const MOST_DRIFTED = 20;
const MOST_OBJECTS = 20;

export interface DriftText {
  /** The names as the user typed them, masked. */
  readonly playbooks: readonly string[];
  readonly mask: (text: string) => string;
  readonly cwd: string;
  readonly colour: boolean;
  /** Each controller for itself. */
  readonly raw: boolean;
  /** Long differences to their end. */
  readonly whole: boolean;
}

interface DriftWriter extends DriftText {
  readonly palette: Palette;
  readonly drift: Drift;
}

/** Drift for people: equal drift together, then what could not be read, then the controllers that differ. */
export function driftLines(drift: Drift, text: DriftText): readonly string[] {
  const writer = { ...text, palette: createPalette(text.colour), drift };
  const { palette, cwd, mask } = writer;
  return [
    ...(drift.tasks.length === 0 ? [] : [palette.faint(SIGNS), '', ...allTasks(writer), '']),
    ...unmanagedLines(writer),
    ...drift.notCompared.flatMap((gap) => gapLines(gap, writer)),
    ...failureLines(drift.failures, { cwd, palette, files: quotedFiles(drift, cwd), check: true, mask }),
    ...summary(writer),
  ];
}

/** None for a kept run: its files may have changed, and its secrets in them are unknown. */
function quotedFiles({ hasChanged }: Drift, cwd: string): FailureWriter['files'] {
  if (hasChanged === undefined) return { lines: () => undefined, isChanged: () => false };
  return new SourceFiles(cwd, hasChanged);
}

const SIGNS = '- is what the controller has, + what the playbook declares';

/** All tasks, each from its most frequent drift; of many, only the first with their differences. */
function allTasks(writer: DriftWriter): readonly string[] {
  const { drift, palette, raw, whole } = writer;
  const limit = raw || whole ? Infinity : MOST_IN_FULL;
  const isFull = ({ groups }: DriftedTask, index: number): boolean => index < limit || groups.length === 0;
  const full = drift.tasks.filter(isFull);
  const rest = drift.tasks.filter((task, index) => !isFull(task, index));
  const common = raw ? undefined : commonOrigin(drift);
  return [
    ...full.flatMap((task) => taskLines(task, writer, common === undefined)),
    ...outlineLines(
      rest.map((task) =>
        outlined(
          taskTitle(task, writer),
          task.groups.map(({ changes }) => changes),
        ),
      ),
      '-v shows these in full',
      palette,
    ),
    ...(common === undefined ? [] : [`all of this: ${palette.changed(common)}`]),
  ];
}

/** Why it differs, if that is the same for everything that the tasks found. */
function commonOrigin({ tasks, judgeOrigin }: Drift): string | undefined {
  if (tasks.length < 2 || tasks.some(({ others, masked, invoked }) => others.size + masked.size + invoked.size > 0))
    return undefined;
  const members = tasks.flatMap(({ groups }) => groups.flatMap((group) => group.members));
  const [first, ...others] = new Set(members.map((member) => originText(judgeOrigin(member))));
  return others.length === 0 ? first : undefined;
}

function taskTitle({ task, source }: DriftedTask, { palette, cwd }: DriftWriter): string {
  return `${palette.strong(oneLine(shownStart(task)))} ${palette.faint(`(${displayPlace(source, cwd)})`)}`;
}

function taskLines(task: DriftedTask, writer: DriftWriter, withOrigins: boolean): readonly string[] {
  const { palette, raw } = writer;
  const { groups, others, masked, invoked } = task;
  const shown = groups.slice(0, raw ? Infinity : MOST_GROUPS);
  const most = groups[0]?.changes.generalLines;
  const left = groups.slice(shown.length).flatMap(({ members }) => members.map(({ controller }) => controller));
  return [
    taskTitle(task, writer),
    ...shown.flatMap((group, index) =>
      raw
        ? rawLines(group, writer)
        : [
            ...groupDiffLines(group.changes, index === 0 ? undefined : most, palette, (lines) => cut(lines, writer)),
            ...(withOrigins ? originLines(group, writer) : []),
          ],
    ),
    ...otherLines('drift', [...left, ...others], palette, HOST_DIFF),
    ...[...invoked].map(([object, names]) => `  differs on ${whoText([...names.keys()])}: ${oneLine(object)}`),
    ...(masked.size === 0 ? [] : [`  differs on ${whoText([...masked.keys()])}: masked by no_log`]),
  ];
}

/** Why these controllers differ, as far as the journals show. */
function originLines({ members }: DriftGroup, { palette, drift }: DriftWriter): readonly string[] {
  const origins = groupBy(members, (member) => originText(drift.judgeOrigin(member)));
  return [...origins].map(([text, own]) => {
    const names = sortNames(new Set(own.map(({ acting }) => oneLine(acting))));
    return `    ${palette.changed(text)}${origins.size === 1 ? '' : `: ${nameSome(names, MOST_NAMES, NAMES_IN_LINE)}`}`;
  });
}

function rawLines({ members }: DriftGroup, writer: DriftWriter): readonly string[] {
  const { palette, drift } = writer;
  return members.flatMap((member) => [
    `  on ${oneLine(member.acting)}`,
    ...(member.change === undefined ? [] : diffLines(member.change)).map((line) => `    ${paintDiff(line, palette)}`),
    `    ${palette.changed(originText(drift.judgeOrigin(member)))}`,
  ]);
}

function cut(lines: readonly string[], { whole }: DriftWriter): readonly string[] {
  if (whole || lines.length <= MOST_LINES + 1) return lines;
  return [...lines.slice(0, MOST_LINES), `… and ${count(lines.length - MOST_LINES, 'more line')}; -v shows them`];
}

function originText(origin: DriftOrigin): string {
  switch (origin.type) {
    case 'never applied':
      return 'never applied: no run in the journal has written it';
    case 'unknown':
      return 'unknown: no run whose journal can be read has written it';
    case 'changed since':
      return `changed by someone since run ${origin.run}`;
    case 'declared anew':
      return `unchanged since run ${origin.run}; the playbook or its variables have changed`;
    case 'unknown since':
      return `last written by run ${origin.run}; its result is unknown`;
  }
}

function whoText(names: readonly string[]): string {
  return nameControllers(sortNames(names).map(oneLine), MOST_NAMES, NAMES_IN_LINE);
}

function unmanagedLines({ drift, palette, mask }: DriftWriter): readonly string[] {
  const { unmanaged: objects, unread } = drift;
  if (objects === undefined) return [];
  if (objects.length === 0 && unread.size > 0) return ['no unmanaged objects on the controllers that were read', ''];
  if (objects.length === 0) return ['every object of the managed kinds belongs to a task', ''];
  const within = (word: string, name: string | undefined): string =>
    name === undefined ? '' : ` in ${word} "${oneLine(mask(name))}"`;
  const line = ({ kind, name, tenant, cloud, controllers }: UnmanagedObject): string =>
    `  ${kind} "${oneLine(mask(name))}"${within('cloud', cloud)}${within('tenant', tenant)} on ${whoText(controllers)}`;
  const rest = objects.length - MOST_OBJECTS;
  return [
    palette.strong('objects that no task manages'),
    ...objects.slice(0, MOST_OBJECTS).map(line),
    ...(rest > 0 ? [palette.faint(`  and ${count(rest, 'more object')}; --json lists all`)] : []),
    '',
  ];
}

function gapLines(
  { task, source, reason, controllers, unread }: NotCompared,
  { palette, cwd }: DriftWriter,
): readonly string[] {
  const what = unread ? palette.bad('not read:') : palette.warning('not compared:');
  const title = `${oneLine(shownStart(task))} (${displayPlace(source, cwd)})`;
  return [`${what} ${title} on ${whoText([...controllers.keys()])}: ${plain(shownStart(reason))}`, ''];
}

function summary({ drift, palette, playbooks }: DriftWriter): readonly string[] {
  const { controllers, drifted, unread, finished } = drift;
  const of = count(controllers.size, 'controller');
  const from = oneLine(playbooks.join(' '));
  const ended = finished.status === 'interrupted' ? ['interrupted: the comparison is not complete'] : [];
  const missing = unread.size === 0 ? [] : [palette.bad(`not fully read: ${whoText([...unread])}`)];
  if (drifted.size > 0) {
    const names = nameSome(sortNames(drifted).map(oneLine), MOST_DRIFTED, NAMES_IN_LINE);
    const differ = drifted.size === 1 ? 'differs' : 'differ';
    return [...ended, ...missing, palette.strong(`${grouped(drifted.size)} of ${of} ${differ} from ${from}: ${names}`)];
  }
  const none =
    missing.length + ended.length === 0
      ? palette.good(`no drift: ${of} as ${from} declares`)
      : `no drift found on ${grouped(controllers.size - unread.size)} of ${of}`;
  return [...ended, ...missing, none];
}
