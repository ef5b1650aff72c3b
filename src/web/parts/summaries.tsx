import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Page } from '../../reporting/page/format/page.js';
import { visibleChanges, type ShownChange, type StepChanges } from '../data/changes.js';
import { visibleFailures, visibleOpenWrites, writesBefore, type OpenWrite, type ShownFailure } from '../data/equal.js';
import { distinctRows, countRoutes, type View } from '../data/view.js';
import { count, linePlace, nameCounted, named } from '../data/words.js';
import { useInParts } from './run_hooks.js';
import { More, Names, Section, StateMark, Task, useMost, Yaml, Diff } from './small.js';

const CARDS_SHOWN = 5;
const MOST_OBJECTS = 5;
const UNCONFIRMED = 'Sent, but not confirmed';

export interface SummaryProps {
  readonly view: View;
  readonly onOpen: (row: number, column: number) => void;
}

/** Failures, grouped by cause, and writes with an unknown outcome that are in none of them. */
export function Why({ view: wanted, onOpen }: SummaryProps): JSX.Element {
  const found = useInParts(wanted, visibleFailures);
  const open = useInParts(wanted, visibleOpenWrites);
  return useMemo(
    () => (
      <>
        <Failures view={found.view} groups={found.value} onOpen={onOpen} />
        <OpenWrites view={open.view} writes={open.value} onOpen={onOpen} />
      </>
    ),
    [found, open, onOpen],
  );
}

function OpenWrites({
  view: { page },
  writes,
  onOpen,
}: SummaryProps & { readonly writes: readonly OpenWrite[] }): JSX.Element | null {
  const [most, onMore] = useMost(CARDS_SHOWN, 20);
  if (writes.length === 0) return null;
  return (
    <Section id="unconfirmed" title={UNCONFIRMED} note={count(writes.length, 'object')}>
      {writes.slice(0, most).map(({ object, about, rows, column }) => (
        <article key={`${column} ${object}`} class="card interrupted">
          <h3>{textFor(page, rows)(object)}</h3>
          <p>
            <Task about={about} />
          </p>
          <Names page={page} rows={rows} onOpen={(row) => onOpen(row, column)} />
        </article>
      ))}
      <More left={writes.length - most} noun="object" onMore={onMore} />
    </Section>
  );
}

/** Fills in the name of the controller, if there is one. */
function textFor(page: Page, rows: readonly number[]): (text: string) => string {
  const name = rows.length > 1 ? '<controller>' : (page.controllers[rows[0] ?? 0] ?? '');
  return (text) => named(text, name);
}

interface FailuresProps extends SummaryProps {
  readonly groups: readonly ShownFailure[];
}

function Failures({ view, groups, onOpen }: FailuresProps): JSX.Element | null {
  const [most, onMore] = useMost(CARDS_SHOWN, 20);
  if (groups.length === 0) return null;
  const controllers = distinctRows(view.page, groups);
  return (
    <Section
      id="failures"
      title="Failures"
      note={`${count(groups.length, 'cause')}, ${count(controllers, 'controller')}`}
    >
      {groups.slice(0, most).map((group) => (
        <Failure key={`${group.column} ${group.message}`} group={group} page={view.page} onOpen={onOpen} />
      ))}
      <More left={groups.length - most} noun="cause" onMore={onMore} />
    </Section>
  );
}

interface FailureProps {
  readonly group: ShownFailure;
  readonly page: Page;
  readonly onOpen: SummaryProps['onOpen'];
}

