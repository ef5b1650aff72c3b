import { fitted, FONT, type DrawingContext } from './context.js';
import type { Geometry } from './geometry.js';
import { visibleColumns, type PaintedMatrix } from './shown.js';

/** The slope of the names of steps. */
const SLANT = -Math.PI / 3.2;

/** The names of plays and steps, above the cells. */
export function paintTitles(context: DrawingContext, painted: PaintedMatrix): void {
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
