import { OUTCOMES } from '../../reporting/page/format/page.js';
import { codeAt, type View } from '../data/view.js';
import type { Colours } from './context.js';
import { READABLE, rowAt, type MatrixCell, type Geometry, type Scroll } from './geometry.js';

export interface PaintedMatrix {
  readonly view: View;
  readonly geometry: Geometry;
  readonly scroll: Scroll;
  readonly colours: Colours;
  readonly selected: MatrixCell | undefined;
}

/** What a canvas shows. */
export interface ShownMatrix {
  readonly painted: PaintedMatrix;
  /** The codes of the visible cells, column after column. */
  readonly codes: Uint8Array;
  /** The visible names: rows with their outcomes. */
  readonly names: readonly number[];
}

/** Whether both have the same titles, each at the same point. */
export function hasSameTitles(one: PaintedMatrix, other: PaintedMatrix): boolean {
  const titles = ({ view, geometry, scroll }: PaintedMatrix): string =>
    JSON.stringify([geometry, scroll.left, view.columns]);
  const isSamePage = one.view.page.columns === other.view.page.columns && one.colours === other.colours;
  return isSamePage && titles(one) === titles(other);
}

/** Whether both have the same steps, and each cell is at the same point. */
export function isSameLayout(one: PaintedMatrix, other: PaintedMatrix): boolean {
  const rows = ({ view, scroll, selected }: PaintedMatrix): string =>
    JSON.stringify([scroll.top, selected, view.rows.length]);
  return hasSameTitles(one, other) && rows(one) === rows(other);
}

/** The states of the visible cells, column by column. */
export function visibleCodes(painted: PaintedMatrix): Uint8Array {
  const { view } = painted;
  const [first, end] = visibleRows(painted);
  const [left, right] = visibleColumns(painted);
  const codes = new Uint8Array(Math.max(0, end - first) * Math.max(0, right - left));
  let next = 0;
  for (let at = left; at < right; at++)
    for (let index = first; index < end; index++)
      codes[next++] = codeAt(view.page, view.rows[index] ?? 0, view.columns[at] ?? 0);
  return codes;
}

/** The names in view, each with its outcome: equal numbers are painted the same. */
export function visibleNames(painted: PaintedMatrix): readonly number[] {
  const { view, geometry } = painted;
  const [first, visible] = visibleRows(painted);
  const end = geometry.row < READABLE ? Math.min(visible, geometry.tall) : visible;
  return Array.from(view.rows.subarray(first, end), (row) => row * OUTCOMES.length + (view.page.outcome[row] ?? 0));
}

/** Indexes in the view: `end` is not visible. */
export function visibleRows({ view, geometry, scroll }: PaintedMatrix): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor(rowAt(geometry, scroll.top)));
  const end = Math.ceil(rowAt(geometry, scroll.top + geometry.height - geometry.top));
  return [first, Math.min(view.rows.length, end)];
}

/** As `visibleRows`. */
export function visibleColumns({ view, geometry, scroll }: PaintedMatrix): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor(scroll.left / geometry.column));
  const end = Math.ceil((scroll.left + geometry.width - geometry.left) / geometry.column);
  return [first, Math.min(view.columns.length, end)];
}
