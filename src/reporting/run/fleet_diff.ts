import type { ChangeGroup, VariedValue } from '../diff/change_groups.js';
import { paintDiff } from '../diff/diff_text.js';
import type { Palette } from '../text/palette.js';
import { oneLine, plain } from '../text/plain.js';
import { count, grouped, inOrder, NAMES_IN_LINE, nameSome } from '../text/words.js';
import type { TaskChanges } from './result_groups.js';

/** Limits for what is shown of a task. */
const MOST_SHOWN = 10;
const MOST_NAMES = 5;
const MOST_VALUES = 3;
/** A shorter diff is shown in full, even if most of it equals the most frequent one. */
const SHORT = 6;

/** The changes of a fleet, equal ones once, those of a task from the most frequent. */
export function fleetDiffLines(tasks: readonly TaskChanges[], palette: Palette): readonly string[] {
  return tasks.flatMap((task) => taskLines(task, palette));
}

function taskLines({ task, changes }: TaskChanges, palette: Palette): readonly string[] {
  const sorted = changes.flatMap(({ change }) => change ?? []);
  const others = changes.flatMap(({ change, controllers }) => (change === undefined ? controllers : []));
  const lines = [palette.strong(`diff of ${oneLine(task)}`)];
  const most = sorted[0]?.generalLines ?? [];
  for (const [index, group] of sorted.slice(0, MOST_SHOWN).entries()) {
    const { shown, left } = index === 0 ? { shown: group.lines, left: 0 } : againstMost(group, most);
    lines.push(`  ${heading(inOrder(group.controllers))}`, ...shown.map((line) => `    ${paintDiff(line, palette)}`));
    if (left > 0) lines.push(palette.faint(`    … and ${count(left, 'line')} as in the first diff`));
    for (const one of group.varied) lines.push(palette.faint(`    ${variedText(one)}`));
  }
  const left = sorted.slice(MOST_SHOWN).reduce((sum, { controllers }) => sum + controllers.size, others.length);
  if (left > 0)
    lines.push(palette.faint(`  other changes on ${count(left, 'more controller')}; --diff=host shows each`));
  return lines;
}

function heading(controllers: readonly string[]): string {
  if (controllers.length === 1) return `on ${controllers.join('')}`;
  return `same change on ${grouped(controllers.length)} controllers: ${nameSome(controllers, MOST_NAMES, NAMES_IN_LINE)}`;
}

/** The fields in which a diff differs from the most frequent one; all fields if only a few lines would be left out. */
export function againstMost(group: ChangeGroup, most: readonly string[]): { shown: readonly string[]; left: number } {
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
