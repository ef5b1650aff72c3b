import type { JSX } from 'preact';
import { Words } from './small.js';
import type { Theme } from './theme.js';

export interface TopProps {
  /** By `evenkeel ui`, which has other pages, too. */
  readonly isServed: boolean;
  readonly theme: Theme;
  readonly onTheme: () => void;
  readonly onHelp: () => void;
}

/** The first line of all pages. */
export function Top({ note, isServed, theme, onTheme, onHelp }: TopProps & { readonly note?: string }): JSX.Element {
  return (
    <div class="top">
      <p class="brand">
        {isServed ? <a href="/">evenkeel</a> : 'evenkeel'}{' '}
        {note !== undefined && (
          <span class="dim">
            <Words text={note} />
          </span>
        )}
      </p>
      {isServed && (
        <nav aria-label="Pages">
          <a href="/">Runs</a> <a href="/plans">Plans</a>
        </nav>
      )}
      <button type="button" onClick={onTheme} aria-label={`Theme: ${theme}`} title={`Theme: ${theme}`}>
        <span class={`disc disc-${theme}`} />
      </button>
      <button type="button" onClick={onHelp} aria-label="Help" title="Help (?)">
        ?
      </button>
    </div>
  );
}
