import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Page } from '../../reporting/page/format/page.js';
import { visibleFailures, writesBefore, type ShownFailure } from '../data/equal.js';
import { distinctRows, countRoutes, type View } from '../data/view.js';
import { count, linePlace, named, nameSome } from '../data/words.js';
import { useInParts } from './run_hooks.js';
import { More, Names, Section, StateMark, Task, useMost, Yaml } from './small.js';

const SHOWN = 5;
const MOST_OBJECTS = 5;

export interface WhyProps {
  readonly view: View;
  readonly onOpen: (row: number, column: number) => void;
}

/** Failures, grouped by cause. */
export function Why({ view: wanted, onOpen }: WhyProps): JSX.Element {
  const found = useInParts(wanted, visibleFailures);
  return useMemo(() => <Failures view={found.view} groups={found.value} onOpen={onOpen} />, [found, onOpen]);
}

interface FailuresProps extends WhyProps {
  readonly groups: readonly ShownFailure[];
}

function Failures({ view, groups, onOpen }: FailuresProps): JSX.Element | null {
  const [most, onMore] = useMost(SHOWN, 20);
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
  readonly onOpen: WhyProps['onOpen'];
}

function Failure({ group, page, onOpen }: FailureProps): JSX.Element {
  const { status, about, detail, message, rows, column } = group;
  const { written, unconfirmed } = useMemo(() => writesBefore(page, group), [page, group]);
  const routes = countRoutes(page, rows);
  const text = (one: string): string =>
    named(one, rows.length > 1 ? '<controller>' : (page.controllers[rows[0] ?? 0] ?? ''));
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
            <dd>{objects(routes, rows.length)}</dd>
          </>
        )}
        {(!page.run.check || written.size > 0) && (
          <>
            <dt>Written before</dt>
            <dd>{text(objects(written, rows.length))}</dd>
          </>
        )}
        {unconfirmed.size > 0 && (
          <>
            <dt>Sent, but not confirmed</dt>
            <dd>{text(objects(unconfirmed, rows.length))}</dd>
          </>
        )}
      </dl>
    </article>
  );
}

function objects(counts: ReadonlyMap<string, number>, controllers: number): string {
  if (counts.size === 0) return 'nothing';
  const texts = [...counts].map(([object, number]) =>
    number === controllers ? object : `${object} (${count(number, 'controller')})`,
  );
  return nameSome(texts, MOST_OBJECTS);
}
