import type { ComponentChildren, JSX } from 'preact';
import { ThemeButton } from '../parts/small.js';
import { useTheme } from '../parts/theme.js';
import type { Fetched } from './fetched.js';

export interface FrameProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly children: ComponentChildren;
}

/** A page that is not about one run. */
export function Frame({ title, note, children }: FrameProps): JSX.Element {
  const [theme, nextTheme] = useTheme();
  return (
    <main>
      <div class="top">
        <p class="brand">
          <a href="/">evenkeel</a>
        </p>
        <nav aria-label="Pages">
          <a href="/">Runs</a> <a href="/plans">Plans</a>
        </nav>
        <ThemeButton theme={theme} onTheme={nextTheme} />
      </div>
      <h1>
        {title}
        {note !== undefined && <span class="note"> {note}</span>}
      </h1>
      {children}
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
