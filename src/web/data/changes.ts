import { CELL_STATES, type DetailItem, type Page, type PageColumn } from '../../reporting/page/format/page.js';
import type { View } from './view.js';

/** Changes of a step that differ only in values are merged if there are more than this, or if most controllers have their own. */
const MOST_EXACT = 12;
const MOST_SINGLE = 3;
const MOST_VALUES = 5;

/** A line of a diff. */
export interface DiffLine {
  readonly text: string;
  /** Whether the most frequent change of the step has this line, too. */
  readonly isUsual: boolean;
  /** The most frequent values and their numbers, where controllers differ. */
  readonly values?: readonly (readonly [value: string, controllers: number])[] | undefined;
  /** How many different values there are. */
  readonly different?: number | undefined;
}

/** Controllers with the same change. */
export interface ShownChange {
  /** `updated cloud "edge": mtu` */
  readonly words: string;
  readonly lines: readonly DiffLine[];
  readonly rows: readonly number[];
}

/** The changes of one step, the most frequent first. */
export interface StepChanges {
  readonly column: number;
  readonly about: PageColumn;
  readonly groups: readonly ShownChange[];
  readonly controllers: number;
}

interface Exact {
  readonly words: string;
  readonly lines: readonly string[];
  readonly rows: number[];
  /** Index of the text with templates in place of values. */
  readonly template?: number | undefined;
}

const CHANGED = CELL_STATES.indexOf('changed');

export function visibleChanges(view: View): readonly StepChanges[] {
  const { page } = view;
  return view.columns.flatMap((column) => {
    const about = page.columns[column];
    const exact = exactChanges(view, column);
    if (about === undefined || exact.length === 0) return [];
    const groups = grouped(page, exact);
    const sorted = [...groups].sort((a, b) => b.rows.length - a.rows.length);
    const usual = new Set(sorted[0]?.lines);
    const controllers = new Set(exact.flatMap(({ rows }) => rows)).size;
    return [
      {
        column,
        about,
        groups: sorted.map((group, index) => shown(group, index === 0 ? undefined : usual)),
        controllers,
      },
    ];
  });
}

function exactChanges({ page, rows }: View, column: number): readonly Exact[] {
  const total = page.controllers.length;
  const groups = new Map<string, Exact>();
  for (const row of rows) {
    if (page.state[column * total + row] !== CHANGED) continue;
    for (const { words, diff, template } of changesIn(page, page.detail[column * total + row] ?? 0)) {
      const key = `${diff ?? -1} ${words}`;
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { words, lines: differenceLines(page, diff), rows: [row], template });
      else if (known.rows.at(-1) !== row) known.rows.push(row);
    }
  }
  return [...groups.values()];
}

/** The changes of a result. Those of a loop are the changes of its items. */
function changesIn(
  page: Page,
  detail: number,
): readonly (Pick<DetailItem, 'diff' | 'template'> & { readonly words: string })[] {
  const { words, diff, template, message, items = [] } = page.details[detail] ?? {};
  const changed = items.filter(({ status }) => status === 'changed');
  if (changed.length > 0) return changed.map((one) => ({ ...one, words: one.words ?? one.item }));
  return [{ words: words ?? message?.split('\n', 1)[0] ?? 'changed', diff, template }];
}

/** The lines of a diff without the first, which repeats the words. */
function differenceLines({ texts }: Page, diff: number | undefined): readonly string[] {
  return texts[diff ?? -1]?.split('\n').slice(1) ?? [];
}

interface Merged extends Exact {
  readonly values?: readonly ReadonlyMap<string, number>[];
}

/** Merges changes that one template explains, then changes that differ in too many ways. */
function grouped(page: Page, exact: readonly Exact[]): readonly Merged[] {
  const explained = new Map<number, Exact[]>();
  const others: Exact[] = [];
  for (const one of exact) {
    const { template } = one;
    const members = template === undefined ? others : explained.get(template);
    if (members !== undefined) members.push(one);
    else if (template !== undefined) explained.set(template, [one]);
  }
  const folded = [...explained].map(([template, members]) => mergedShape(members, differenceLines(page, template)));
  return [...folded, ...(isVaried(others) ? merged(others) : others)];
}

function isVaried(exact: readonly Exact[]): boolean {
  const controllers = exact.reduce((sum, { rows }) => sum + rows.length, 0);
  return exact.length > MOST_EXACT || (exact.length > MOST_SINGLE && controllers < 2 * exact.length);
}

/** Merges changes of the same fields, regardless of their values. */
function merged(exact: readonly Exact[]): readonly Merged[] {
  const shapes = new Map<string, Exact[]>();
  for (const one of exact) {
    const shape = [withoutNames(one.words), ...one.lines.map(lineField)].join('\n');
    const members = shapes.get(shape);
    if (members === undefined) shapes.set(shape, [one]);
    else members.push(one);
  }
  return [...shapes.values()].map((members) => mergedShape(members));
}

/** @param template the text to show for lines whose values differ; absent: their fields */
function mergedShape(members: readonly Exact[], template?: readonly string[]): Merged {
  const largest = members.reduce((a, b) => (b.rows.length > a.rows.length ? b : a));
  const values = largest.lines.map((_, at) => {
    const counts = new Map<string, number>();
    for (const { lines, rows } of members) {
      const value = lineValue(lines[at] ?? '');
      counts.set(value, (counts.get(value) ?? 0) + rows.length);
    }
    return counts;
  });
  const isSameWords = members.every(({ words }) => words === largest.words);
  return {
    words: isSameWords ? largest.words : withoutNames(largest.words),
    lines: largest.lines.map((line, at) => ((values[at]?.size ?? 1) > 1 ? (template?.[at] ?? lineField(line)) : line)),
    rows: [...new Set(members.flatMap(({ rows }) => rows))],
    values,
  };
}

function shown({ words, lines, rows, values }: Merged, usual: ReadonlySet<string> | undefined): ShownChange {
  return {
    words,
    rows,
    lines: lines.map((text, at) => {
      const counts = values?.[at];
      const isUsual = usual?.has(text) === true;
      if (counts === undefined || counts.size < 2) return { text, isUsual };
      const sorted = [...counts].sort(([, a], [, b]) => b - a);
      return { text, isUsual, values: sorted.slice(0, MOST_VALUES), different: sorted.length };
    }),
  };
}

function withoutNames(words: string): string {
  return words.replaceAll(/"[^"]*"/g, '"…"');
}

const FIELD = /^([-+~] +[^:]*:)(?: (.*))?$/;

/** `+ mtu:` of `+ mtu: 1500` */
function lineField(line: string): string {
  return FIELD.exec(line)?.[1] ?? line.slice(0, 2);
}

function lineValue(line: string): string {
  const match = FIELD.exec(line);
  return match === null ? line.slice(2) : (match[2] ?? '');
}
