import { CELL_STATES } from '../../reporting/page/format/page.js';
import { GLYPHS } from '../data/words.js';
import { fitted, FONT, type DrawingContext } from './context.js';
import { READABLE, rowHeight, rowTop, type Geometry } from './geometry.js';
import {
  hasSameTitles,
  isSameLayout,
  visibleCodes,
  visibleColumns,
  visibleNames,
  visibleRows,
  type PaintedMatrix,
  type ShownMatrix,
} from './shown.js';

const GLYPH_OF = CELL_STATES.map((state) => GLYPHS[state]);

/** Paints what is visible. @param shown what the canvas shows already: then only what differs from it */
export function paint(context: DrawingContext, painted: PaintedMatrix, shown?: ShownMatrix): ShownMatrix {
  const { geometry, colours } = painted;
  const now = { painted, codes: visibleCodes(painted), names: visibleNames(painted) };
  const before = shown !== undefined && isSameLayout(shown.painted, painted) ? shown : undefined;
  const hasTitles = shown !== undefined && hasSameTitles(shown.painted, painted);
  if (before === undefined) {
    const top = hasTitles ? geometry.top : 0;
    context.fillStyle = colours.panel;
    context.fillRect(0, top, geometry.width, geometry.height - top);
  }
  const below = (x: number, width: number, paintPart: () => void): void => {
    context.save();
    context.beginPath();
    context.rect(x, geometry.top, width, geometry.height - geometry.top);
    context.clip();
    paintPart();
    context.restore();
  };
  below(geometry.left - 1, geometry.width - geometry.left + 1, () => {
    paintCells(context, now, before);
    paintMark(context, painted);
  });
  below(0, geometry.left - 1, () => paintNames(context, now, before));
  if (!hasTitles) paintTitles(context, painted);
  return now;
}

/** Neighbours of one colour in a column are one rectangle, unless rows are far enough apart to show each. */
function paintCells(context: DrawingContext, { painted, codes }: ShownMatrix, before?: ShownMatrix): void {
  const { geometry, scroll, colours } = painted;
  const [first, end] = visibleRows(painted);
  const [left, right] = visibleColumns(painted);
  const isToPaint = (index: number): boolean =>
    before === undefined ? codes[index] !== 0 : codes[index] !== before.codes[index];
  for (let at = left; at < right; at++) {
    const x = geometry.left + at * geometry.column - scroll.left;
    const from = (at - left) * (end - first) - first;
    for (let index = first; index < end;) {
      const code = codes[from + index] ?? 0;
      const row = rowHeight(geometry, index);
      const gap = row >= 9 ? 1 : 0;
      let next = index + 1;
      if (isToPaint(from + index)) {
        while (gap === 0 && next < end && codes[from + next] === code && isToPaint(from + next)) next++;
        const y = geometry.top + rowTop(geometry, index) - scroll.top;
        const height = (next - index) * row - gap;
        context.fillStyle = code === 0 ? colours.panel : (colours.fill[code] ?? '');
        context.fillRect(x, y, geometry.column - 1, height);
        if (code !== 0 && row >= READABLE && geometry.column >= READABLE)
          paintGlyph(context, painted, { code, row, x: x + (geometry.column - 1) / 2, y: y + height / 2 });
      }
      index = next;
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

/** The selected cell. */
function paintMark(context: DrawingContext, { geometry, scroll, colours, selected }: PaintedMatrix): void {
  if (selected === undefined) return;
  const row = rowHeight(geometry, selected.row);
  const height = Math.max(row, 6);
  const y = geometry.top + rowTop(geometry, selected.row) - scroll.top + (row - height) / 2;
  const [x, width] =
    selected.column < 0
      ? [geometry.left, geometry.contentWidth - geometry.left]
      : [geometry.left + selected.column * geometry.column - scroll.left, geometry.column - 1];
  context.strokeStyle = colours.panel;
  context.lineWidth = 5;
  context.strokeRect(x - 1, y - 1, width + 2, height + 1);
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.strokeRect(x - 1, y - 1, width + 2, height + 1);
}

/** Names of controllers where there is room, else those of groups. */
function paintNames(context: DrawingContext, { painted, names }: ShownMatrix, before?: ShownMatrix): void {
  const { view, geometry, scroll, colours, selected } = painted;
  const sections = before === undefined ? undefined : JSON.stringify(before.painted.view.sections);
  const hasSections = geometry.row < READABLE && sections !== JSON.stringify(view.sections);
  context.fillStyle = colours.panel;
  const top = before === undefined ? 0 : Math.max(0, rowTop(geometry, geometry.tall) - scroll.top);
  if (before === undefined || hasSections) context.fillRect(0, geometry.top + top, geometry.left - 1, geometry.height);
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  if (hasSections) paintSections(context, painted);
  const [first] = visibleRows(painted);
  for (const [at, name] of names.entries()) {
    if (before?.names[at] === name) continue;
    const index = first + at;
    const row = view.rows[index] ?? 0;
    const height = rowHeight(geometry, index);
    const y = geometry.top + rowTop(geometry, index) + height / 2 - scroll.top;
    if (before !== undefined) {
      context.fillStyle = colours.panel;
      context.fillRect(0, y - height / 2, geometry.left - 1, height);
    }
    context.fillStyle = colours.outcome[view.page.outcome[row] ?? 0] ?? '';
    context.fillRect(2, y - height / 2 + 1, 4, height - 3);
    context.fillStyle = colours.text;
    context.font = `${index === selected?.row ? '600 ' : ''}${Math.min(13, height - 2)}px ${FONT}`;
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

/** The slope of the names of steps. */
const SLANT = -Math.PI / 3.2;

/** The names of plays and steps, above the cells. */
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
