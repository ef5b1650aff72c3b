import type { View } from '../data/view.js';

/** Heights of a row, from a heat strip to readable rows. */
const ROW_HEIGHTS = [2, 3, 4, 6, 9, 13, 18, 24, 32] as const;
/** From this height of a row on, rows have names and cells have glyphs. */
export const READABLE = 13;
/** The height of rows that must be readable in any fleet. */
const TALL = 18;
const NARROWEST_COLUMN = 11;
const WIDEST_COLUMN = 150;
/** From this width of a column on, the names of steps are level. */
const LEVEL_COLUMN = 92;
const BAND = 22;
const SLANTED_TITLES = 104;
const LEVEL_TITLES = 44;
/** Room for the slanted name of the last step. */
const OVERHANG = 64;

export interface Size {
  readonly width: number;
  /** The height that an element may take. */
  readonly room: number;
}

/** Where things are on the matrix, in CSS pixels. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** The width of the names of controllers. */
  readonly left: number;
  /** The height of the names of plays and steps. */
  readonly top: number;
  readonly row: number;
  /** How many rows, from the first, are tall enough to read, and their height. */
  readonly tall: number;
  readonly tallRow: number;
  readonly column: number;
  /** Whether the names of steps are level. */
  readonly isLevel: boolean;
  readonly contentWidth: number;
  readonly contentHeight: number;
}

export interface Scroll {
  readonly top: number;
  readonly left: number;
}

/** Indexes in the view, not in the page. */
export interface MatrixCell {
  readonly row: number;
  /** -1: the name of the controller. */
  readonly column: number;
}

/** @param tall how many rows, from the first, must be readable */
export function layOut({ rows, columns }: View, { width, room }: Size, row: number, tall = 0): Geometry {
  const left = width < 520 ? 96 : width < 900 ? 140 : 220;
  const fitting = (margin: number): number => Math.floor((width - left - margin) / Math.max(1, columns.length));
  const isLevel = fitting(0) >= LEVEL_COLUMN;
  const column = Math.min(WIDEST_COLUMN, Math.max(NARROWEST_COLUMN, fitting(isLevel ? 0 : OVERHANG)));
  const top = BAND + (isLevel ? LEVEL_TITLES : SLANTED_TITLES);
  const tallRow = Math.max(row, TALL);
  const contentHeight = top + rowTop({ row, tall, tallRow }, rows.length) + 4;
  const height = Math.min(room, contentHeight);
  const contentWidth = left + columns.length * column;
  return { width, height, left, top, row, tall, tallRow, column, isLevel, contentWidth, contentHeight };
}

type RowHeights = Pick<Geometry, 'row' | 'tall' | 'tallRow'>;

/** The distance of a row from the first one. */
export function rowTop({ row, tall, tallRow }: RowHeights, index: number): number {
  return Math.min(index, tall) * tallRow + Math.max(0, index - tall) * row;
}

/** The first rows are tall, so that names can be read. */
export function rowHeight({ row, tall, tallRow }: RowHeights, index: number): number {
  return index < tall ? tallRow : row;
}

/** The row at this distance from the first one, with a fraction. */
export function rowAt({ row, tall, tallRow }: RowHeights, y: number): number {
  return y < tall * tallRow ? y / tallRow : tall + (y - tall * tallRow) / row;
}

/** The largest rows that need no scrolling, or the smallest. */
export function fittingRow(rows: number, tall: number, height: number): number {
  const room = height - BAND - SLANTED_TITLES;
  const needed = (row: number): number => rowTop({ row, tall, tallRow: Math.max(row, TALL) }, rows);
  return ROW_HEIGHTS.findLast((one) => one <= 24 && needed(one) <= room) ?? ROW_HEIGHTS[0];
}

/** The next larger or smaller height of rows, for a zoom. */
export function nextRow(row: number, by: 1 | -1): number {
  const at = ROW_HEIGHTS.findIndex((one) => one >= row);
  return ROW_HEIGHTS[Math.min(ROW_HEIGHTS.length - 1, Math.max(0, at + by))] ?? row;
}

/** The cell at a point of the canvas. */
export function cellAt(view: View, geometry: Geometry, scroll: Scroll, x: number, y: number): MatrixCell | undefined {
  if (y < geometry.top || x < 0 || x >= geometry.width) return undefined;
  const row = Math.floor(rowAt(geometry, y - geometry.top + scroll.top));
  if (row < 0 || row >= view.rows.length) return undefined;
  if (x < geometry.left) return { row, column: -1 };
  const column = Math.floor((x - geometry.left + scroll.left) / geometry.column);
  return column < view.columns.length ? { row, column } : undefined;
}

/** What is visible of a row. */
export function rowBox(geometry: Geometry, scroll: Scroll, index: number): Pick<Geometry, 'top' | 'width' | 'height'> {
  const { width, contentWidth } = geometry;
  const at = geometry.top + rowTop(geometry, index) - scroll.top;
  const top = Math.max(geometry.top, at);
  const bottom = Math.min(geometry.height, at + rowHeight(geometry, index));
  return { top, width: Math.min(width, contentWidth - scroll.left), height: Math.max(0, bottom - top) };
}

/** Where to scroll for a cell to be visible: not at all if it is, else to the middle. */
export function scrollFor(geometry: Geometry, scroll: Scroll, { row, column }: MatrixCell): Scroll {
  const { left, top, width, height } = geometry;
  return {
    top: scrolled(scroll.top, rowTop(geometry, row), rowHeight(geometry, row), height - top),
    left: column < 0 ? scroll.left : scrolled(scroll.left, column * geometry.column, geometry.column, width - left),
  };
}

function scrolled(from: number, at: number, size: number, room: number): number {
  return at >= from && at + size <= from + room ? from : Math.max(0, at - (room - size) / 2);
}
