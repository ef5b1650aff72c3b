import type { Source } from '../../../core/model/source/diagnostic.js';
import { codeFrame, type FrameWriter } from '../../text/code_frame.js';
import type { EqualText } from '../../text/equal_texts.js';
import { withoutName } from '../../text/messages.js';
import { oneLine, plain } from '../../text/plain.js';
import { shownStart, titleText } from '../../text/shorten.js';
import { displayPlace, OUTDATED, type SourceFiles } from '../../text/source_files.js';
import { count, grouped, nameCounted, nameSome, sortNames } from '../../text/words.js';
import { earlierWrites, failedNames, type FailureGroup } from './failure_group.js';

/** So many causes get a paragraph each; the others, a line. */
const MOST_PARAGRAPHS = 20;
/** With more causes, only the place of each task is shown, not its lines. */
const MOST_FRAMES = 3;
const MOST_NAMES = 10;
/** Each failed controller is named, unless a whole fleet fails for one cause. */
const MOST_FAILED = 500;
const MOST_OBJECTS = 5;
/** A cause at most this many lines below its task is shown in the task's frame. */
const LONGEST_FRAME = 12;

export interface FailureWriter extends Omit<FrameWriter, 'brief'> {
  readonly cwd: string;
  readonly files: Pick<SourceFiles, 'lines' | 'isChanged'>;
  /** In check mode nothing was written, so failures do not list writes. */
  readonly check: boolean;
  /** Show only the place of each task; for a cause elsewhere, only its line. */
  readonly brief?: boolean;
}

/** What failed and why, one paragraph per cause. No cause is left out. */
export function failureLines(groups: readonly FailureGroup[], writer: FailureWriter): readonly string[] {
  const frequent =
    groups.length > MOST_PARAGRAPHS ? groups.toSorted((a, b) => b.controllers.size - a.controllers.size) : groups;
  const brief = { ...writer, brief: groups.length > MOST_FRAMES };
  const lines = frequent.slice(0, MOST_PARAGRAPHS).flatMap((group) => [...groupLines(group, brief), '']);
  const rest = frequent.slice(MOST_PARAGRAPHS);
  return rest.length === 0 ? lines : [...lines, ...rest.map((group) => shortLine(group, writer)), ''];
}

/** `failed: name is reserved; Create the cloud (site.yml:3:5) on lb1, lb2` */
function shortLine(group: FailureGroup, { palette, mask, cwd }: FailureWriter): string {
  const { status, task, source } = group;
  const where = `${oneLine(shownStart(task, mask))} (${mask(displayPlace(source, cwd))})`;
  const names = failedNames(group, MOST_FAILED);
  return `${palette.bad(`${status}:`)} ${oneLine(commonMessage(group, mask))}; ${where} on ${names}`;
}

/** The message without the name of the first controller, if there are others. */
function commonMessage({ message, controllers }: FailureGroup, mask: (text: string) => string): string {
  const [first = '', ...others] = controllers.keys();
  const shown = shownStart(message, mask);
  return others.length === 0 ? shown : withoutName(shown, first);
}

function groupLines(group: FailureGroup, writer: FailureWriter): readonly string[] {
  const { palette, mask } = writer;
  const [first = '', ...more] = plain(commonMessage(group, mask)).trimEnd().split('\n');
  return [
    `${palette.bad(`${group.status}:`)} ${palette.strong(`${first}${waiting(group)}`)}`,
    ...more.map((line) => `  ${line}`),
    ...places(group, writer),
    ...failureFacts(group, writer).map(([name, text]) => `  ${palette.place('=')} ${name}: ${text}`),
  ];
}

/** How many controllers a route that is down cuts off. */
function waiting({ route, controllers }: FailureGroup): string {
  if (route === undefined) return '';
  return ` ${count(controllers.size, 'controller')} ${controllers.size === 1 ? 'waits' : 'wait'} for it`;
}

function title(group: FailureGroup, { mask }: FailureWriter): string {
  return `${titleText(group.task, mask)} (${[group.module, ...itemNames(group, mask)].join(', ')})`;
}

/** `items a, b`; nothing if the task has no loop. */
function itemNames({ items }: FailureGroup, mask: (text: string) => string): readonly string[] {
  if (items.size === 0) return [];
  const names = Array.from(items, (item) => oneLine(shownStart(item, mask)));
  return [`${items.size === 1 ? 'item' : 'items'} ${nameSome(names, MOST_OBJECTS)}`];
}

