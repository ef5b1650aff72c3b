import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../../reporting/page/format/page.js';
import { completed, FrameWork, type InParts } from '../data/frame_work.js';
import type { View } from '../data/view.js';
import type { Go } from './address.js';
import { useMedia } from './theme.js';

/** Keeps the address at the same step: while a run is running, new steps appear between the known ones. */
export function useSameStep(page: Page, step: number | undefined, go: Go): void {
  const before = useRef(page);
  useLayoutEffect(() => {
    const column = step === undefined ? undefined : before.current.columns[step];
    const place = column === undefined ? -1 : page.columns.indexOf(column);
    if (before.current !== page && place >= 0 && place !== step) go({ step: place });
    before.current = page;
  }, [page]);
}

/** As in the styles: here the drawer covers the page. */
const NARROW = '(max-width: 900px)';

export function useNarrow(): boolean {
  return useMedia(NARROW);
}

/** When the drawer closes, the focus returns to what opened it, else to the cell in the matrix. */
export function useReturningFocus(isOpen: boolean): { current: Element | null } {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) {
      const { current } = opener;
      const isGone = current === null || !current.isConnected || current === document.body;
      // The active cell may be another one by now.
      const cell = document.querySelector<HTMLElement>('[role="grid"] [tabindex="0"]');
      const to = isGone || current.closest('[role="grid"]') !== null ? cell : current;
      if (to instanceof HTMLElement) to.focus({ preventScroll: true });
    }
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}

/** Milliseconds between two updates of what is below the matrix, while a run is running. */
const PAUSE = 1000;

function isSameSearch(one: View, other: View): boolean {
  return one.query === other.query && one.order === other.order;
}

/** Delays what is below the matrix until the rest is painted: a search shows its result at once, and typing never waits. */
export function useLater(view: View): View {
  const [shown, setShown] = useState(view);
  const last = useRef(0);
  useEffect(() => {
    const wait = isSameSearch(shown, view) ? Math.max(0, last.current + PAUSE - performance.now()) : 0;
    const timer = setTimeout(() => {
      last.current = performance.now();
      setShown(view);
    }, wait);
    return () => clearTimeout(timer);
  }, [view]);
  return shown;
}

const work = new FrameWork((run) => {
  requestAnimationFrame(run);
});

/** A result, and the view that it is about. */
interface Computed<T> {
  readonly view: View;
  readonly value: T;
}

/** The result for the view, or, until that is computed, the last one: a frame has no time for all cells. The first one is computed at once. */
export function useInParts<T>(view: View, compute: (view: View) => InParts<T>): Computed<T> {
  const [shown, setShown] = useState<Computed<T>>(() => ({ view, value: completed(compute(view)) }));
  const { current: state } = useRef<{ newest: View; drop?: (() => void) | undefined; running: View }>({
    newest: view,
    running: view,
  });
  const start = (): void => {
    const running = state.newest;
    state.running = running;
    const parts = function* (): InParts<T> {
      try {
        return yield* compute(running);
      } finally {
        state.drop = undefined;
      }
    };
    state.drop = work.add(parts(), (value) => {
      setShown({ view: running, value });
      if (state.newest !== running) start();
    });
  };
  useLayoutEffect(() => {
    if (view === state.newest) return;
    state.newest = view;
    // While a run is running, views come faster than results.
    if (state.drop !== undefined && isSameSearch(state.running, view)) return;
    state.drop?.();
    start();
  }, [view]);
  useEffect(() => () => state.drop?.(), []);
  return shown;
}

/** For windows and tabs beside each other. Undefined: it stays. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · evenkeel`;
  }, [title]);
}

/** The same function each time. Calling it calls the latest one. */
export function useLatest<A extends readonly unknown[]>(call: (...args: A) => void): (...args: A) => void {
  const latest = useRef(call);
  latest.current = call;
  return useCallback((...args: A) => latest.current(...args), []);
}

/** The section that a key jumps to. */
const SECTIONS: Readonly<Record<string, string>> = { f: 'failures', c: 'changes', t: 'timeline', m: 'matrix' };

interface Keys {
  readonly search: () => void;
  readonly help: () => void;
  readonly close: (() => void) | undefined;
}

/** The keys of the page: `/`, `?`, Escape, and a letter for each section. */
export function useKeys({ search, help, close }: Keys): void {
  const listen = useLatest((event: KeyboardEvent) => {
    const { target, key } = event;
    if (document.querySelector('dialog[open]') !== null) return;
    if (key === 'Escape' && target instanceof HTMLInputElement) target.blur();
    else if (key === 'Escape') close?.();
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    if (key === '/') {
      event.preventDefault();
      search();
    }
    if (key === '?') help();
    const section = SECTIONS[key];
    if (section === undefined) return;
    const heading = document.querySelector<HTMLElement>(`#${section}-title`);
    const cell = document.querySelector<HTMLElement>(`#${section} [role="grid"] [tabindex="0"]`);
    (cell ?? heading)?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'start' });
  });
  useEffect(() => {
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
