import type { JSX } from 'preact';
import { decodeSeconds, type Page } from '../../reporting/page/format/page.js';
import { codeAt } from '../data/view.js';
import { elapsed, named, STATE_WORDS, stateByCode } from '../data/words.js';
import { rowBox, type MatrixCell } from './geometry.js';
import type { PaintedMatrix } from './shown.js';

export interface Pointer {
  readonly cell: MatrixCell;
  readonly x: number;
  readonly y: number;
}

interface HoveredProps extends Pick<PaintedMatrix, 'view' | 'geometry' | 'scroll'> {
  readonly pointer: Pointer;
}

/** The row under the pointer, and what its cell means. Beside the picture, which so need not be painted again. */
export function Hovered({ view, geometry, scroll, pointer: { cell, x, y } }: HoveredProps): JSX.Element {
  const { page } = view;
  const { width, height } = geometry;
  const box = rowBox(geometry, scroll, cell.row);
  const row = view.rows[cell.row] ?? 0;
  const column = view.columns[cell.column];
  const side = x > width / 2 ? { right: `${width - x + 24}px` } : { left: `${x + 14}px` };
  const end = y > height / 2 ? { bottom: `${height - y + 14}px` } : { top: `${y + 14}px` };
  return (
    <>
      <div class="hovered" style={{ top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` }} />
      <div class="tip" aria-hidden="true" style={{ ...side, ...end }}>
        <strong>{page.controllers[row]}</strong>
        {column !== undefined && <Result page={page} row={row} column={column} />}
      </div>
    </>
  );
}

interface ResultProps {
  readonly page: Page;
  readonly row: number;
  readonly column: number;
}

function Result({ page, row, column }: ResultProps): JSX.Element {
  const state = stateByCode(codeAt(page, row, column));
  const at = column * page.controllers.length + row;
  const { message, words } = page.details[page.detail[at] ?? 0] ?? {};
  const text = named(message ?? words ?? '', page.controllers[row] ?? '').split('\n', 1)[0] ?? '';
  return (
    <>
      {' '}
      · {page.columns[column]?.task}
      <br />
      <span class={`ink-${state}`}>{STATE_WORDS[state]}</span>
      {state !== 'none' && <span class="dim"> in {elapsed(decodeSeconds(page.took[at] ?? 0))}</span>}
      {text !== '' && <div class="dim">{text.slice(0, 200)}</div>}
    </>
  );
}