/** A failure with the texts that reports show. */
export function shownFailure(group: FailureGroup, mask: (text: string) => string): FailureGroup {
  const [items] = itemNames(group, mask);
  const task = titleText(group.task, mask);
  return {
    ...group,
    task: items === undefined ? task : `${task} (${items})`,
    message: commonMessage(group, mask),
  };
}

/** The position of the task and, if different, of the cause; in one frame if they are close together. */
function places(group: FailureGroup, writer: FailureWriter): readonly string[] {
  const { cwd, palette, files, mask } = writer;
  const { source, cause, status } = group;
  const frame = (at: Source, from?: number): readonly string[] =>
    files.isChanged(at.file)
      ? [`    ${OUTDATED}`]
      : codeFrame(files.lines(at.file) ?? [], at, writer, from).map((line) => `  ${line}`);
  const place = (mark: string, at: Source): string => `  ${palette.place(mark)} ${mask(displayPlace(at, cwd))}`;
  if (cause !== undefined && isClose(source, cause))
    return [`${place('-->', cause)} ${title(group, writer)}`, ...frame(cause, source.line)];
  return [
    `${place('-->', source)} ${title(group, writer)}`,
    ...(status === 'failed' && writer.brief !== true ? frame(source) : []),
    ...(cause === undefined ? [] : [place('because of', cause), ...frame(cause)]),
  ];
}

function isClose(source: Source, cause: Source): boolean {
  return cause.file === source.file && cause.line >= source.line && cause.line - source.line <= LONGEST_FRAME;
}

/** What else is known about a failure: its controllers, a hint, what was written, and what did not run. */
export function failureFacts(
  group: FailureGroup,
  writer: Pick<FailureWriter, 'mask' | 'check'>,
): readonly (readonly [string, string])[] {
  const { controllers, routes, hint, gate } = group;
  const [written, unconfirmed] = [earlierWrites(group), group.unconfirmed.joined];
  const all = controllers.size;
  const on = controllers.size === 1 ? 'controller' : `${grouped(controllers.size)} controllers`;
  const found: (readonly [string, string])[] = [[on, failedNames(group, MOST_FAILED)]];
  if (routes.size > 0)
    found.push([
      routes.size === 1 ? 'route' : `${grouped(routes.size)} routes`,
      // Those with the most controllers first.
      oneLine(
        nameCounted(
          [...routes].toSorted(([, a], [, b]) => b - a),
          all,
          MOST_NAMES,
        ),
      ),
    ]);
  if (gate !== undefined) found.push(['gate', `of batch ${grouped(gate.batch)}, round ${grouped(gate.round)}`]);
  if (hint !== undefined) found.push(['hint', plain(shownStart(hint, writer.mask))]);
  if (!writer.check || written.length > 0) {
    const objects = written.map((one) => [oneLine(writer.mask(one.text)), one.controllers.size] as const);
    found.push(['written before', nameCounted(objects, all, MOST_OBJECTS)]);
    if (unconfirmed.length > 0) found.push([UNCONFIRMED, unconfirmedText(unconfirmed, all, writer.mask)]);
  }
  const left = tasksLeft(group);
  return left === undefined ? found : [...found, ['not run', left]];
}

export const UNCONFIRMED = 'sent, but not confirmed';

/** Writes with an unknown outcome that belong to no failure, in one line. */
export function unconfirmedLines(
  writes: readonly EqualText[],
  { palette, mask }: Pick<FailureWriter, 'palette' | 'mask'>,
): readonly string[] {
  return writes.length === 0 ? [] : [`${palette.warning(`${UNCONFIRMED}:`)} ${unconfirmedText(writes, 0, mask)}`];
}

/** `cloud "edge" on lb1, lb2; pool "web" on lb3`; without names if all controllers of the failure sent it. */
function unconfirmedText(writes: readonly EqualText[], all: number, mask: (text: string) => string): string {
  const texts = writes.map(({ text, controllers }) => {
    const named = oneLine(mask(text));
    return controllers.size === all
      ? named
      : `${named} on ${nameSome(sortNames(controllers).map(oneLine), MOST_NAMES)}`;
  });
  const shown = texts.slice(0, MOST_OBJECTS).join('; ');
  return texts.length > MOST_OBJECTS ? `${shown}; and ${count(texts.length - MOST_OBJECTS, 'other object')}` : shown;
}

function tasksLeft({ left }: FailureGroup): string | undefined {
  if (left.most === 0) return undefined;
  const range = left.least === left.most ? '' : `${grouped(left.least)} to `;
  return `${range}${count(left.most, 'task')} after it`;
}
