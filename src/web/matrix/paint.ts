import { CELL_STATES } from '../../reporting/page/format/page.js';
import { codeAt, type View } from '../data/view.js';
import { GLYPHS } from '../data/words.js';
import { fitted, type Colours, type DrawingContext } from './context.js';
import { READABLE, rowAt, rowHeight, rowTop, type CellPlace, type Geometry, type Scroll } from './geometry.js';

const FONT = 'system-ui, sans-serif';
/** The slope of the names of steps. */
const SLANT = -Math.PI / 3.2;
const GLYPH_OF = CELL_STATES.map((state) => GLYPHS[state]);

export interface PaintedMatrix {
  readonly view: View;
  readonly geometry: Geometry;
  readonly scroll: Scroll;
  readonly colours: Colours;
  readonly hovered: CellPlace | undefined;
  readonly selected: CellPlace | undefined;
}

/** Paints what is visible. */
export function paint(context: DrawingContext, painted: PaintedMatrix): void {
  const { geometry, colours } = painted;
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, geometry.width, geometry.height);
  context.save();
  context.beginPath();
  context.rect(0, geometry.top, geometry.width, geometry.height - geometry.top);
  context.clip();
  paintCells(context, painted);
  paintMarks(context, painted);
  paintNames(context, painted);
  context.restore();
  paintTitles(context, painted);
}

function visibleRows({ view, geometry, scroll }: PaintedMatrix): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor(rowAt(geometry, scroll.top)));
  const end = Math.ceil(rowAt(geometry, scroll.top + geometry.height - geometry.top));
  return [first, Math.min(view.rows.length, end)];
}

function visibleColumns({ view, geometry, scroll }: PaintedMatrix): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor(scroll.left / geometry.column));
  const end = Math.ceil((scroll.left + geometry.width - geometry.left) / geometry.column);
  return [first, Math.min(view.columns.length, end)];
}

/** Neighbours of one colour in a column are one rectangle, unless rows are far enough apart to show each. */
function paintCells(context: DrawingContext, painted: PaintedMatrix): void {
  const { view, geometry, scroll, colours } = painted;
  const [first, end] = visibleRows(painted);
  const [left, right] = visibleColumns(painted);
  for (let at = left; at < right; at++) {
    const column = view.columns[at] ?? 0;
    const x = geometry.left + at * geometry.column - scroll.left;
    for (let place = first; place < end;) {
      const code = codeAt(view.page, view.rows[place] ?? 0, column);
      const row = rowHeight(geometry, place);
      const gap = row >= 9 ? 1 : 0;
      let next = place + 1;
      while (gap === 0 && next < end && codeAt(view.page, view.rows[next] ?? 0, column) === code) next++;
      if (code !== 0) {
        const y = geometry.top + rowTop(geometry, place) - scroll.top;
        const height = (next - place) * row - gap;
        context.fillStyle = colours.fill[code] ?? '';
        context.fillRect(x, y, geometry.column - 1, height);
        if (row >= READABLE && geometry.column >= READABLE)
          paintGlyph(context, painted, { code, row, x: x + (geometry.column - 1) / 2, y: y + height / 2 });
      }
      place = next;
    }
  }
}

