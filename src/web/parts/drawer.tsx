import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { decodeSeconds, type Detail, type Page, type PageColumn } from '../../reporting/page/format/page.js';
import { joinResult } from '../../reporting/text/words.js';
import { codeAt, rowRoute } from '../data/view.js';
import { count, elapsed, grouped, named, outcomeByCode, linePlace, stateByCode, time } from '../data/words.js';
import { Diff, OutcomeMark, StateMark, Yaml } from './small.js';

export interface DrawerProps {
  readonly page: Page;
  readonly isServed: boolean;
  /** It covers the page. */
  readonly isModal: boolean;
  readonly row: number;
  /** Undefined: all of the controller. */
  readonly column: number | undefined;
  readonly onClose: () => void;
  readonly onOpen: (row: number, column: number | undefined) => void;
}

const FOCUSABLE = 'a[href], button, [tabindex="0"]';

/** Keeps Tab between the first and the last element of a dialog. */
function keepInside(event: KeyboardEvent, dialog: HTMLElement | null): void {
  if (event.key !== 'Tab' || dialog === null) return;
  const all = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const { activeElement } = document;
  const isFirst = activeElement === all[0] || !all.some((one) => one === activeElement);
  const isLast = activeElement === all.at(-1);
  if (!(event.shiftKey ? isFirst : isLast)) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}

/** What a controller did at one step, or at all steps. A dialog where it covers the page. */
export function Drawer({ page, isServed, isModal, row, column, onClose, onOpen }: DrawerProps): JSX.Element {
  const drawer = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const controller = page.controllers[row] ?? '';
  useLayoutEffect(() => {
    heading.current?.focus();
  }, []);
  const about = column === undefined ? undefined : page.columns[column];
  const outcome = outcomeByCode(page.outcome[row]);
  const route = rowRoute(page, row);
  return (
    <section
      class="drawer"
      ref={drawer}
      role={isModal ? 'dialog' : 'complementary'}
      aria-modal={isModal ? 'true' : undefined}
      aria-labelledby="drawer-title"
      onKeyDown={(event) => {
        if (isModal) keepInside(event, drawer.current);
      }}
    >
      <div class="top">
        <h2 id="drawer-title" ref={heading} tabIndex={-1}>
          {controller}
        </h2>
        <button type="button" onClick={onClose} aria-label="Close" title="Close (Esc)">
          ×
        </button>
      </div>
      <p>
        <OutcomeMark outcome={outcome} /> {outcome}
        {groupNames(page, row) !== '' && <span class="dim"> in {groupNames(page, row)}</span>}
        {route !== undefined && <span class="dim"> via route {route}</span>}
      </p>
      {isServed && (
        <p>
          <a href={`/controllers/${encodeURIComponent(controller)}`}>All runs of this controller</a>
        </p>
      )}
      {about !== undefined && column !== undefined && (
        <Cell key={`${row} ${column}`} page={page} row={row} column={column} about={about} />
      )}
      <Steps page={page} row={row} column={column} onOpen={onOpen} />
    </section>
  );
}

function groupNames({ groups: all }: Page, row: number): string {
  const groups = all.filter(({ controllers }) => controllers.includes(row));
  return groups.map(({ name }) => name).join(', ');
}

interface CellProps {
  readonly page: Page;
  readonly row: number;
  readonly column: number;
  readonly about: PageColumn;
}