function Failure({ group, page, onOpen }: FailureProps): JSX.Element {
  const { status, about, detail, message, rows, column } = group;
  const { written, unconfirmed } = useMemo(() => writesBefore(page, group), [page, group]);
  const routes = countRoutes(page, rows);
  const text = textFor(page, rows);
  const [first = '', ...more] = text(message).split('\n');
  return (
    <article class={`card ${status}`}>
      <h3>
        <StateMark state={status} /> <span class="amount">{count(rows.length, 'controller')}</span> {first}
      </h3>
      {more.length > 0 && <pre class="message">{more.join('\n')}</pre>}
      <p>
        <Task about={about} />
      </p>
      {detail.place !== undefined && <p class="dim">because of {linePlace(detail.place)}</p>}
      <Yaml text={page.yaml[column]} line={about.place.line} />
      {detail.hint !== undefined && <p>Hint: {text(detail.hint)}</p>}
      <dl>
        <dt>Controllers</dt>
        <dd>
          <Names page={page} rows={rows} onOpen={(row) => onOpen(row, column)} />
        </dd>
        {routes.size > 0 && (
          <>
            <dt>{routes.size === 1 ? 'Route' : 'Routes'}</dt>
            <dd>{nameCounted([...routes], rows.length, MOST_OBJECTS)}</dd>
          </>
        )}
        {(!page.run.check || written.size > 0) && (
          <>
            <dt>Written before</dt>
            <dd>{text(nameCounted([...written], rows.length, MOST_OBJECTS))}</dd>
          </>
        )}
        {unconfirmed.size > 0 && (
          <>
            <dt>{UNCONFIRMED}</dt>
            <dd>{text(nameCounted([...unconfirmed], rows.length, MOST_OBJECTS))}</dd>
          </>
        )}
      </dl>
    </article>
  );
}

const STEPS_SHOWN = 8;
const GROUPS_SHOWN = 3;
const NAMES_SHOWN = 3;

/** Changes, equal ones once. */
export function What({ view: wanted, onOpen }: SummaryProps): JSX.Element {
  const found = useInParts(wanted, visibleChanges);
  return useMemo(() => <Steps view={found.view} steps={found.value} onOpen={onOpen} />, [found, onOpen]);
}

interface StepsProps extends SummaryProps {
  readonly steps: readonly StepChanges[];
}

function Steps({ view, steps, onOpen }: StepsProps): JSX.Element | null {
  const [most, onMore] = useMost(STEPS_SHOWN, 50);
  if (steps.length === 0) return null;
  const title = view.page.run.check ? 'Would change' : 'Changes';
  const changes = steps.flatMap(({ groups }) => groups);
  const controllers = distinctRows(view.page, changes);
  return (
    <Section id="changes" title={title} note={`${count(steps.length, 'task')}, ${count(controllers, 'controller')}`}>
      {steps.slice(0, most).map((step) => (
        <Step key={step.column} step={step} page={view.page} onOpen={onOpen} />
      ))}
      <More left={steps.length - most} noun="task" onMore={onMore} />
    </Section>
  );
}

interface StepProps {
  readonly step: StepChanges;
  readonly page: Page;
  readonly onOpen: SummaryProps['onOpen'];
}

function Step({ step, page, onOpen }: StepProps): JSX.Element {
  const [most, onMore] = useMost(GROUPS_SHOWN, 50);
  const { about, groups, column, controllers } = step;
  return (
    <article class="card changed">
      <h3>
        <Task about={about} /> <span class="amount">{count(controllers, 'controller')}</span>
      </h3>
      {groups.slice(0, most).map((group, index) => (
        <Change key={index} group={group} page={page} onOpen={(row) => onOpen(row, column)} />
      ))}
      <More left={groups.length - most} noun="different change" onMore={onMore} />
    </article>
  );
}

interface ChangeProps {
  readonly group: ShownChange;
  readonly page: Page;
  readonly onOpen: (row: number) => void;
}

function Change({ group, page, onOpen }: ChangeProps): JSX.Element {
  const { words, rows, lines } = group;
  const only = rows.length === 1 ? page.controllers[rows[0] ?? 0] : undefined;
  const text = (one: string): string => (only === undefined ? one : named(one, only));
  return (
    <div class="change">
      <p>
        <strong>{text(words)}</strong>{' '}
        {rows.length > 1 && <span class="dim">the same on {count(rows.length, 'controller')}: </span>}
        <Names page={page} rows={rows} shown={NAMES_SHOWN} onOpen={onOpen} />
      </p>
      {lines.length > 0 && <Diff lines={lines.map((line) => ({ ...line, text: text(line.text) }))} />}
    </div>
  );
}
