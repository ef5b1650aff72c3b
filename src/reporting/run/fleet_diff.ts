import type { ChangeGroup, VariedValue } from '../diff/change_groups.js';
import { paintDiff } from '../diff/diff_text.js';
import type { Palette } from '../text/palette.js';
import { oneLine, plain } from '../text/plain.js';
import { count, sortNames, NAMES_IN_LINE, nameControllers, nameSome } from '../text/words.js';
import type { TaskChanges } from './result_groups.js';

/** Limits for what is shown of a task. */
const MOST_SHOWN = 10;
const MOST_NAMES = 5;
const MOST_VALUES = 3;
const MOST_FIELDS = 4;
/** A shorter diff is shown in full, even if most of it equals the most frequent one. */
const SHORT = 6;
/** Of so many tasks, an outline shows the diffs in full; of so many others, a line each. */
export const MOST_IN_FULL = 6;
const MOST_OUTLINED = 20;
/** How a run, or a check of drift, shows what is left out. */
export const HOST_DIFF = '--diff=host shows each';

/**
 * The changes of a fleet, equal ones once, those of a task from the most frequent.
 *
 * @param outline show only the first tasks in full
 * @param how shows what is left out. Absent: nothing does
 * @param most the maximum number of changes of a task
 */
export function fleetDiffLines(
  tasks: readonly TaskChanges[],
  palette: Palette,
  {
    outline = false,
    how,
    most = MOST_SHOWN,
  }: { readonly outline?: boolean; readonly how?: string; readonly most?: number } = {},
): readonly string[] {
  const full = outline ? tasks.slice(0, MOST_IN_FULL) : tasks;
  const rest = tasks.slice(full.length).map(({ task, changes }) => outlined(oneLine(task), sortedGroups(changes)));
  return [
    ...full.flatMap((task) => taskLines(task, palette, how, most)),
    ...outlineLines(rest, '--diff=fleet shows these in full', palette),
  ];
}

function taskLines(
  { task, changes }: TaskChanges,
  palette: Palette,
  how: string | undefined,
  most: number,
): readonly string[] {
  const sorted = sortedGroups(changes);
  const others = changes.flatMap(({ change, controllers }) => (change === undefined ? controllers : []));
  const first = sorted[0]?.generalLines;
  const left = sorted.slice(most).flatMap(({ controllers }) => [...controllers]);
  return [
    palette.strong(`diff of ${oneLine(task)}`),
    ...sorted.slice(0, most).flatMap((group, index) => groupDiffLines(group, index === 0 ? undefined : first, palette)),
    ...otherLines('changes', [...left, ...others], palette, how),
  ];
}

/** `  other changes on 3 controllers; --diff=host shows each`: the same controllers may have some that are shown. */
export function otherLines(
  what: string,
  controllers: readonly string[],
  palette: Palette,
  how?: string,
): readonly string[] {
  if (controllers.length === 0) return [];
  const text = `  other ${what} on ${count(new Set(controllers).size, 'controller')}`;
  return [palette.faint(how === undefined ? text : `${text}; ${how}`)];
}

function sortedGroups(changes: TaskChanges['changes']): readonly ChangeGroup[] {
  return changes.flatMap(({ change }) => change ?? []);
}

/**
 * A change with its controllers, then its fields: `cloud "edge" on 12 controllers: lb01, lb02 and 10 more`.
 *
 * @param most the general lines of the most frequent change of the task. Undefined: it is this one.
 * @param cut shortens the fields
 */
export function groupDiffLines(
  group: ChangeGroup,
  most: readonly string[] | undefined,
  palette: Palette,
  cut = (lines: readonly string[]): readonly string[] => lines,
): readonly string[] {
  const { shown, left } = most === undefined ? { shown: group.lines, left: 0 } : againstMost(group, most);
  const [object = '', ...fields] = shown;
  return [
    `  ${onControllers(object, group.controllers)}`,
    ...cut(fields).map((line) => `    ${paintDiff(line, palette)}`),
    ...(left === 0 ? [] : [palette.faint(`    … and ${count(left, 'line')} as in the first diff`)]),
    ...group.varied.map((one) => palette.faint(`    ${variedText(one)}`)),
  ];
}

function onControllers(what: string, controllers: Iterable<string>): string {
  const names = sortNames(controllers).map(oneLine);
  return `${what} on ${nameControllers(names, MOST_NAMES, NAMES_IN_LINE - what.length)}`;
}

/** A task in one line: `Cloud exists: cloud "edge" on 12 controllers: mtu, dns and 3 more`. */
export function outlined(title: string, [first, ...others]: readonly ChangeGroup[]): string {
  if (first === undefined) return title;
  const fields = new Set(parseFields(first.lines).map(({ name }) => name));
  const more = others.length === 0 ? '' : `, and ${count(others.length, 'other change')}`;
  return `${title}: ${first.lines[0] ?? ''} on ${count(first.controllers.size, 'controller')}: ${nameSome([...fields], MOST_FIELDS)}${more}`;
}

/** The tasks that are not shown in full. */
export function outlineLines(lines: readonly string[], how: string, palette: Palette): readonly string[] {
  if (lines.length === 0) return [];
  const left = lines.length - MOST_OUTLINED;
  const more = left > 0 ? `and ${count(left, 'other task')}; ` : '';
  return [...lines.slice(0, MOST_OUTLINED), palette.faint(`… ${more}${how}`)];
}

/** The fields in which a diff differs from the most frequent one; all fields if only a few lines would be left out. */
function againstMost(group: ChangeGroup, most: readonly string[]): { shown: readonly string[]; left: number } {
  const { lines, generalLines } = group;
  const known = new Set(parseFields(most).map(({ text }) => text));
  const general = parseFields(generalLines);
  const different = new Set(general.flatMap(({ name, text }) => (known.has(text) ? [] : [name])));
  const own = parseFields(lines).filter((_, index) => different.has(general[index]?.name ?? ''));
  const shown = [
    ...lines.slice(0, 1),
    ...own
      .map(({ text }) => text)
      .join('\n')
      .split('\n'),
  ];
  const left = lines.length - shown.length;
  return lines.length <= SHORT || left < shown.length || own.length === 0 ? { shown: lines, left: 0 } : { shown, left };
}

/** The signed lines of each field: indented lines belong to the line above. */
function parseFields(lines: readonly string[]): readonly { readonly name: string; readonly text: string }[] {
  const fields: { name: string; text: string }[] = [];
  for (const line of lines.slice(1)) {
    const last = fields.at(-1);
    if (last !== undefined && line[2] === ' ') last.text += `\n${line}`;
    else fields.push({ name: line.slice(2).split(/:(?: |$)/, 1)[0] ?? '', text: line });
  }
  return fields;
}

/** `{{ domain }}: 3 values: a.example.com (2 controllers), b.example.com (lb3), c.example.com (lb4)` */
export function variedText({ template, values }: VariedValue): string {
  const begin = `${oneLine(template)}: ${count(values.length, 'value')}`;
  if (values.length > MOST_VALUES) return begin;
  const each = values.map(([value, names]) => {
    const who = names.length === 1 ? oneLine(names.join('')) : count(names.length, 'controller');
    return `${oneLine(plain(value))} (${who})`;
  });
  return `${begin}: ${each.join(', ')}`;
}
