import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Page } from '../report/page/format/page.js';
import { useAddress, type Go } from './address.js';
import { ORDERS, viewOf, type View } from './data/view.js';
import { count, grouped, placeText, STATE_WORDS } from './data/words.js';
import { CELL_STATES } from '../report/page/format/page.js';
import { Matrix } from './matrix/matrix.js';
import type { CellPlace } from './matrix/geometry.js';
import { Drawer } from './parts/drawer.js';
import { Header } from './parts/header.js';
import { Help } from './parts/help.js';
import { Printed, Section, StateMark } from './parts/small.js';
import { Timeline } from './parts/timeline.js';
import { What } from './parts/what.js';
import { Why } from './parts/why.js';
import { useColours, useTheme } from './parts/theme.js';
import { useFetched } from './ui/fetched.js';

const SECTIONS: Readonly<Record<string, string>> = { f: 'failures', c: 'changes', t: 'timeline', m: 'matrix' };

export interface RunPageProps {
  readonly page: Page;
  /** By `evenkeel ui`, which has other pages, too. */
  readonly isServed: boolean;
}

/** One run. */
export function RunPage({ page, isServed }: RunPageProps): JSX.Element {
  const [address, go] = useAddress();
  const [theme, nextTheme] = useTheme();
  const colours = useColours(theme);
  const [isHelp, setHelp] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const { query, order, table, controller, step } = address;
  const view = useMemo(() => viewOf(page, query, order), [page, query, order]);
  const later = useLater(view);
  useSameStep(page, step, go);
  const row = controller === undefined ? -1 : page.controllers.indexOf(controller);
  const isOpen = row >= 0;
  const isModal = useNarrow() && isOpen;
  const opener = useReturningFocus(isOpen);
  const open = (openedRow: number, column: number | undefined): void => {
    if (!isOpen) opener.current = document.activeElement;
    go({ controller: page.controllers[openedRow], step: column });
  };
  const close = (): void => {
    go({ controller: undefined, step: undefined });
  };
  const setQuery = (text: string): void => {
    go({ query: text });
  };
  useKeys({
    search: () => search.current?.focus(),
    help: () => {
      setHelp(true);
    },
    close: isOpen ? close : undefined,
  });
  const selected = isOpen ? placeOf(view, row, step) : undefined;
  return (
    <div class={isOpen ? 'page with-drawer' : 'page'}>
      <main inert={isModal}>
        <Header
          page={page}
          isServed={isServed}
          query={query}
          theme={theme}
          onTheme={nextTheme}
          onHelp={() => {
            setHelp(true);
          }}
          onQuery={setQuery}
        />
        <div class="search" role="search">
          <input
            ref={search}
            type="search"
            aria-label="Search"
            placeholder="Search: status:failed group:emea task:DNS host:lb1*"
            value={query}
            onInput={({ currentTarget }) => {
              setQuery(currentTarget.value);
            }}
          />
          <span class="dim" role="status">
            {view.rows.length === page.controllers.length
              ? ''
              : `${grouped(view.rows.length)} of ${count(page.controllers.length, 'controller')}`}
          </span>
        </div>
        <Why view={view} onOpen={open} />
        <MatrixSection
          view={view}
          isTable={table}
          selected={selected}
          colours={colours}
          go={go}
          onOpen={({ row: place, column }) => {
            open(view.rows[place] ?? 0, view.columns[column]);
          }}
        />
        <What view={later} onOpen={open} />
        <Timeline view={later} onOpen={open} />
        {isServed && page.run.status !== 'running' && page.facts.argv?.[0] === 'drift' && (
          <DriftSection id={page.run.id} />
        )}
        <Warnings page={page} />
        <footer class="dim">
          evenkeel {page.run.version}
          {page.facts.argv !== undefined && page.facts.argv.length > 0 && (
            <>
              {' '}
              · <code>evenkeel {page.facts.argv.join(' ')}</code>
            </>
          )}
        </footer>
      </main>
      {isOpen && (
        <Drawer
          page={page}
          isServed={isServed}
          isModal={isModal}
          row={row}
          column={step}
          onClose={close}
          onOpen={open}
        />
      )}
      {isHelp && (
        <Help
          onClose={() => {
            setHelp(false);
          }}
        />
      )}
    </div>
  );
}

