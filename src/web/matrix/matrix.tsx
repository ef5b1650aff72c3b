import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { secondsOf } from '../../report/page/format/page.js';
import { codeAt, type View } from '../data/view.js';
import { duration, named, STATE_WORDS, stateOf } from '../data/words.js';
import { coloursOf } from './colours.js';
import { cellAt, fittingRow, geometryOf, nextRow, scrollFor, type CellPlace, type Scroll } from './geometry.js';
import { Grid } from './grid.js';
import { paintOverview } from './overview.js';
import { paint } from './paint.js';
import { useSize } from './size.js';

const OVERVIEW = 12;
const SCROLL_BAR = 16;

export interface MatrixProps {
  readonly view: View;
  readonly selected: CellPlace | undefined;
  readonly isTable: boolean;
  /** Changes with the colours. */
  readonly colours: unknown;
  readonly onOpen: (cell: CellPlace) => void;
}

interface Pointer {
  readonly cell: CellPlace;
  readonly x: number;
  readonly y: number;
}

/** Controllers and steps: a picture whose visible part is painted, and the same as a table. */
export function Matrix({ view, selected, isTable, colours: coloursKey, onOpen }: MatrixProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overview = useRef<HTMLCanvasElement>(null);
  const { width, room } = useSize(scroller, isTable);
  const [zoom, setZoom] = useState<number>();
  const [scroll, setScroll] = useState<Scroll>({ top: 0, left: 0 });
  const [pointer, setPointer] = useState<Pointer>();
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const [hasFocus, setFocus] = useState(false);
  const row = zoom ?? fittingRow(view.rows.length, room);
  const geometry = useMemo(() => geometryOf(view, { width, room }, row), [view, width, room, row]);
  const { height } = geometry;
  const colours = useMemo(
    () => (box.current === null ? undefined : coloursOf(box.current)),
    [coloursKey, box.current, isTable],
  );
  const cell = clamped(selected ?? active, view);

  useLayoutEffect(() => {
    const context = contextOf(canvas.current, width, height);
    if (context === undefined || colours === undefined) return;
    const shown = selected ?? (hasFocus ? cell : undefined);
    paint(context, { view, geometry, scroll, colours, hovered: pointer?.cell, selected: shown });
  });
  useEffect(() => {
    const context = contextOf(overview.current, OVERVIEW, height);
    if (context !== undefined && colours !== undefined)
      paintOverview(context, view, { width: OVERVIEW, height }, colours);
  }, [view, height, colours, width]);

  const scrollTo = ({ top, left }: Scroll): void => scroller.current?.scrollTo({ top, left, behavior: 'instant' });
  /** Keeps the row at this height of the canvas where it is. */
  const zoomBy = (by: 1 | -1, y: number): void => {
    const next = nextRow(row, by);
    const place = (scroll.top + Math.max(0, y - geometry.top)) / row;
    setZoom(next);
    requestAnimationFrame(() => {
      scrollTo({ top: place * next - Math.max(0, y - geometry.top), left: scroll.left });
    });
  };
  useEffect(() => {
    if (selected !== undefined) setActive(selected);
    if (selected !== undefined && width > 0) scrollTo(scrollFor(geometry, scroll, selected));
  }, [selected?.row, selected?.column, width > 0]);
  useWheel(scroller, isTable, (by, y) => {
    zoomBy(by, y);
  });

  const move = (to: CellPlace): void => {
    setActive(to);
    scrollTo(scrollFor(geometry, scroll, to));
    if (selected !== undefined) onOpen(to);
  };
  const hit = (event: MouseEvent): CellPlace | undefined =>
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
          onScroll={({ currentTarget }) => {
            setScroll({ top: currentTarget.scrollTop, left: currentTarget.scrollLeft });
          }}
        >
          <canvas
            ref={canvas}
            aria-hidden="true"
            style={{ width: `${width}px`, height: `${height}px` }}
            onMouseMove={(event) => {
              const found = hit(event);
              setPointer(found && { cell: found, x: event.offsetX, y: event.offsetY });
            }}
            onMouseLeave={() => {
              setPointer(undefined);
            }}
            onClick={(event) => {
              const found = hit(event);
              if (found !== undefined) onOpen(found);
            }}
          />
          <div
            class="extent"
            style={{ width: `${geometry.contentWidth}px`, height: `${Math.max(0, geometry.contentHeight - height)}px` }}
          />
          <Grid view={view} active={cell} isShown={false} onMove={move} onOpen={onOpen} onFocus={setFocus} />
        </div>
      )}
      {isTable && <Grid view={view} active={cell} isShown={true} onMove={move} onOpen={onOpen} onFocus={setFocus} />}
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
          <button
            type="button"
            aria-label="Smaller rows"
            onClick={() => {
              zoomBy(-1, height / 2);
            }}
          >
            −
          </button>
          <button
            type="button"
            aria-label="Larger rows"
            onClick={() => {
              zoomBy(1, height / 2);
            }}
          >
            +
          </button>
        </div>
      )}
      {pointer !== undefined && <Tip view={view} pointer={pointer} width={width} />}
    </div>
  );

  function overviewScroll(y: number): Scroll {
    return { top: (y / height) * view.rows.length * row - (height - geometry.top) / 2, left: scroll.left };
  }
}

