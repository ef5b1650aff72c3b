import type { Page, PageColumn } from '../../reporting/page/format/page.js';
import { equalResults, type EqualResults } from './equal.js';
import type { InParts } from './frame_work.js';
import { distinctRows, type View } from './view.js';
import { appendTo } from './words.js';

/** Changes of a step that differ only in values are merged if there are more than this, or if most controllers have their own. */
const MOST_EXACT = 12;
/** Comparing texts takes as long as this many cells. */
const CELLS_PER_TEXT = 50;
const MOST_SINGLE = 3;
const MOST_VALUES = 5;

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

/** A change with its values. */
interface Exact {
  readonly words: string;
  readonly lines: readonly string[];
  readonly rows: readonly number[];
}

interface Merged extends Exact {
  readonly values?: readonly ReadonlyMap<string, number>[];
}

export function* visibleChanges(view: View): InParts<readonly StepChanges[]> {
  const steps: StepChanges[] = [];
  for (const column of view.columns) {
    const equal = yield* equalResults(view, [column], ['changed']);
    const [first] = equal;
    if (first === undefined) continue;
    const merged: Merged[] = [];
    for (const one of equal) merged.push(yield* mergedGroup(view.page, one));
    const groups = [...(yield* mergeVaried(merged))].sort((a, b) => b.rows.length - a.rows.length);
    const usual = new Set(groups[0]?.lines);
    steps.push({
      column,
      about: first.about,
      groups: groups.map((group, index) => shown(group, index === 0 ? undefined : usual)),
      controllers: distinctRows(view.page, equal),
    });
  }
  return steps;
}

/** Changes that one template explains have its text, and the values below. */
function* mergedGroup(page: Page, { result: { template }, parts }: EqualResults): InParts<Merged> {
  const exact: Exact[] = [];
  for (const { result, rows } of parts) {
    exact.push({ words: changeText(result), lines: diffLines(page, result.diff), rows });
    yield CELLS_PER_TEXT;
  }
  const [first] = exact;
  return template === undefined && first !== undefined ? first : yield* mergedShape(exact, diffLines(page, template));
}

function changeText(result: EqualResults['result']): string {
  const { words, message } = result;
  return words ?? ('item' in result ? result.item : (message?.split('\n', 1)[0] ?? 'changed'));
}

/** The lines of a diff without the first, which repeats the words. */
function diffLines({ texts }: Page, diff: number | undefined): readonly string[] {
  return texts[diff ?? -1]?.split('\n').slice(1) ?? [];
}

/** Changes without a template that differ in too many ways are merged if they have the same fields. */
function* mergeVaried(groups: readonly Merged[]): InParts<readonly Merged[]> {
  const others = groups.filter(({ values }) => values === undefined);
  if (!isVaried(others)) return groups;
  const shapes = new Map<string, Exact[]>();
  for (const one of others) {
    const shape = [withoutNames(one.words), ...one.lines.map(lineField)].join('\n');
    appendTo(shapes, shape, one);
    yield CELLS_PER_TEXT;
  }
  const merged = groups.filter(({ values }) => values !== undefined);
  for (const members of shapes.values()) merged.push(yield* mergedShape(members));
  return merged;
}

function isVaried(exact: readonly Exact[]): boolean {
  const controllers = exact.reduce((sum, { rows }) => sum + rows.length, 0);
  return exact.length > MOST_EXACT || (exact.length > MOST_SINGLE && controllers < 2 * exact.length);
}

/** @param template the text to show for lines whose values differ; absent: their fields */
function* mergedShape(members: readonly Exact[], template?: readonly string[]): InParts<Merged> {
  const largest = members.reduce((a, b) => (b.rows.length > a.rows.length ? b : a));
  // Texts of several lines may differ in their number: then only the template is shown.
  const isAligned = members.every(({ lines }) => lines.length === largest.lines.length);
  const common = isAligned || template === undefined ? largest.lines : template;
  const templates = new Map(template?.map((line) => [lineField(line), line]));
  const values = common.map(() => new Map<string, number>());
  for (const { lines, rows } of isAligned ? members : []) {
    for (const [at, counts] of values.entries()) {
      const value = lineValue(lines[at] ?? '');
      counts.set(value, (counts.get(value) ?? 0) + rows.length);
    }
    yield CELLS_PER_TEXT;
  }
  const isSameWords = members.every(({ words }) => words === largest.words);
  return {
    words: isSameWords ? largest.words : withoutNames(largest.words),
    lines: common.map((line, at) => {
      const field = lineField(line);
      return (values[at]?.size ?? 1) > 1 ? (templates.get(field) ?? field) : line;
    }),
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
