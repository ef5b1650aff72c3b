import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'evenkeel-theme';

/** Storage can be forbidden. */
function stored(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

/** The theme, and how to choose the next one. */
export function useTheme(): readonly [theme: Theme, next: () => void] {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice then lasts until the page is closed.
    }
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto')];
}

/** Changes when colours change: by the theme, or by the system. */
export function useColours(theme: Theme): unknown {
  return `${theme} ${String(useMedia('(prefers-color-scheme: dark)'))}`;
}

/** Whether the window is as a media query says, as it changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const wanted = matchMedia(query);
    const update = (): void => setMatches(wanted.matches);
    wanted.addEventListener('change', update);
    return () => wanted.removeEventListener('change', update);
  }, []);
  return matches;
}
