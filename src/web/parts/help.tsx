import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'search'],
  ['← ↑ → ↓', 'move in the matrix'],
  ['Enter', 'open the cell'],
  ['Esc', 'close'],
  ['+ -', 'larger and smaller rows'],
  ['m', 'matrix'],
  ['f', 'failures'],
  ['c', 'changes'],
  ['t', 'timeline'],
  ['?', 'this help'],
];

const TERMS: readonly (readonly [term: string, what: string])[] = [
  ['status:failed', 'controllers that failed; also ok, changed, unreachable, cut-off, not-started, running, waiting'],
  ['status:skipped', 'controllers with a skipped task; also ignored, rescued, interrupted'],
  ['group:emea', 'controllers of a group'],
  ['route:madrid', 'controllers of a route'],
  ['host:lb1*', 'controllers by name'],
  ['task:DNS', 'tasks by name or module'],
  ['timed out', 'words in names, messages and changes'],
  ['env:production user:ann since:3d', 'runs, on all pages; since takes 12h, 3d, 2w or a date'],
  ['-status:ok -"timed out"', 'all others'],
];

/** A function that opens the help, and the help while it is open. */
export function useHelp(): readonly [open: () => void, help: JSX.Element | false] {
  const [isOpen, setOpen] = useState(false);
  return [() => setOpen(true), isOpen && <Help onClose={() => setOpen(false)} />];
}

export function Help({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Help</h2>
      <h3>Keys</h3>
      <dl>
        {KEYS.map(([keys, what]) => (
          <>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <h3>Search</h3>
      <dl>
        {TERMS.map(([term, what]) => (
          <>
            <dt>
              <code>{term}</code>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
