import { useLayoutEffect, useState } from 'preact/hooks';

const SMALLEST = 260;
const LARGEST = 1600;
/** The share of the window's height that an element may take. */
const SHARE = 0.72;

export interface Size {
  readonly width: number;
  /** The height that an element may take. */
  readonly room: number;
}

/** The inner width of an element and the room for it, as they change. */
export function useSize(element: { readonly current: HTMLElement | null }, key: unknown): Size {
  const [size, setSize] = useState<Size>({ width: 0, room: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => {
      const room = Math.round(Math.max(SMALLEST, Math.min(LARGEST, innerHeight * SHARE)));
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