function paintGlyph(
  context: DrawingContext,
  { colours }: PaintedMatrix,
  { code, row, x, y }: { readonly code: number; readonly row: number; readonly x: number; readonly y: number },
): void {
  context.fillStyle = colours.ink[code] ?? '';
  context.font = `600 ${Math.min(15, row - 4)}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(GLYPH_OF[code] ?? '', x, y + 0.5);
}

/** The row and column under the pointer, and the selected cell. */
function paintMarks(context: DrawingContext, { geometry, scroll, colours, hovered, selected }: PaintedMatrix): void {
  const top = (row: number): number => geometry.top + rowTop(geometry, row) - scroll.top;
  const columnLeft = (column: number): number => geometry.left + column * geometry.column - scroll.left;
  context.strokeStyle = colours.text;
  if (hovered !== undefined) {
    context.lineWidth = 1;
    context.strokeRect(
      geometry.left - 0.5,
      top(hovered.row) - 0.5,
      geometry.contentWidth - geometry.left,
      rowHeight(geometry, hovered.row),
    );
  }
  if (selected === undefined) return;
  const row = rowHeight(geometry, selected.row);
  const height = Math.max(row, 6);
  const y = top(selected.row) + (row - height) / 2;
  const [x, width] =
    selected.column < 0
      ? [geometry.left, geometry.contentWidth - geometry.left]
      : [columnLeft(selected.column), geometry.column - 1];
  context.strokeStyle = colours.panel;
  context.lineWidth = 5;
  context.strokeRect(x - 1, y - 1, width + 2, height + 1);
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.strokeRect(x - 1, y - 1, width + 2, height + 1);
}

/** Names of controllers where there is room, else those of groups. */
function paintNames(context: DrawingContext, painted: PaintedMatrix): void {
  const { view, geometry, scroll, colours, hovered, selected } = painted;
  context.fillStyle = colours.panel;
  context.fillRect(0, geometry.top, geometry.left - 1, geometry.height);
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  if (geometry.row < READABLE) paintSections(context, painted);
  const [first, visible] = visibleRows(painted);
  const end = geometry.row < READABLE ? Math.min(visible, geometry.tall) : visible;
  for (let place = first; place < end; place++) {
    const row = view.rows[place] ?? 0;
    const height = rowHeight(geometry, place);
    const y = geometry.top + rowTop(geometry, place) + height / 2 - scroll.top;
    context.fillStyle = colours.outcome[view.page.outcome[row] ?? 0] ?? '';
    context.fillRect(2, y - height / 2 + 1, 4, height - 3);
    const isMarked = place === hovered?.row || place === selected?.row;
    context.fillStyle = colours.text;
    context.font = `${isMarked ? '600 ' : ''}${Math.min(13, height - 2)}px ${FONT}`;
    context.fillText(fitted(context, view.page.controllers[row] ?? '', geometry.left - 18), 11, y);
  }
}

function paintSections(context: DrawingContext, { view, geometry, scroll, colours }: PaintedMatrix): void {
  context.font = `12px ${FONT}`;
  for (const { name, from, to } of view.sections) {
    if (to <= geometry.tall) continue;
    const first = Math.max(from, geometry.tall);
    const top = Math.max(geometry.top, geometry.top + rowTop(geometry, first) - scroll.top);
    const bottom = Math.min(geometry.height, geometry.top + rowTop(geometry, to) - scroll.top);
    context.fillStyle = colours.line;
    context.fillRect(geometry.left - 8, top, 3, Math.max(1, bottom - top - 1));
    if (bottom - top < 14) continue;
    context.fillStyle = colours.dim;
    context.fillText(fitted(context, name, geometry.left - 18), 4, (top + bottom) / 2);
  }
}

function paintTitles(context: DrawingContext, painted: PaintedMatrix): void {
  const { view, geometry, scroll, colours } = painted;
  const [left, right] = visibleColumns(painted);
  context.save();
  context.beginPath();
  context.rect(geometry.left, 0, geometry.width - geometry.left, geometry.top);
  context.clip();
  context.textBaseline = 'middle';
  for (let at = left; at < right; at++) {
    const about = view.page.columns[view.columns[at] ?? 0];
    if (about === undefined) continue;
    const x = geometry.left + at * geometry.column - scroll.left;
    context.fillStyle = about.type === 'task' ? colours.text : colours.dim;
    context.font = `${about.type === 'task' ? '' : 'italic '}12px ${FONT}`;
    const mark = about.type === 'handler' ? '» ' : about.type === 'gate' ? '◊ ' : '';
    if (geometry.isLevel) paintLevel(context, mark + about.task, x, geometry);
    else paintSlanted(context, mark + about.task, x, geometry);
  }
  paintBands(context, painted);
  context.restore();
  context.fillStyle = colours.line;
  context.fillRect(0, geometry.top - 1, geometry.width, 1);
}

function paintLevel(context: DrawingContext, text: string, x: number, { column, top }: Geometry): void {
  context.textAlign = 'left';
  const words = text.split(' ');
  let first = '';
  while (words.length > 0 && context.measureText(`${first} ${words[0] ?? ''}`).width < column - 8)
    first = `${first} ${words.shift() ?? ''}`.trim();
  if (first === '') first = words.shift() ?? '';
  context.fillText(fitted(context, first, column - 8), x + 2, top - 28);
  context.fillText(fitted(context, words.join(' '), column - 8), x + 2, top - 12);
}

function paintSlanted(context: DrawingContext, text: string, x: number, { column, top }: Geometry): void {
  context.save();
  context.translate(x + column / 2 + 3, top - 6);
  context.rotate(SLANT);
  context.textAlign = 'left';
  context.fillText(fitted(context, text, 122), 0, 0);
  context.restore();
}

/** A band over the steps of each play. */
function paintBands(context: DrawingContext, painted: PaintedMatrix): void {
  const { view, geometry, scroll, colours } = painted;
  context.font = `600 12px ${FONT}`;
  context.textAlign = 'left';
  for (let at = 0; at < view.columns.length;) {
    const play = view.page.columns[view.columns[at] ?? 0]?.play ?? 0;
    let next = at + 1;
    while (next < view.columns.length && view.page.columns[view.columns[next] ?? 0]?.play === play) next++;
    const x = Math.max(geometry.left, geometry.left + at * geometry.column - scroll.left);
    const width = geometry.left + next * geometry.column - scroll.left - x - 2;
    at = next;
    if (width <= 0) continue;
    context.fillStyle = colours.band;
    context.fillRect(x, 0, width, 18);
    context.fillStyle = colours.text;
    context.fillText(fitted(context, view.page.plays[play]?.name ?? '', width - 10), x + 5, 9.5);
  }
}
