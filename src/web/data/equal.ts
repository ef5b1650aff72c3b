import {
  CELL_STATES,
  type CellState,
  type Detail,
  type DetailItem,
  type Page,
  type PageColumn,
} from '../../reporting/page/format/page.js';
import type { InParts } from './frame_work.js';
import type { View } from './view.js';
import { getOrAdd, stateByCode } from './words.js';

/** What a task, or an item of its loop, did on some controllers: one cause, or one change. */
export interface EqualResults {
  readonly column: number;
  readonly about: PageColumn;
  readonly status: CellState;
  /** Of the first controller. */
  readonly detail: Detail;
  readonly result: Detail | DetailItem;
  readonly rows: readonly number[];
  /** The different results of the group: they differ in values that a template explains. */
  readonly parts: readonly { readonly result: Detail | DetailItem; readonly rows: readonly number[] }[];
}

interface OpenResults extends Omit<EqualResults, 'rows' | 'parts'> {
  readonly rows: RowLists;
  readonly byResult: Map<string, { readonly result: Detail | DetailItem; readonly rows: RowLists }>;
}

/** The results of these states, equal ones once, as the fold of the run has grouped them; the most frequent first. */
export function* equalResults(
  view: View,
  columns: readonly number[],
  states: readonly CellState[],
): InParts<readonly EqualResults[]> {
  const { page, rows } = view;
  const groups = new Map<number, OpenResults>();
  // A task that failed may have changed something, too, as may some items of a loop that failed.
  const isWanted = CELL_STATES.map((state) =>
    states.includes('changed') ? !UNCHANGED.has(state) : states.includes(state),
  );
  for (const column of columns) {
    const about = page.columns[column];
    if (about === undefined) continue;
    for (const { code, place, found } of rowsByDetail(view, column, isWanted)) {
      const detail = page.details[place] ?? {};
      const status = stateByCode(code);
      for (const [group, result] of resultsIn(detail, status, states))
        add(groups, group, { column, about, status, detail, result }, found);
    }
    yield rows.length;
  }
  return [...groups.values()]
    .map(({ rows: lists, byResult, ...group }) => ({
      ...group,
      rows: inOrder(view, lists),
      parts: [...byResult.values()].map((part) => ({ ...part, rows: inOrder(view, part.rows) })),
    }))
    .sort((a, b) => b.rows.length - a.rows.length);
}

/** Some lists of controllers, each in the order of the view. */
type RowLists = (readonly number[])[];

interface DetailRows {
  /** The code of the state. */
  readonly code: number;
  /** The index of the detail. */
  readonly place: number;
  readonly found: number[];
}

/** Equal results have equal details, and those have one index: so texts are compared once for each. */
function rowsByDetail({ page, rows }: View, column: number, isWanted: readonly boolean[]): Iterable<DetailRows> {
  const byKey = new Map<number, DetailRows>();
  const from = column * page.controllers.length;
  for (const row of rows) {
    const code = page.state[from + row] ?? 0;
    if (isWanted[code] !== true) continue;
    const place = page.detail[from + row] ?? 0;
    const key = place * CELL_STATES.length + code;
    getOrAdd(byKey, key, () => ({ code, place, found: [] })).found.push(row);
  }
  return byKey.values();
}

const UNCHANGED: ReadonlySet<CellState> = new Set(['none', 'ok', 'skipped']);

type GroupedResult = readonly [group: number, result: Detail | DetailItem];

/** The results of a loop are those of its items. */
function resultsIn(detail: Detail, state: CellState, states: readonly CellState[]): readonly GroupedResult[] {
  const grouped = (result: Detail | DetailItem, status: CellState): readonly GroupedResult[] => {
    const { group = -1, written } = result;
    if (states.includes(status)) return [[group, result]];
    return written !== undefined && states.includes('changed') ? [[written, result]] : [];
  };
  const items = (detail.items ?? []).flatMap((item) => grouped(item, item.status));
  return items.length > 0 ? items : grouped(detail, state);
}

