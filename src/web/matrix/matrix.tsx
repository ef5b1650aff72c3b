import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { View } from '../data/view.js';
import { OVERVIEW, paintOverview, prepareContext, readColours, useSize, useWheel } from './canvas.js';
import {
  cellAt,
  fittingRow,
  layOut,
  nextRow,
  rowAt,
  rowTop,
  scrollFor,
  type MatrixCell,
  type Scroll,
} from './geometry.js';
import { Grid } from './grid.js';
import { Hovered, type Pointer } from './hovered.js';
import { paint } from './paint.js';
import type { ShownMatrix } from './shown.js';

const SCROLL_BAR = 16;

export interface MatrixProps {
  readonly view: View;
  readonly selected: MatrixCell | undefined;
  readonly isTable: boolean;
  /** Changes with the colours. */
  readonly colours: unknown;
  readonly onOpen: (cell: MatrixCell) => void;
}

/** A canvas is empty if it is new, or if its size in physical pixels has changed. */
interface ShownOn {
  readonly context: CanvasRenderingContext2D;
  readonly ratio: number;
  readonly matrix: ShownMatrix;
}

/** Controllers and steps: a picture whose visible part is painted, and the same as a table. */
export function Matrix({ view, selected, isTable, colours: coloursKey, onOpen }: MatrixProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overview = useRef<HTMLCanvasElement>(null);
  const shown = useRef<ShownOn | undefined>(undefined);
  const { width, room } = useSize(scroller, isTable);
  const [zoom, setZoom] = useState<number>();
  const [scroll, setScroll] = useState<Scroll>({ top: 0, left: 0 });
  const [pointer, setPointer] = useState<Pointer>();
  const [active, setActive] = useState<MatrixCell>({ row: 0, column: 0 });
  const [hasFocus, setFocus] = useState(false);
  const tall = tallRows(view);
  const row = zoom ?? fittingRow(view.rows.length, tall, room);
  const geometry = useMemo(
    () => layOut(view, { width, room }, row, tall),
    [view.rows.length, view.columns.length, tall, width, room, row],
  );
  const { height } = geometry;
  const colours = useMemo(
    () => (box.current === null ? undefined : readColours(box.current)),
    [coloursKey, box.current],
  );
  const cell = clamped(selected ?? active, view);

  const marked = selected ?? (hasFocus ? cell : undefined);
  useLayoutEffect(() => {
    const context = prepareContext(canvas.current, width, height);
    if (context === undefined || colours === undefined) return;
    const before =
      shown.current?.context === context && shown.current.ratio === devicePixelRatio ? shown.current : undefined;
    const matrix = paint(context, { view, geometry, scroll, colours, selected: marked }, before?.matrix);
    shown.current = { context, ratio: devicePixelRatio, matrix };
  }, [view, geometry, scroll, colours, marked?.row, marked?.column, devicePixelRatio, isTable]);
  useEffect(() => {
    const context = prepareContext(overview.current, OVERVIEW, height);
    if (context !== undefined && colours !== undefined) paintOverview(context, view, geometry, colours);
  }, [view, geometry, colours, isTable]);

  const scrollTo = ({ top, left }: Scroll): void => scroller.current?.scrollTo({ top, left, behavior: 'instant' });
  /** Keeps the row at this height of the canvas where it is. */
  const zoomBy = (by: 1 | -1, y: number): void => {
    const next = nextRow(row, by);
    const below = Math.max(0, y - geometry.top);
    const place = rowAt(geometry, scroll.top + below);
    setZoom(next);
    requestAnimationFrame(() => {
      const heights = layOut(view, { width, room }, next, tall);
      scrollTo({ top: rowTop(heights, place) - below, left: scroll.left });
    });
  };
  useEffect(() => {
    if (selected !== undefined) setActive(selected);
    if (selected !== undefined && width > 0) scrollTo(scrollFor(geometry, scroll, selected));
  }, [selected?.row, selected?.column, width > 0]);
  useWheel(scroller, isTable, (by, y) => zoomBy(by, y));

  const latest = useRef<((to: MatrixCell) => void) | undefined>(undefined);
  latest.current = (to) => {
    setActive(to);
    scrollTo(scrollFor(geometry, scroll, to));
    if (selected !== undefined) onOpen(to);
  };
  const grid = useMemo(
    () => (
      <Grid
        view={view}
        active={cell}
        isShown={isTable}
        onMove={(to) => latest.current?.(to)}
        onOpen={onOpen}
        onFocus={setFocus}
      />
    ),
    [view, cell.row, cell.column, isTable],
  );
  const hit = (event: MouseEvent): MatrixCell | undefined =>
    cellAt(view, geometry, scroll, event.offsetX, event.offsetY);
  return (
    <div
      class="matrix"
      ref={box}
      onKeyDown={({ key }) => {
        if (key === '+' || key === '=') zoomBy(1, height / 2);
        if (key === '-') zoomBy(-1, height / 2);
      }}
    >
      {!isTable && (
        <div
          class="scroller"
          ref={scroller}
          style={{ height: `${height + (geometry.contentWidth > width ? SCROLL_BAR : 0)}px` }}
          onScroll={({ currentTarget }) => setScroll({ top: currentTarget.scrollTop, left: currentTarget.scrollLeft })}
        >
          <canvas
            ref={canvas}
            aria-hidden="true"
            style={{ width: `${width}px`, height: `${height}px` }}
            onMouseMove={(event) => {
              const found = hit(event);
              setPointer(found && { cell: found, x: event.offsetX, y: event.offsetY });
            }}
            onMouseLeave={() => setPointer(undefined)}
            onClick={(event) => {
              const found = hit(event);
              if (found !== undefined) onOpen(found);
            }}
          />
          <div
            class="extent"
            style={{ width: `${geometry.contentWidth}px`, height: `${Math.max(0, geometry.contentHeight - height)}px` }}
          />
          {grid}
        </div>
      )}
      {isTable && grid}
      {!isTable && (
        <canvas
          class="overview"
          ref={overview}
          aria-hidden="true"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            scrollTo(overviewScroll(event.offsetY));
          }}
          onPointerMove={(event) => {
            if (event.buttons > 0) scrollTo(overviewScroll(event.offsetY));
          }}
        />
      )}
      {!isTable && (
        <div class="zoom" role="group" aria-label="Zoom">
          <button type="button" aria-label="Smaller rows" onClick={() => zoomBy(-1, height / 2)}>
            –
          </button>
          <button type="button" aria-label="Larger rows" onClick={() => zoomBy(1, height / 2)}>
            +
          </button>
        </div>
      )}
      {pointer !== undefined && pointer.cell.row < view.rows.length && (
        <Hovered view={view} geometry={geometry} scroll={scroll} pointer={pointer} />
      )}
    </div>
  );

  function overviewScroll(y: number): Scroll {
    return { top: (y / height) * rowTop(geometry, view.rows.length) - (height - geometry.top) / 2, left: scroll.left };
  }
}

const TALL_STEP = 16;

/** Rows that must be readable. While a run is running, there are a few more, so that a failure rarely moves all the others. */
function tallRows({ page, rows, lost }: View): number {
  return page.run.status === 'running' ? Math.min(rows.length, Math.ceil(lost / TALL_STEP) * TALL_STEP) : lost;
}

function clamped({ row, column }: MatrixCell, { rows, columns }: View): MatrixCell {
  return { row: Math.max(0, Math.min(row, rows.length - 1)), column: Math.min(column, columns.length - 1) };
}
