import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { QueryField } from '../data/query.js';
import { useHelp } from '../parts/help.js';
import { useKeys, useTitle } from '../parts/run_hooks.js';
import { Search } from '../parts/search.js';
import { useTheme } from '../parts/theme.js';
import { Top } from '../parts/top.js';
import type { Fetched } from './fetched.js';

/** How a page is searched. */
interface FrameSearch {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly fields: readonly QueryField[];
  /** What was found. */
  readonly note: string;
}

export interface FrameProps {
  readonly title: string;
  readonly search?: FrameSearch | undefined;
  readonly children: ComponentChildren;
}

/** A page that is not about one run. */
export function Frame({ title, search, children }: FrameProps): JSX.Element {
  const [theme, nextTheme] = useTheme();
  const [openHelp, help] = useHelp();
  useTitle(title);
  const box = useRef<HTMLInputElement>(null);
  useKeys({
    search: () => box.current?.focus(),
    help: openHelp,
    close: undefined,
  });
  return (
    <main>
      <Top isServed={true} theme={theme} onTheme={nextTheme} onHelp={openHelp} />
      <h1>{title}</h1>
      {search !== undefined && (
        <Search box={box} example="status:failed env:production user:ann since:3d" {...search} />
      )}
      {children}
      {help}
    </main>
  );
}

export interface LoadedProps<T> {
  readonly fetched: Fetched<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Loaded<T>({ fetched, children }: LoadedProps<T>): JSX.Element {
  switch (fetched.status) {
    case 'loading':
      return <p class="dim">Loading…</p>;
    case 'failed':
      return <p class="broken">{fetched.message}</p>;
    case 'ready':
      return <>{children(fetched.value)}</>;
  }
}
