import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Page } from '../reporting/page/format/page.js';
import { commandLine } from '../reporting/text/words.js';
import { PAGE_FIELDS } from './data/query.js';
import { createView, type View } from './data/view.js';
import { count, grouped, linePlace } from './data/words.js';
import type { MatrixCell } from './matrix/geometry.js';
import { MatrixSection } from './matrix_section.js';
import { useAddress } from './parts/address.js';
import { Drawer } from './parts/drawer.js';
import { Header } from './parts/header.js';
import { useHelp } from './parts/help.js';
import {
  useKeys,
  useLater,
  useLatest,
  useNarrow,
  useReturningFocus,
  useSameStep,
  useTitle,
} from './parts/run_hooks.js';
import { Search } from './parts/search.js';
import { More, Printed, Section, useMost } from './parts/small.js';
import { What, Why } from './parts/summaries.js';
import { useColours, useTheme } from './parts/theme.js';
import { Timeline } from './parts/timeline.js';
import { useFetched } from './ui/fetched.js';
import { Trend } from './ui/trend.js';

export interface RunPageProps {
  readonly page: Page;
  /** By `evenkeel ui`, which has other pages, too. */
  readonly isServed: boolean;
  /** Why the page may be out of date. */
  readonly lost?: string | undefined;
}

export function RunPage({ page, isServed, lost }: RunPageProps): JSX.Element {
  const [address, go] = useAddress();
  const [theme, nextTheme] = useTheme();
  const colours = useColours(theme);
  const [openHelp, help] = useHelp();
  const search = useRef<HTMLInputElement>(null);
  const { query, order, table, controller, step } = address;
  const view = useMemo(() => createView(page, query, order), [page, query, order]);
  const later = useLater(view);
  useSameStep(page, step, go);
  useTitle(isServed ? page.facts.title : undefined);
  const row = controller === undefined ? -1 : page.controllers.indexOf(controller);
  const isOpen = row >= 0;
  const isModal = useNarrow() && isOpen;
  const opener = useReturningFocus(isOpen);
  const open = useLatest((openedRow: number, column: number | undefined) => {
    if (!isOpen) opener.current = document.activeElement;
    go({ controller: page.controllers[openedRow], step: column });
  });
  const close = (): void => go({ controller: undefined, step: undefined });
  const setQuery = (text: string): void => go({ query: text });
  useKeys({
    search: () => search.current?.focus(),
    help: openHelp,
    close: isOpen ? close : undefined,
  });
  const selected = isOpen ? findCell(view, row, step) : undefined;
  return (
    <div class={isOpen ? 'page with-drawer' : 'page'}>
      <main inert={isModal}>
        {lost !== undefined && (
          <p role="alert" class="broken">
            {lost}
          </p>
        )}
        <Header
          view={view}
          isServed={isServed}
          query={query}
          theme={theme}
          onTheme={nextTheme}
          onHelp={openHelp}
          onQuery={setQuery}
        />
        <Search
          box={search}
          fields={PAGE_FIELDS}
          example="status:failed group:emea task:DNS host:lb1*"
          note={
            view.rows.length === page.controllers.length
              ? ''
              : `${grouped(view.rows.length)} of ${count(page.controllers.length, 'controller')}`
          }
          query={query}
          onQuery={setQuery}
        />
        <Why view={view} onOpen={open} />
        <MatrixSection
          view={view}
          isTable={table}
          selected={selected}
          colours={colours}
          go={go}
          onOpen={({ row: place, column }) => open(view.rows[place] ?? 0, view.columns[column])}
        />
        <What view={later} onOpen={open} />
        <Timeline view={later} onOpen={open} />
        {isServed && <Trend run={page.run.id} />}
        {isServed && page.run.status !== 'running' && page.facts.argv?.[0] === 'drift' && (
          <DriftSection id={page.run.id} />
        )}
        <Warnings page={page} />
        <footer class="dim">
          evenkeel {page.run.version}
          {page.facts.argv !== undefined && page.facts.argv.length > 0 && (
            <>
              {' '}
              · <code>{commandLine(['evenkeel', ...page.facts.argv])}</code>
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
      {help}
    </div>
  );
}

/** The drift as the terminal printed it: equal drift once, with its origin. */
function DriftSection({ id }: { readonly id: string }): JSX.Element | null {
  const fetched = useFetched<{ readonly lines: readonly string[] }>(`/api/runs/${id}/drift`);
  if (fetched.status !== 'ready' || fetched.value.lines.length === 0) return null;
  return (
    <Section id="drift" title="Drift" note="as the terminal showed it">
      <Printed label="Drift" lines={fetched.value.lines} />
    </Section>
  );
}

function findCell(view: View, row: number, step: number | undefined): MatrixCell | undefined {
  const index = view.indexByRow[row] ?? -1;
  return index < 0 ? undefined : { row: index, column: step === undefined ? -1 : view.columns.indexOf(step) };
}

const MOST_WARNINGS = 20;

function Warnings({ page }: { readonly page: Page }): JSX.Element | null {
  const [most, onMore] = useMost(MOST_WARNINGS, 200);
  const { warnings } = page;
  if (warnings.length === 0) return null;
  return (
    <Section id="warnings" title="Warnings" note={grouped(warnings.length)}>
      <ul class="warnings">
        {warnings.slice(0, most).map(({ message, controller, place }, index) => (
          <li key={index}>
            {controller !== undefined && <strong>{controller}: </strong>}
            {message} {place !== undefined && <span class="dim">{linePlace(place)}</span>}
          </li>
        ))}
      </ul>
      <More left={warnings.length - most} noun="warning" onMore={onMore} />
    </Section>
  );
}