/** A running run gets new steps between those that are there: the address names the same step as before. */
function useSameStep(page: Page, step: number | undefined, go: Go): void {
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

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const wanted = matchMedia(NARROW);
    const update = (): void => {
      setNarrow(wanted.matches);
    };
    wanted.addEventListener('change', update);
    return () => {
      wanted.removeEventListener('change', update);
    };
  }, []);
  return isNarrow;
}

/** When the drawer closes, the focus returns to what opened it, else to the cell in the matrix. */
function useReturningFocus(isOpen: boolean): { current: Element | null } {
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

/** What is below the matrix follows once the rest is painted: a search shows its result at once, and typing never waits. */
function useLater(view: View): View {
  const [shown, setShown] = useState(view);
  useEffect(() => {
    const timer = setTimeout(setShown, 0, view);
    return () => {
      clearTimeout(timer);
    };
  }, [view]);
  return shown;
}

/** The drift as the terminal printed it: equal drift once, with where it came from. */
function DriftSection({ id }: { readonly id: string }): JSX.Element | null {
  const fetched = useFetched<{ readonly lines: readonly string[] }>(`/api/runs/${id}/drift`);
  if (fetched.status !== 'ready' || fetched.value.lines.length === 0) return null;
  return (
    <Section id="drift" title="Drift" note="as the terminal showed it">
      <Printed label="Drift" lines={fetched.value.lines} />
    </Section>
  );
}

function placeOf(view: View, row: number, step: number | undefined): CellPlace | undefined {
  const place = view.placeOf[row] ?? -1;
  return place < 0 ? undefined : { row: place, column: step === undefined ? -1 : view.columns.indexOf(step) };
}

interface MatrixSectionProps {
  readonly view: View;
  readonly isTable: boolean;
  readonly selected: CellPlace | undefined;
  readonly colours: unknown;
  readonly go: Go;
  readonly onOpen: (cell: CellPlace) => void;
}

function MatrixSection({ view, isTable, selected, colours, go, onOpen }: MatrixSectionProps): JSX.Element {
  const { page, rows, columns } = view;
  const size = `${count(rows.length, 'controller')} × ${count(columns.length, 'step')}`;
  return (
    <Section id="matrix" title="Matrix" note={size}>
      <div class="tools">
        <Legend page={page} />
        <label>
          Order{' '}
          <select
            value={view.order}
            onChange={({ currentTarget }) => {
              go({ order: ORDERS.find((one) => one === currentTarget.value) ?? 'group' });
            }}
          >
            {ORDERS.filter((one) => one !== 'site' || page.sites.length > 0).map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-pressed={isTable}
          onClick={() => {
            go({ table: !isTable });
          }}
        >
          Table
        </button>
      </div>
      {rows.length === 0 || columns.length === 0 ? (
        <p class="empty">Nothing matches.</p>
      ) : (
        <Matrix view={view} isTable={isTable} selected={selected} colours={colours} onOpen={onOpen} />
      )}
    </Section>
  );
}

/** The states that the page has. */
function Legend({ page }: { readonly page: Page }): JSX.Element {
  const states = useMemo(() => {
    const found = new Set(page.state);
    return CELL_STATES.filter((state, code) => state !== 'none' && found.has(code));
  }, [page]);
  return (
    <ul class="legend" aria-label="Legend">
      {states.map((state) => (
        <li key={state} title={STATE_WORDS[state]}>
          <StateMark state={state} />
        </li>
      ))}
    </ul>
  );
}

const MOST_WARNINGS = 20;

function Warnings({ page }: { readonly page: Page }): JSX.Element | null {
  const { warnings } = page;
  if (warnings.length === 0) return null;
  return (
    <Section id="warnings" title="Warnings" note={grouped(warnings.length)}>
      <ul class="warnings">
        {warnings.slice(0, MOST_WARNINGS).map(({ message, controller, place }, index) => (
          <li key={index}>
            {controller !== undefined && <strong>{controller}: </strong>}
            {message} {place !== undefined && <span class="dim">{placeText(place)}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface Keys {
  readonly search: () => void;
  readonly help: () => void;
  readonly close: (() => void) | undefined;
}

function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { search, help, close } = latest.current;
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
      const heading = document.querySelector<HTMLElement>(`#${SECTIONS[key] ?? 'none'}-title`);
      heading?.focus();
      heading?.scrollIntoView({ block: 'start' });
    };
    addEventListener('keydown', listen);
    return () => {
      removeEventListener('keydown', listen);
    };
  }, []);
}
