import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CELL_STATES, OUTCOMES, type ControllerOutcome } from '../../reporting/page/format/page.js';
import type { View } from '../data/view.js';
import { slug } from '../data/words.js';
import type { Colours } from './context.js';
import { rowAt, rowTop, type Geometry, type Size } from './geometry.js';

/** Reads the colours from styled elements, because a canvas does not know CSS variables. */
export function readColours(parent: HTMLElement): Colours {
  const probe = document.createElement('span');
  parent.append(probe);
  const read = (name: string): CSSStyleDeclaration => {
    probe.className = name;
    return getComputedStyle(probe);
  };
  const fills = CELL_STATES.map((state) => {
    const { backgroundColor, color } = read(`fill fill-${state}`);
    return { backgroundColor, color };
  });
  const colours: Colours = {
    fill: fills.map(({ backgroundColor }) => backgroundColor),
    ink: fills.map(({ color }) => color),
    outcome: OUTCOMES.map((outcome) => read(`fill fill-${slug(outcome)}`).backgroundColor),
    text: read('ink-text').color,
    dim: read('ink-dim').color,
    line: read('ink-line').color,
    panel: read('ink-panel').color,
    band: read('ink-band').color,
    accent: read('ink-accent').color,
  };
  probe.remove();
  return colours;
}

const SMALLEST = 260;
const MOST_MATRIX_PIXELS = 1600;
/** The share of the window's height that an element may take. */
const SHARE = 0.72;

/** The inner width of an element and the room for it, as they change. */
export function useSize(element: { readonly current: HTMLElement | null }, key: unknown): Size {
  const [size, setSize] = useState<Size>({ width: 0, room: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => {
      const room = Math.round(Math.max(SMALLEST, Math.min(MOST_MATRIX_PIXELS, innerHeight * SHARE)));
      setSize({ width: current.clientWidth, room });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, [key]);
  return size;
}

/** The canvas's context. Resizes the canvas to the physical pixels of the screen. */
export function prepareContext(
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  if (canvas === null || width === 0 || height === 0) return undefined;
  const ratio = devicePixelRatio;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  // Without synchronisation, a frame at 4K needs a third of the time: the canvas is not copied again.
  const context = canvas.getContext('2d', { alpha: false, desynchronized: true }) ?? undefined;
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Pinching and Ctrl+wheel. Without either, the wheel scrolls. */
export function useWheel(
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
    return () => element?.removeEventListener('wheel', listen);
  }, [isTable]);
}

const WORST: readonly ControllerOutcome[] = [
  'ok',
  'not started',
  'waiting',
  'running',
  'changed',
  'cut off',
  'unreachable',
  'failed',
];
const RANKS = OUTCOMES.map((outcome) => WORST.indexOf(outcome));

/** The width of the overview. */
export const OVERVIEW = 12;

/** Paints all controllers from top to bottom, with the worst outcome at each pixel, to show where to scroll. */
export function paintOverview(
  context: CanvasRenderingContext2D,
  { page, rows }: View,
  geometry: Geometry,
  colours: Colours,
): void {
  const { height } = geometry;
  const all = rowTop(geometry, rows.length);
  let [from, shown] = [0, -1];
  /** Lines of one colour are one rectangle. */
  const paintUpTo = (y: number): void => {
    context.fillStyle = colours.outcome[shown] ?? colours.panel;
    context.fillRect(0, from, OVERVIEW, y - from);
  };
  for (let y = 0; y < height; y++) {
    const first = Math.floor(rowAt(geometry, (y * all) / height));
    const end = Math.max(first + 1, Math.floor(rowAt(geometry, ((y + 1) * all) / height)));
    let worst = -1;
    for (let index = first; index < Math.min(end, rows.length); index++) {
      const code = page.outcome[rows[index] ?? 0] ?? 0;
      if (worst < 0 || (RANKS[code] ?? 0) > (RANKS[worst] ?? 0)) worst = code;
    }
    if (worst === shown) continue;
    paintUpTo(y);
    [from, shown] = [y, worst];
  }
  paintUpTo(height);
}