function Cell({ page, row, column, about }: CellProps): JSX.Element {
  const at = column * page.controllers.length + row;
  const controller = page.controllers[row] ?? '';
  const detail = page.details[page.detail[at] ?? 0] ?? {};
  const state = stateByCode(page.state[at]);
  const play = page.plays[about.play];
  const text = (one: string): string => named(one, controller);
  return (
    <section class="cell" aria-label="Result">
      <h3>{text(detail.task ?? about.task)}</h3>
      <p>
        <StateMark state={state} />
        {state !== 'none' && <Alike page={page} row={row} column={column} />}
      </p>
      {detail.words !== undefined && <p>{text(detail.words)}</p>}
      {detail.message !== undefined && <pre class="message">{text(detail.message)}</pre>}
      {detail.hint !== undefined && <p>Hint: {text(detail.hint)}</p>}
      {detail.diff !== undefined && <Diff lines={shownLines(page, detail.diff, controller)} />}
      {detail.items !== undefined && <Items page={page} detail={detail} controller={controller} />}
      <dl>
        <Fact name="Took" value={state === 'none' ? undefined : elapsed(decodeSeconds(page.took[at] ?? 0))} />
        <Fact name="Ended" value={state === 'none' ? undefined : endTime(page, at)} />
        <Fact name="Attempts" value={detail.attempts} />
        <Fact name="Requests" value={detail.requests} />
        <Fact name="Retried requests" value={detail.retries} />
        <Fact name="Round of the gate" value={detail.round} />
        <Fact name="Delegated to" value={detail.delegatedTo} />
        <Fact name="Tenant" value={detail.tenant} />
        <Fact name="Module" value={about.module} />
        <Fact name="Play" value={play?.name} />
        <Fact name="Position" value={linePlace(about.place)} />
        <Fact name="Because of" value={detail.place && linePlace(detail.place)} />
      </dl>
      <Yaml text={page.yaml[column]} line={about.place.line} />
    </section>
  );
}

function Fact({
  name,
  value,
}: {
  readonly name: string;
  readonly value: string | number | undefined;
}): JSX.Element | null {
  if (value === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function endTime({ run, ended }: Page, at: number): string {
  return time(new Date(Date.parse(run.started) + (ended[at] ?? 0)).toISOString());
}

/** How many controllers have the same result at this step. */
function Alike({ page, row, column }: Omit<CellProps, 'about'>): JSX.Element {
  const others = useMemo(() => {
    const from = column * page.controllers.length;
    const state = page.state[from + row];
    const detail = page.detail[from + row];
    let found = -1;
    for (let at = from; at < from + page.controllers.length; at++)
      if (page.state[at] === state && page.detail[at] === detail) found++;
    return found;
  }, [page, row, column]);
  const text = others === 0 ? 'on this controller only' : `the same on ${count(others, 'other controller')}`;
  return <span class="dim"> {text}</span>;
}

function shownLines({ texts }: Page, diff: number, controller: string): Parameters<typeof Diff>[0]['lines'] {
  const lines = named(texts[diff] ?? '', controller).split('\n');
  return lines.slice(1).map((text) => ({ text, isUsual: false }));
}

function Items({
  page,
  detail,
  controller,
}: {
  readonly page: Page;
  readonly detail: Detail;
  readonly controller: string;
}): JSX.Element {
  return (
    <ul class="items">
      {(detail.items ?? []).map(({ item, status, message, words, diff }, index) => (
        <li key={index}>
          <StateMark state={status} /> <strong>{named(item, controller)}</strong>{' '}
          {named(joinResult(words, message), controller)}
          {diff !== undefined && <Diff lines={shownLines(page, diff, controller)} />}
        </li>
      ))}
      {detail.moreItems !== undefined && <li class="dim">and {count(detail.moreItems, 'more item')}</li>}
    </ul>
  );
}

/** All steps of the controller. */
function Steps({ page, row, column, onOpen }: Omit<DrawerProps, 'onClose' | 'isServed' | 'isModal'>): JSX.Element {
  const ran = page.columns.flatMap((about, at) => (codeAt(page, row, at) === 0 ? [] : [{ about, at }]));
  return (
    <section aria-label="All steps of the controller">
      <h3>
        All steps <span class="note">{grouped(ran.length)}</span>
      </h3>
      <ol class="steps">
        {ran.map(({ about, at }) => (
          <li key={at}>
            <button type="button" aria-current={at === column ? 'true' : undefined} onClick={() => onOpen(row, at)}>
              <StateMark state={stateByCode(codeAt(page, row, at))} />
              <span class="what">{about.task}</span>
              <span class="dim">{elapsed(decodeSeconds(page.took[at * page.controllers.length + row] ?? 0))}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