function add(
  groups: Map<number, OpenResults>,
  key: number,
  one: Omit<OpenResults, 'rows' | 'byResult'>,
  found: readonly number[],
): void {
  const { result } = one;
  const group = getOrAdd(groups, key, () => ({ ...one, rows: [], byResult: new Map() }));
  group.rows.push(found);
  const text = `${result.diff ?? -1} ${result.words ?? ''}`;
  getOrAdd(group.byResult, text, () => ({ result, rows: [] })).rows.push(found);
}

/** Each controller once, in the order of the view. */
function inOrder({ rows, indexByRow }: View, lists: RowLists): readonly number[] {
  if (lists.length === 1 && lists[0] !== undefined) return lists[0];
  const indexes = Uint32Array.from(new Set(lists.flat()), (row) => indexByRow[row] ?? 0).sort();
  return Array.from(indexes, (index) => rows[index] ?? 0);
}

/** Controllers that failed for the same cause. */
export interface ShownFailure extends EqualResults {
  readonly message: string;
}

/** The failures of the shown controllers, those with the most controllers first. */
export function* visibleFailures(view: View): InParts<readonly ShownFailure[]> {
  return (yield* equalResults(view, view.columns, ['failed', 'unreachable'])).map((group) => {
    const { message = 'failed without a message' } = group.result;
    return { ...group, message: 'item' in group.result ? `${group.result.item}: ${message}` : message };
  });
}

/** Objects that were written before the failure, with the number of controllers, and writes whose outcome is unknown. */
export interface WritesBefore {
  readonly written: ReadonlyMap<string, number>;
  readonly unconfirmed: ReadonlyMap<string, number>;
}

export function writesBefore(page: Page, { rows, column }: ShownFailure): WritesBefore {
  const total = page.controllers.length;
  const [written, unconfirmed] = [new Map<string, number>(), new Map<string, number>()];
  const plus = (counts: Map<string, number>, object: string): unknown =>
    counts.set(object, (counts.get(object) ?? 0) + 1);
  for (const row of rows) {
    // A controller counts once, however often it wrote the object.
    const [own, open] = [new Set<string>(), new Set<string>()];
    for (let before = 0; before <= column; before++) {
      const detail = page.details[page.detail[before * total + row] ?? 0] ?? {};
      if (detail.check === true) continue;
      const status = stateByCode(page.state[before * total + row]);
      for (const one of [{ ...detail, status }, ...(detail.items ?? [])]) {
        if (one.object === undefined) continue;
        if (before === column && one.unconfirmed === true && isFailure(one.status)) open.add(one.object);
        else if (one.status === 'changed' || one.written !== undefined) own.add(one.object);
      }
    }
    for (const object of own) plus(written, object);
    for (const object of open) plus(unconfirmed, object);
  }
  return { written, unconfirmed };
}

function isFailure(state: CellState): boolean {
  return state === 'failed' || state === 'unreachable';
}

const ANY_STATE = CELL_STATES.map(() => true);

/** A write with an unknown outcome that is in no failure, because the task was ignored, rescued or interrupted. */
export interface OpenWrite {
  readonly column: number;
  readonly about: PageColumn;
  readonly object: string;
  readonly rows: readonly number[];
}

export function* visibleOpenWrites(view: View): InParts<readonly OpenWrite[]> {
  const found = new Map<string, Omit<OpenWrite, 'rows'> & { readonly rows: RowLists }>();
  for (const column of view.columns) {
    const about = view.page.columns[column];
    if (about === undefined) continue;
    for (const { code, place, found: rows } of rowsByDetail(view, column, ANY_STATE)) {
      const detail = view.page.details[place] ?? {};
      const state = stateByCode(code);
      // Failures list no item of a loop that was only interrupted.
      for (const { object = '', unconfirmed, status } of detail.items ?? [{ ...detail, status: state }])
        if (unconfirmed === true && !(isFailure(state) && isFailure(status)))
          getOrAdd(found, `${column} ${object}`, () => ({ column, about, object, rows: [] })).rows.push(rows);
    }
    yield view.rows.length;
  }
  return [...found.values()].map((one) => ({ ...one, rows: inOrder(view, one.rows) }));
}
