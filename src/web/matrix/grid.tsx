import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { codeAt, rowRoute, type View } from '../data/view.js';
import { GLYPHS, OUTCOME_GLYPHS, outcomeByCode, slug, STATE_WORDS, stateByCode } from '../data/words.js';
import type { MatrixCell } from './geometry.js';

const ROW = 30;
/** Rows beyond the visible ones, for scrolling. */
const MARGIN = 8;
/** Rows and columns around the active cell, for screen readers beside the picture. */
const AROUND = 4;
const PAGE = 20;

export interface GridProps {
  readonly view: View;
  readonly active: MatrixCell;
  /** False: only for keyboards and screen readers, because the picture shows the same. */
  readonly isShown: boolean;
  readonly onMove: (to: MatrixCell) => void;
  readonly onOpen: (cell: MatrixCell) => void;
  readonly onFocus: (hasFocus: boolean) => void;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The matrix as a table. Renders only the visible part or, beside the picture, the part around the active cell for screen readers. */
export function Grid(props: GridProps): JSX.Element {
  const { view, active, isShown, onFocus } = props;
  const box = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState<Span>({ from: 0, to: 40 });
  const hasFocus = useRef(false);
  /** The cell that had the focus may be gone after a move, and the one that gets it may come later. */
  const movesFocus = useRef(false);
  const measure = (): void => {
    const { scrollTop = 0, clientHeight = 600 } = box.current ?? {};
    const from = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
    const to = Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN;
    setVisible((now) => (now.from === from && now.to === to ? now : { from, to }));
  };
  useEffect(measure, [isShown, view]);
  useLayoutEffect(() => {
    movesFocus.current ||= hasFocus.current;
    if (!isShown || box.current === null) return;
    scrollTo(box.current, active.row);
    if (movesFocus.current) measure();
  }, [active.row, active.column, isShown]);
  useLayoutEffect(() => {
    const cell = movesFocus.current ? box.current?.querySelector<HTMLElement>('[tabindex="0"]') : undefined;
    if (cell === undefined || cell === null) return;
    movesFocus.current = false;
    cell.focus({ preventScroll: !isShown });
  });
  const rows = isShown ? within(visible, view.rows.length) : around(active.row, view.rows.length);
  // The active row stays where it is, also if it is not visible: it may have the focus.
  const isRendered = (index: number): boolean => index === active.row || (index >= rows.from && index < rows.to);
  const indexes = [...view.rows.keys()].filter(isRendered);
  const columns = isShown ? { from: 0, to: view.columns.length } : around(active.column, view.columns.length);
  return (
    <div class={isShown ? 'grid' : 'grid unseen'} ref={box} onScroll={measure}>
      <table
        role="grid"
        aria-label="Controllers and steps"
        aria-rowcount={view.rows.length + 1}
        aria-colcount={view.columns.length + 1}
        onKeyDown={(event) => {
          const to = moved(event, props);
          if (to === undefined) return;
          event.preventDefault();
          movesFocus.current = to.row !== active.row || to.column !== active.column;
          if (to !== active) props.onMove(to);
        }}
        onFocusIn={() => {
          hasFocus.current = true;
          onFocus(true);
        }}
        onFocusOut={() => {
          hasFocus.current = false;
          onFocus(false);
        }}
      >
        <Titles view={view} columns={columns} />
        <tbody>
          {indexes.flatMap((index, nth) => [
            <Space key={`before ${index}`} rows={index - 1 - (indexes[nth - 1] ?? -1)} />,
            <Row key={index} {...props} index={index} row={view.rows[index] ?? 0} columns={columns} />,
          ])}
          <Space rows={isShown ? view.rows.length - 1 - (indexes.at(-1) ?? -1) : 0} />
        </tbody>
      </table>
    </div>
  );
}

function Titles({ view, columns }: { readonly view: View; readonly columns: Span }): JSX.Element {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" aria-colindex={1}>
          Controller
        </th>
        {view.columns.slice(columns.from, columns.to).map((column, index) => {
          const { task = '', play = 0 } = view.page.columns[column] ?? {};
          return (
            <th key={column} scope="col" aria-colindex={columns.from + index + 2} title={view.page.plays[play]?.name}>
              {task}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface RowProps extends GridProps {
  readonly index: number;
  readonly row: number;
  readonly columns: Span;
}

function Row({ view, active, index, row, columns, onMove, onOpen }: RowProps): JSX.Element {
  const { page } = view;
  const outcome = outcomeByCode(page.outcome[row]);
  const route = rowRoute(page, row);
  const cell = (column: number) => ({
    tabIndex: active.row === index && active.column === column ? 0 : -1,
    'aria-colindex': column + 2,
    onClick: () => {
      onMove({ row: index, column });
      onOpen({ row: index, column });
    },
  });
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row" {...cell(-1)}>
        <span class={`mark fill fill-${slug(outcome)}`} aria-hidden="true">
          {OUTCOME_GLYPHS[outcome]}
        </span>{' '}
        {page.controllers[row]} <span class="unseen">{outcome}</span>
        {route !== undefined && <span class="dim"> {route}</span>}
      </th>
      {view.columns.slice(columns.from, columns.to).map((column, index) => {
        const state = stateByCode(codeAt(page, row, column));
        return (
          <td key={column} class={state} {...cell(columns.from + index)}>
            <span class={`mark fill fill-${state}`} aria-hidden="true">
              {GLYPHS[state]}
            </span>{' '}
            {STATE_WORDS[state]}
          </td>
        );
      })}
    </tr>
  );
}

/** Takes the place of rows that are not rendered. */
function Space({ rows }: { readonly rows: number }): JSX.Element | null {
  return rows > 0 ? <tr aria-hidden="true" style={{ height: `${rows * ROW}px` }} /> : null;
}

function within({ from, to }: Span, length: number): Span {
  return { from: Math.min(from, Math.max(0, length - 1)), to: Math.min(to, length) };
}

function around(at: number, length: number): Span {
  return { from: Math.max(0, at - AROUND), to: Math.min(length, Math.max(0, at) + AROUND + 1) };
}

function scrollTo(box: HTMLElement, row: number): void {
  const top = row * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + 2 * ROW > box.scrollTop + box.clientHeight - ROW) box.scrollTop = top + 3 * ROW - box.clientHeight;
}

/** By key; outside of the table, its edge is meant. */
const MOVES: Readonly<Record<string, (from: MatrixCell, last: MatrixCell, isFar: boolean) => MatrixCell>> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column }) => ({ row: row + PAGE, column }),
  PageUp: ({ row, column }) => ({ row: row - PAGE, column }),
  Home: ({ row }, _last, isFar) => ({ row: isFar ? 0 : row, column: -1 }),
  End: ({ row }, last, isFar) => ({ row: isFar ? last.row : row, column: last.column }),
};

/** The cell to which a key moves; the same cell if the key does something else. Undefined: the key is not handled here. */
function moved(event: KeyboardEvent, { view, active, onOpen }: GridProps): MatrixCell | undefined {
  if (event.altKey || event.metaKey) return undefined;
  if (event.key === 'Enter' || event.key === ' ') {
    onOpen(active);
    return active;
  }
  const last = { row: view.rows.length - 1, column: view.columns.length - 1 };
  const to = MOVES[event.key]?.(active, last, event.ctrlKey);
  return to && { row: clamp(to.row, 0, last.row), column: clamp(to.column, -1, last.column) };
}

function clamp(at: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, at));
}