function Tip({
  view,
  pointer,
  width,
}: {
  readonly view: View;
  readonly pointer: Pointer;
  readonly width: number;
}): JSX.Element {
  const { page } = view;
  const row = view.rows[pointer.cell.row] ?? 0;
  const column = view.columns[pointer.cell.column];
  const controller = page.controllers[row] ?? '';
  const side = pointer.x > width / 2 ? { right: `${width - pointer.x + 24}px` } : { left: `${pointer.x + 14}px` };
  if (column === undefined)
    return (
      <div class="tip" aria-hidden="true" style={{ ...side, top: `${pointer.y + 14}px` }}>
        <strong>{controller}</strong>
      </div>
    );
  const state = stateOf(codeAt(page, row, column));
  const at = column * page.controllers.length + row;
  const { message, words } = page.details[page.detail[at] ?? 0] ?? {};
  const text = named(message ?? words ?? '', controller).split('\n', 1)[0] ?? '';
  return (
    <div class="tip" aria-hidden="true" style={{ ...side, top: `${pointer.y + 14}px` }}>
      <strong>{controller}</strong> · {page.columns[column]?.task}
      <br />
      <span class={`ink-${state}`}>{STATE_WORDS[state]}</span>
      {state !== 'none' && <span class="dim"> in {duration(secondsOf(page.took[at] ?? 0))}</span>}
      {text !== '' && <div class="dim">{text.slice(0, 200)}</div>}
    </div>
  );
}

function clamped({ row, column }: CellPlace, { rows, columns }: View): CellPlace {
  return { row: Math.max(0, Math.min(row, rows.length - 1)), column: Math.min(column, columns.length - 1) };
}

/** The canvas's context. Resizes the canvas to the physical pixels of the screen. */
function contextOf(
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  if (canvas === null || width === 0 || height === 0) return undefined;
  const ratio = devicePixelRatio;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext('2d', { alpha: false }) ?? undefined;
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Pinching and Ctrl+wheel. Without either, the wheel scrolls. */
function useWheel(
  scroller: { readonly current: HTMLElement | null },
  isTable: boolean,
  onZoom: (by: 1 | -1, y: number) => void,
): void {
  const latest = useRef(onZoom);
  latest.current = onZoom;
  useEffect(() => {
    let last = 0;
    const listen = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      if (event.timeStamp - last < 60) return;
      last = event.timeStamp;
      latest.current(event.deltaY < 0 ? 1 : -1, event.offsetY);
    };
    const element = scroller.current;
    element?.addEventListener('wheel', listen, { passive: false });
    return () => {
      element?.removeEventListener('wheel', listen);
    };
  }, [isTable]);
}
