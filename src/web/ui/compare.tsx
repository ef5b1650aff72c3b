import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Page } from '../../reporting/page/format/page.js';
import { compareRuns, type StepChange } from '../data/compare.js';
import type { ShownFailure } from '../data/equal.js';
import { count, elapsed, grouped, named, time } from '../data/words.js';
import { OutcomeMark, Section, Task } from '../parts/small.js';
import { useLivePage } from './fetched.js';
import { Frame, Loaded } from './frame.js';

const MOST_NAMES = 20;
const MOST_STEPS = 20;

/** Two runs beside each other. */
export function ComparePage({ before, after }: { readonly before: string; readonly after: string }): JSX.Element {
  const [one, other] = [useLivePage(before), useLivePage(after)];
  return (
    <Frame title="Compare">
      <Loaded fetched={one}>
        {(first) => <Loaded fetched={other}>{(second) => <Comparison before={first} after={second} />}</Loaded>}
      </Loaded>
    </Frame>
  );
}

interface Compared {
  readonly before: Page;
  readonly after: Page;
}

function Comparison({ before, after }: Compared): JSX.Element {
  const { outcomes, moved, gone, come, steps } = useMemo(() => compareRuns(before, after), [before, after]);
  const about = ({ run, facts }: Page): JSX.Element => (
    <>
      <a href={`/runs/${run.id}`}>{facts.title}</a> <span class="dim nowrap">{time(facts.started ?? run.started)}</span>
    </>
  );
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Totals">
        <table class="compared">
          <Titles />
          <tbody>
            <Numbers name="Run" before={about(before)} after={about(after)} />
            <Numbers name="Duration" before={elapsed(before.run.seconds)} after={elapsed(after.run.seconds)} />
            {outcomes.map(([outcome, one, other]) => (
              <Numbers
                key={outcome}
                name={outcome}
                mark={<OutcomeMark outcome={outcome} />}
                before={grouped(one)}
                after={grouped(other)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Section id="moved" title="Controllers that ended differently">
        {moved.length === 0 && <p>None.</p>}
        {moved.map(({ before: from, after: to, controllers }) => (
          <p key={`${from} ${to}`}>
            <strong>
              {from} → {to}
            </strong>{' '}
            <span class="dim">{count(controllers.length, 'controller')}:</span>{' '}
            {controllers.slice(0, MOST_NAMES).map((name, at) => (
              <span key={name}>
                {at > 0 && ', '}
                <a href={`/controllers/${encodeURIComponent(name)}`}>{name}</a>
              </span>
            ))}
            {controllers.length > MOST_NAMES && ` and ${grouped(controllers.length - MOST_NAMES)} more`}
          </p>
        ))}
      </Section>
      <Causes title="New failures" causes={come} page={after} />
      <Causes title="Failures that are gone" causes={gone} page={before} />
      <Section id="steps" title="Median time of tasks" note="that differs by a tenth or more, or of one run only">
        {steps.length === 0 && <p>None.</p>}
        {steps.length > 0 && (
          <div class="scroll" tabIndex={0} role="group" aria-label="Times of tasks">
            <table class="compared">
              <Titles />
              <tbody>{steps.slice(0, MOST_STEPS).map(stepRow)}</tbody>
            </table>
          </div>
        )}
      </Section>
    </>
  );
}

function stepRow({ task, before, after }: StepChange): JSX.Element {
  const text = (seconds: number | undefined): string =>
    seconds === undefined ? 'not run' : seconds < 1 ? `${Math.round(seconds * 1000)} ms` : elapsed(seconds);
  return <Numbers key={task} name={task} before={text(before)} after={text(after)} />;
}

interface NumbersProps {
  readonly name: string;
  readonly mark?: JSX.Element;
  readonly before: ComponentChildren;
  readonly after: ComponentChildren;
}

function Titles(): JSX.Element {
  return (
    <thead>
      <tr>
        <td />
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
  );
}

function Numbers({ name, mark, before, after }: NumbersProps): JSX.Element {
  return (
    <tr>
      <th scope="row">
        {mark} {name}
      </th>
      <td data-name="before">{before}</td>
      <td data-name="after">{after}</td>
    </tr>
  );
}

interface CausesProps {
  readonly title: string;
  readonly causes: readonly ShownFailure[];
  readonly page: Page;
}

function Causes({ title, causes, page }: CausesProps): JSX.Element | null {
  if (causes.length === 0) return null;
  return (
    <Section id={title.split(' ', 1)[0] ?? ''} title={title} note={count(causes.length, 'cause')}>
      {causes.map(({ status, about, message, rows, column }) => (
        <article class={`card ${status}`} key={`${column} ${message}`}>
          <h3>
            <span class="amount">{count(rows.length, 'controller')}</span>{' '}
            {named(message, rows.length > 1 ? '<controller>' : (page.controllers[rows[0] ?? 0] ?? '')).split('\n', 1)}
          </h3>
          <p>
            <Task about={about} />
          </p>
        </article>
      ))}
    </Section>
  );
}
