import {
  CELL_STATES,
  type CellState,
  type Detail,
  type DetailItem,
  type Page,
  type PageColumn,
} from '../../reporting/page/format/page.js';
import type { View } from './view.js';
import { stateByCode } from './words.js';

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

interface OpenPart {
  readonly result: Detail | DetailItem;
  readonly rows: number[];
}

interface OpenResults extends EqualResults {
  readonly rows: number[];
  readonly byResult: Map<string, OpenPart>;
}

/** The results of these states, equal ones once, as the fold of the run has grouped them; the most frequent first. */
export function equalResults(
  { page, rows }: View,
  columns: readonly number[],
  states: readonly CellState[],
): readonly EqualResults[] {
  const groups = new Map<number, OpenResults>();
  const total = page.controllers.length;
  const wanted = states.map((state) => CELL_STATES.indexOf(state));
  for (const column of columns) {
    const about = page.columns[column];
    if (about === undefined) continue;
    for (const row of rows) {
      const at = column * total + row;
      if (!wanted.includes(page.state[at] ?? 0)) continue;
      const detail = page.details[page.detail[at] ?? 0] ?? {};
      for (const result of resultsIn(detail, states))
        add(groups, { column, about, status: stateByCode(page.state[at]), detail, result }, row);
    }
  }
  return [...groups.values()]
    .map(({ byResult, ...group }) => ({ ...group, parts: [...byResult.values()] }))
    .sort((a, b) => b.rows.length - a.rows.length);
}

/** The results of a loop are those of its items. */
function resultsIn(detail: Detail, states: readonly CellState[]): readonly (Detail | DetailItem)[] {
  const items = (detail.items ?? []).filter(({ status }) => states.includes(status));
  return items.length > 0 ? items : [detail];
}

function add(
  groups: Map<number, OpenResults>,
  one: Pick<EqualResults, 'column' | 'about' | 'status' | 'detail' | 'result'>,
  row: number,
): void {
  const { result } = one;
  const group = groups.get(result.group ?? -1) ?? {
    ...one,
    rows: [],
    parts: [],
    byResult: new Map<string, OpenPart>(),
  };
  groups.set(result.group ?? -1, group);
  if (group.rows.at(-1) !== row) group.rows.push(row);
  const key = `${result.diff ?? -1} ${result.words ?? ''}`;
  const part = group.byResult.get(key) ?? { result, rows: [] };
  group.byResult.set(key, part);
  if (part.rows.at(-1) !== row) part.rows.push(row);
}

/** Controllers that failed for the same cause. */
export interface ShownFailure extends EqualResults {
  readonly message: string;
}

/** The failures of the shown controllers, those with the most controllers first. */
export function visibleFailures(view: View): readonly ShownFailure[] {
  return equalResults(view, view.columns, ['failed', 'unreachable']).map((group) => {
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
      const { object, check } = page.details[page.detail[before * total + row] ?? 0] ?? {};
      if (object === undefined || check === true) continue;
      const state = stateByCode(page.state[before * total + row]);
      if (before < column && state === 'changed') own.add(object);
      if (before === column && (state === 'failed' || state === 'unreachable')) open.add(object);
    }
    for (const object of own) plus(written, object);
    for (const object of open) plus(unconfirmed, object);
  }
  return { written, unconfirmed };
}
